//! From a line that a client tells to a game.

use surus_rules::{Board, Game, Handicap, Position, Rules, TurnTag};

use crate::live::steps_of;
use crate::wire::{Line, Origin};

/// More than this no game has.
const MOST_TURNS: usize = 2000;

/// The game that begins at an origin, or with the setups.
pub(crate) fn begin(origin: Option<&Origin>, rules: Rules, handicap: Handicap) -> Result<Game, String> {
    let Some(Origin { board, tag }) = origin else { return Ok(Game::new(rules, handicap)) };
    let tag = TurnTag::parse(tag)
        .ok_or_else(|| format!("'{tag}' is no turn: expected a number and a side, like 2g"))?;
    let board = Board::from_compact(board).map_err(|error| error.to_string())?;
    if board.occupied().is_empty() {
        return Ok(Game::new(rules, handicap));
    }
    let position = Position::new(board, tag.side).map_err(|error| error.to_string())?;
    Ok(Game::from_position(&position, tag.number, rules))
}

/// The game at the end of a line. Handicaps are accepted: whoever looks at a game has not agreed on one.
pub(crate) fn follow(line: &Line) -> Result<Game, String> {
    if MOST_TURNS < line.turns.len() {
        return Err(format!("the line has {} turns, expected at most {MOST_TURNS}", line.turns.len()));
    }
    let rules = match line.rules.as_str() {
        "" => Rules::Official,
        name => name.parse().map_err(|error: surus_rules::UnknownRules| error.to_string())?,
    };
    let mut game = begin(line.origin.as_ref(), rules, Handicap::Allowed)?;
    for turn in &line.turns {
        game.play_text(turn).map_err(|error| format!("{}: {error}", game.tag()))?;
    }
    for step in steps_of(&line.steps)? {
        game.step(step).map_err(|error| error.to_string())?;
    }
    Ok(game)
}
