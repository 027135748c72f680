//! `surus tactics --verify N --against cmd=PROGRAM`

use anyhow::{Context, Result, bail};
use serde::Serialize;
use surus_protocol::{AeiEngine, EngineProcessOptions};
use surus_rules::{Board, Game, Position, Rules, Side, Turn};
use surus_tactics::{captures_from, find_goal_from};

use crate::{CommandStatus, engines, output};

/// The answers of a program, compared with ours.
#[derive(Serialize, Default)]
struct Comparison {
    positions: u64,
    goals: u64,
    captures: u64,
    /// The first positions with another answer, with both answers.
    differences: Vec<String>,
    different: u64,
}

/// How many differences are printed.
const MAX_SHOWN: usize = 10;

/// Asks an extended AEI program for goals and captures of the side to move in positions of games.
pub(super) fn run(command: &str, count: u64, boards: &[(Board, Side)], json: bool) -> Result<CommandStatus> {
    let command = command.strip_prefix("cmd=").context("--against: expected cmd=COMMAND LINE")?;
    let guard = engines::registry().guard().cloned();
    let options = EngineProcessOptions { guard, ..EngineProcessOptions::default() };
    let mut engine = AeiEngine::start(command, &[], options)?;
    let mut result = Comparison::default();
    for &(board, side) in boards {
        if result.positions == count {
            break;
        }
        let Ok(position) = Position::new(board, side) else { continue };
        let game = Game::from_position(&position, 2, Rules::Official);
        if game.result().is_some() {
            continue;
        }
        let goal = find_goal_from(&position);
        let capture = captures_from(&position).first().map(|capture| capture.turn);
        result.positions += 1;
        result.goals += u64::from(goal.is_some());
        result.captures += u64::from(capture.is_some());
        compare(&mut engine, "goalcheck", &game, goal, reaches_goal, &mut result)?;
        compare(&mut engine, "trapcheck", &game, capture, captures_enemy, &mut result)?;
    }
    if json {
        output::json(&result)?;
    } else {
        let Comparison { positions, goals, captures, different, .. } = &result;
        println!(
            "{positions} positions: {goals} goals, {captures} with captures, {different} answers differ"
        );
        result.differences.iter().for_each(|text| println!("{}", output::printable(text)));
    }
    Ok(if result.different == 0 { CommandStatus::Success } else { CommandStatus::Failure })
}

/// Asks one question. An answer is right if a turn exists, or none, and if that turn does what was asked.
fn compare(
    engine: &mut AeiEngine,
    message: &str,
    game: &Game,
    ours: Option<Turn>,
    is_right: fn(&Game, &Game) -> bool,
    result: &mut Comparison,
) -> Result<()> {
    let position = game.position();
    let answers = engine.ask(message, position)?;
    let Some(answer) = answers.first() else {
        bail!("the program does not answer {message}: expected info {message} …")
    };
    let turn = turn_of(answer);
    let theirs = turn.filter(|turn| !turn.is_empty()).map(|turn| {
        let mut after = game.clone();
        after.play_text(&turn).is_ok() && is_right(game, &after)
    });
    if theirs == ours.is_some().then_some(true) {
        return Ok(());
    }
    result.different += 1;
    if result.differences.len() < MAX_SHOWN {
        let ours = ours.map_or_else(|| "none".into(), |turn| position.board().notation(&turn));
        result.differences.push(format!("{position} {message}: found '{answer}', expected {ours}"));
    }
    Ok(())
}

/// The turn of an answer such as `gold Ra6n Ra7n`; empty words such as `none` name no turn.
fn turn_of(answer: &str) -> Option<String> {
    let words = answer.split_whitespace().filter(|word| word.parse::<surus_rules::Token>().is_ok());
    let turn = words.collect::<Vec<_>>().join(" ");
    (!turn.is_empty()).then_some(turn)
}

fn reaches_goal(before: &Game, after: &Game) -> bool {
    let goal = before.side().goal();
    !(after.position().board().rabbits(before.side()) & goal).is_empty()
}

fn captures_enemy(before: &Game, after: &Game) -> bool {
    let enemies = |game: &Game| game.position().board().by_side(before.side().other()).len();
    enemies(after) < enemies(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_turns_or_none() {
        assert_eq!(turn_of("gold Rb7n").as_deref(), Some("Rb7n"));
        assert_eq!(turn_of("silver hd6w hc6x Ee6w").as_deref(), Some("hd6w hc6x Ee6w"));
        assert_eq!(turn_of("gold none"), None);
        assert_eq!(turn_of(""), None);
    }
}
