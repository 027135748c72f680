//! Replaying a line of play that a client sends.

use surus_rules::{
    Board, Game, Handicap, IllegalTurn, Position, PositionError, Rules, TurnTag, UnknownRules,
};

use crate::api::{PlayedLine, StartPosition};
use crate::game::{StepsError, parse_steps};

/// Longer lines are rejected.
const MAX_TURNS: usize = 2000;

/// The part of an invalid tag that the error quotes, in characters.
const QUOTED_TAG_LEN: usize = 20;

/// Why a line cannot be replayed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum ReplayError {
    #[error("invalid turn '{0}': expected a number and a side, like 2g")]
    Tag(String),
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error(transparent)]
    Rules(#[from] UnknownRules),
    #[error("the line has {0} turns, expected at most {MAX_TURNS}")]
    TooLong(usize),
    #[error("{tag}: {error}")]
    Turn { tag: TurnTag, error: IllegalTurn },
    #[error(transparent)]
    Steps(#[from] StepsError),
    #[error(transparent)]
    Step(#[from] IllegalTurn),
}

/// A new game, from a position or with setups.
pub(crate) fn start_game(
    start: Option<&StartPosition>,
    rules: Rules,
    handicap: Handicap,
) -> Result<Game, ReplayError> {
    let Some(StartPosition { board, tag }) = start else { return Ok(Game::new(rules, handicap)) };
    let tag = TurnTag::parse(tag).ok_or_else(|| ReplayError::Tag(quoted_tag(tag)))?;
    let board = Board::from_compact(board)?;
    if board.occupied().is_empty() {
        return Ok(Game::new(rules, handicap));
    }
    let position = Position::new(board, tag.side)?;
    Ok(Game::from_position(&position, tag.number, rules))
}

/// The part of a tag that an error quotes.
pub(crate) fn quoted_tag(tag: &str) -> String {
    tag.chars().take(QUOTED_TAG_LEN).collect()
}

/// Plays complete turns.
pub(crate) fn play_turns(game: &mut Game, turns: &[String]) -> Result<(), ReplayError> {
    if turns.len() > MAX_TURNS {
        return Err(ReplayError::TooLong(turns.len()));
    }
    for turn in turns {
        let tag = game.tag();
        game.play_text(turn).map_err(|error| ReplayError::Turn { tag, error })?;
    }
    Ok(())
}

/// The game at the end of a line. Setups with missing pieces are accepted, because a line has no agreed handicap.
pub(crate) fn replay_line(line: &PlayedLine) -> Result<Game, ReplayError> {
    let rules = match line.rules.as_str() {
        "" => Rules::Official,
        name => name.parse()?,
    };
    let mut game = start_game(line.start.as_ref(), rules, Handicap::Allowed)?;
    if let Some(steps) = line.steps_left {
        game = game.with_steps_left(steps);
    }
    play_turns(&mut game, &line.turns)?;
    for step in parse_steps(&line.steps)? {
        game.step(step)?;
    }
    Ok(game)
}
