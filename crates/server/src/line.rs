//! From a line that a client sends to a game.

use surus_rules::{
    Board, Game, Handicap, IllegalTurn, Position, PositionError, Rules, TurnTag, UnknownRules,
};

use crate::live::{StepsError, steps_of};
use crate::wire::{Line, Origin};

/// More than this no game has.
const MOST_TURNS: usize = 2000;

/// Why a line can't be followed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum LineError {
    #[error("'{0}' is no turn: expected a number and a side, like 2g")]
    Tag(String),
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error(transparent)]
    Rules(#[from] UnknownRules),
    #[error("the line has {0} turns, expected at most {MOST_TURNS}")]
    TooLong(usize),
    #[error("{tag}: {error}")]
    Turn { tag: TurnTag, error: IllegalTurn },
    #[error(transparent)]
    Steps(#[from] StepsError),
    #[error(transparent)]
    Step(#[from] IllegalTurn),
}

/// The game that begins at an origin, or with the setups.
pub(crate) fn begin(origin: Option<&Origin>, rules: Rules, handicap: Handicap) -> Result<Game, LineError> {
    let Some(Origin { board, tag }) = origin else { return Ok(Game::new(rules, handicap)) };
    let tag = TurnTag::parse(tag).ok_or_else(|| LineError::Tag(tag.chars().take(20).collect()))?;
    let board = Board::from_compact(board)?;
    if board.occupied().is_empty() {
        return Ok(Game::new(rules, handicap));
    }
    let position = Position::new(board, tag.side)?;
    Ok(Game::from_position(&position, tag.number, rules))
}

/// The game at the end of a line. Handicaps are accepted: whoever looks at a game has not agreed on one.
pub(crate) fn follow(line: &Line) -> Result<Game, LineError> {
    if MOST_TURNS < line.turns.len() {
        return Err(LineError::TooLong(line.turns.len()));
    }
    let rules = match line.rules.as_str() {
        "" => Rules::Official,
        name => name.parse()?,
    };
    let mut game = begin(line.origin.as_ref(), rules, Handicap::Allowed)?;
    for turn in &line.turns {
        let tag = game.tag();
        game.play_text(turn).map_err(|error| LineError::Turn { tag, error })?;
    }
    for step in steps_of(&line.steps)? {
        game.step(step)?;
    }
    Ok(game)
}
