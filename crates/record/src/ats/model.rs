//! One test, whatever form it was written in.

use surus_rules::{Board, Game, IllegalTurn, Phase, Turn};

use super::condition::Condition;
use super::error::Problem;

/// A position, a question, and what the answers are worth.
#[derive(Clone, PartialEq, Debug)]
pub struct Test {
    /// The file it stands in.
    pub file: String,
    /// Where in the file it begins.
    pub line: usize,
    /// What it is called; no two tests of a suite have the same name.
    pub name: String,
    /// What it is about.
    pub tags: Vec<String>,
    /// What its author says of it.
    pub comment: String,
    /// The position, with its history if the test gave a record.
    pub game: Game,
    /// What is asked for.
    pub condition: Condition,
    /// Boards that are worth nothing, whatever the condition says.
    pub avoid: Vec<Board>,
    /// A turn that its author knows to be right.
    pub solution: Option<Turn>,
}

/// Whether there is anything to play in a game.
pub(crate) fn playable(game: Game) -> Result<Game, Problem> {
    match game.phase() {
        Phase::Play(_) => Ok(game),
        Phase::Setup(side) => Err(Problem::NothingToPlay(format!("{side} has yet to set up its pieces"))),
        Phase::Over(ending) => Err(Problem::NothingToPlay(format!("the game is over: {ending}"))),
    }
}

/// Plays a turn's text in a test's game: its steps, and the board it leads to.
pub(crate) fn played(game: &Game, key: &'static str, text: &str) -> Result<(Turn, Board), Problem> {
    let mut after = game.clone();
    let fail = |error| Problem::Turn { key, turn: text.trim().into(), error };
    after.play_text(text).map_err(fail)?;
    let before = game.current_turn().len();
    let turn = match after.entries().last().map(|entry| entry.played) {
        Some(surus_rules::PlayedTurn::Turn(turn)) => turn.steps().skip(before).collect(),
        _ => return Err(fail(IllegalTurn::Empty)),
    };
    Ok((turn, *after.turn_start()))
}
