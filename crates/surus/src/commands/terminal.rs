//! A game in the terminal.

use std::io::{self, BufRead, Write};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use surus_play::{Answer, Engine, Job, Limits, Random, StopToken, TimeBudget, standard_setup};
use surus_rules::{Game, GameResult, Phase, Rules, Setup, Side, Termination, Token};

use super::terminal_board;
use crate::input;
use crate::shutdown::Shutdown;

const HELP: &str = "\
  Ed2n Ed3n   play steps: piece, square, direction (n e s w); short form Ed2nn
  Enter       end your turn
  undo        undo the last step               takeback  take back your last turn
  steps       list the legal steps             hint      show the engine's choice
  board       redraw the board                 record    print the game record
  save FILE   save the game record             resign, quit";

const SETUP_HELP: &str = "\
  standard              the standard setup
  random                a random setup
  HDCMECDH RRRRRRRR     front row, then back row, from file a to h
  Ra1 Rb1 …             sixteen placements
  quit";

/// The effect of an input line.
enum PromptAction {
    /// Nothing changed: prompt again.
    Reprompt,
    /// The board changed: redraw it.
    Redraw,
    /// Leave the game.
    Quit,
}

/// Plays until the game is over or the player quits.
pub(crate) fn play(
    mut engine: Box<dyn Engine>,
    human: Side,
    position: Option<&str>,
    time: Duration,
) -> Result<()> {
    let mut game = match position {
        None => Game::default(),
        Some(file) => Game::from_text(&input::read(file)?, Rules::Official)
            .with_context(|| input::name_of(file).to_string())?,
    };
    // There is nothing to finish, so a signal exits at once.
    Shutdown::install()?;
    engine.new_game();
    let name = engine.id().name;
    let mut out = anstream::stdout();
    writeln!(out, "You play {human} against {name}. Type help for a list of commands.\n")?;
    let mut lines = io::stdin().lock().lines();
    let mut draw = true;
    loop {
        if std::mem::replace(&mut draw, false) {
            writeln!(out, "{}", terminal_board::draw(&game, human))?;
        }
        match game.phase() {
            Phase::Over(ending) => return conclude(&mut out, &game, ending, human),
            Phase::Setup(side) | Phase::Play(side) if side != human => {
                engine_turn(&mut out, engine.as_mut(), &mut game, time)?;
                draw = true;
                continue;
            }
            Phase::Setup(_) => writeln!(out, "Set up your pieces: standard, random, or help.")?,
            Phase::Play(_) => {}
        }
        write!(out, "{} {}> ", game.tag(), terminal_board::steps_so_far(&game))?;
        out.flush()?;
        let Some(line) = lines.next().transpose()? else {
            writeln!(out)?;
            return Ok(());
        };
        match handle_line(&mut out, line.trim(), &mut game, engine.as_mut(), time)? {
            PromptAction::Reprompt => {}
            PromptAction::Redraw => draw = true,
            PromptAction::Quit => return Ok(()),
        }
    }
}

/// A job with a fixed time, because a human waits for the answer.
fn timed(game: &Game, time: Duration) -> Job {
    let time = Some(TimeBudget::fixed(time));
    Job { stop: StopToken::after(time), ..Job::limited(game.clone(), Limits { time, ..Limits::default() }) }
}

fn conclude(out: &mut impl Write, game: &Game, ending: GameResult, human: Side) -> Result<()> {
    let turns = game.entries().len();
    let verdict = match ending.winner {
        Some(winner) if winner == human => "You win",
        Some(_) => "You lose",
        None => "Draw",
    };
    writeln!(out, "{verdict}: {ending}, after {} turn{}.", turns, if turns == 1 { "" } else { "s" })?;
    Ok(())
}

fn engine_turn(out: &mut impl Write, engine: &mut dyn Engine, game: &mut Game, time: Duration) -> Result<()> {
    let tag = game.tag();
    match engine.think(&timed(game, time), &mut |_| {})? {
        Answer::Turn(turn) => {
            writeln!(out, "{tag} {}\n", game.position().board().notation(&turn))?;
            game.play(&turn)?;
        }
        Answer::Setup(setup) => {
            writeln!(out, "{tag} {setup}\n")?;
            game.play_setup(setup)?;
        }
        Answer::Resign => game.end(GameResult::win(tag.side.other(), Termination::Resignation)),
    }
    Ok(())
}

fn handle_line(
    out: &mut impl Write,
    line: &str,
    game: &mut Game,
    engine: &mut dyn Engine,
    time: Duration,
) -> Result<PromptAction> {
    let setting_up = matches!(game.phase(), Phase::Setup(_));
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match word.to_ascii_lowercase().as_str() {
        "quit" | "exit" | "q" => return Ok(PromptAction::Quit),
        "help" | "h" | "?" => writeln!(out, "{}", if setting_up { SETUP_HELP } else { HELP })?,
        "record" => writeln!(out, "{game}")?,
        "save" => save(out, rest.trim(), game)?,
        "board" => return Ok(PromptAction::Redraw),
        _ if setting_up => return set_up(out, line, game),
        "" | "end" => match game.end_turn() {
            Ok(()) => return Ok(PromptAction::Redraw),
            Err(error) => writeln!(out, "Cannot end the turn: {error}.")?,
        },
        "undo" | "u" => match game.undo_step() {
            Some(_) => return Ok(PromptAction::Redraw),
            None => writeln!(out, "There is no step to undo.")?,
        },
        "takeback" | "back" => return take_back(out, game),
        "resign" => {
            game.end(GameResult::win(game.side().other(), Termination::Resignation));
            return Ok(PromptAction::Redraw);
        }
        "steps" => {
            let mut steps = Vec::new();
            game.position().for_each_step(|step, _| steps.push(step.to_string()));
            writeln!(out, "{}", steps.join(" "))?;
        }
        "hint" => match engine.think(&timed(game, time), &mut |_| {}) {
            Ok(Answer::Turn(turn)) => writeln!(out, "{}", game.position().board().notation(&turn))?,
            Ok(_) => writeln!(out, "The engine would resign.")?,
            Err(error) => writeln!(out, "{error}")?,
        },
        _ => return play_steps(out, line, game),
    }
    Ok(PromptAction::Reprompt)
}

fn save(out: &mut impl Write, file: &str, game: &Game) -> Result<()> {
    match file {
        "" => writeln!(out, "Usage: save FILE")?,
        file => match std::fs::write(file, format!("{game}\n")) {
            Ok(()) => writeln!(out, "Saved to {file}.")?,
            Err(error) => writeln!(out, "Cannot write {file}: {error}.")?,
        },
    }
    Ok(())
}

fn set_up(out: &mut impl Write, line: &str, game: &mut Game) -> Result<PromptAction> {
    let side = game.side();
    let words: Vec<&str> = line.split_whitespace().collect();
    let setup = match words[..] {
        [] => return Ok(PromptAction::Reprompt),
        ["standard"] => standard_setup(side).context("the standard setup is valid")?,
        ["random"] => random_setup(side, game)?,
        [front, back] if front.len() == 8 && back.len() == 8 => match Setup::from_rows(side, front, back) {
            Ok(setup) => setup,
            Err(error) => {
                writeln!(out, "Invalid setup: {error}.")?;
                return Ok(PromptAction::Reprompt);
            }
        },
        _ => {
            return match game.play_text(line) {
                Ok(()) => Ok(PromptAction::Redraw),
                Err(error) => {
                    writeln!(out, "Invalid setup: {error}.")?;
                    Ok(PromptAction::Reprompt)
                }
            };
        }
    };
    game.play_setup(setup)?;
    Ok(PromptAction::Redraw)
}

fn random_setup(side: Side, game: &Game) -> Result<Setup> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.subsec_nanos());
    let mut random = Random::default();
    random.set_option("seed", &now.to_string())?;
    match random.think(&Job::new(game.clone()), &mut |_| {})? {
        Answer::Setup(setup) => Ok(setup),
        Answer::Turn(_) | Answer::Resign => standard_setup(side).context("the standard setup is valid"),
    }
}

/// Takes back the engine's turn and the player's turn before it.
fn take_back(out: &mut impl Write, game: &mut Game) -> Result<PromptAction> {
    let turns = game.entries().len();
    if turns < 4 {
        writeln!(out, "There is no turn to take back.")?;
        return Ok(PromptAction::Reprompt);
    }
    game.undo_turn();
    game.undo_turn();
    Ok(PromptAction::Redraw)
}

/// Plays the steps of a line up to the first illegal one.
fn play_steps(out: &mut impl Write, line: &str, game: &mut Game) -> Result<PromptAction> {
    let mut changed = false;
    for word in line.split_whitespace().flat_map(Token::expand_shorthand) {
        let taken = match word.parse() {
            Ok(Token::Step(step)) => game.step(step).map_err(|error| error.to_string()),
            Ok(Token::Capture(..)) => Ok(()),
            Ok(Token::Placement(..)) => Err(format!("{word}: both sides have set up their pieces")),
            Err(error) => Err(error.to_string()),
        };
        if let Err(error) = taken {
            writeln!(out, "Illegal step {error}.")?;
            break;
        }
        changed = true;
    }
    Ok(if changed { PromptAction::Redraw } else { PromptAction::Reprompt })
}
