//! A test, independent of its file format.

use surus_rules::{Board, Game, IllegalTurn, Phase, Turn};

use super::condition::Condition;
use super::error::SuiteErrorKind;

/// A position with a condition that scores the answers.
#[derive(Clone, PartialEq, Debug)]
pub struct Test {
    /// The name of its file.
    pub file: String,
    /// Its first line in the file.
    pub line: usize,
    /// Its name, unique within a suite.
    pub name: String,
    /// Tags in lower case.
    pub tags: Vec<String>,
    /// Comment of the author.
    pub comment: String,
    /// The position, with its history if the test gave a record.
    pub game: Game,
    /// The condition that scores a turn.
    pub condition: Condition,
    /// Boards that score 0 even if the condition is satisfied.
    pub avoid: Vec<Board>,
    /// A turn with full points, given by the author.
    pub solution: Option<Turn>,
}

/// Checks that there is a turn to play.
pub(crate) fn require_playable(game: Game) -> Result<Game, SuiteErrorKind> {
    match game.phase() {
        Phase::Play(_) => Ok(game),
        Phase::Setup(side) => Err(SuiteErrorKind::NotPlayable(format!("{side} has not set up its pieces"))),
        Phase::Over(ending) => Err(SuiteErrorKind::NotPlayable(format!("the game is over: {ending}"))),
    }
}

/// Plays the text of a turn; returns its steps and the resulting board.
pub(crate) fn apply_turn(
    game: &Game,
    key: &'static str,
    text: &str,
) -> Result<(Turn, Board), SuiteErrorKind> {
    let mut after = game.clone();
    let fail = |error| SuiteErrorKind::Turn { key, turn: text.trim().into(), error };
    after.play_text(text).map_err(fail)?;
    let before = game.current_turn().len();
    let turn = match after.entries().last().map(|entry| entry.played) {
        Some(surus_rules::PlayedTurn::Turn(turn)) => turn.steps().skip(before).collect(),
        _ => return Err(fail(IllegalTurn::Empty)),
    };
    Ok((turn, *after.turn_start()))
}
