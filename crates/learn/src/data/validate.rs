//! Validation of a single game or decision.

use surus_record::packed::{Flags, PackedGame, PackedSample, Sample, SampleError};
use surus_rules::{Game, IllegalTurn, Position, PositionError, Rules, Score, Side, Turn, TurnTag};

use crate::labelling::tactical_flags;

/// A problem of a sample.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum RecordProblem {
    #[error(transparent)]
    Packed(#[from] SampleError),
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error("its result differs from that of its game")]
    Result,
    #[error("best turn '{turn}': {error}")]
    BestTurn { turn: Turn, error: IllegalTurn },
    #[error("flags {found:#x}, expected {expected:#x}")]
    Flags { found: u16, expected: u16 },
    #[error("its score is proven, but the other side won")]
    Proven,
    #[error("turn {next} does not follow turn {previous}")]
    Order { previous: TurnTag, next: TurnTag },
    #[error("its board differs from that after the best turn '{best}' of turn {previous}")]
    Board { previous: TurnTag, best: Turn },
    #[error("it has turn number {found}, the played turn has {expected}")]
    TurnNumber { found: u16, expected: u16 },
    #[error("the game is over or its score is proven, so it cannot be compared")]
    Decided,
    #[error("it has a best turn, flags or steps of a running turn, unlike the end of a principal variation")]
    NotALeaf,
}

/// The first problem of a game or decision.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum GameProblem {
    #[error("record {number}: {problem}")]
    Record { number: usize, problem: RecordProblem },
    #[error("a single sample: expected none, or that of the played turn and at least one other")]
    SingleSample,
    #[error("no side that decided")]
    NoSide,
}

/// Checks the samples of a game, and that each follows from the one before it.
pub(super) fn validate_game(game: &PackedGame) -> Result<(), GameProblem> {
    let mut previous: Option<Sample> = None;
    for_each_sample(game, |packed| {
        let sample = validate_record(packed, game.result)?;
        if let Some(previous) = &previous {
            validate_sequence(previous, &sample)?;
        }
        previous = Some(sample);
        Ok(())
    })
}

/// Checks a decision; see [`crate::comparison`]. Its result is the side that decided.
pub(super) fn validate_decision(decision: &PackedGame) -> Result<(), GameProblem> {
    if decision.result.is_none() {
        return Err(GameProblem::NoSide);
    }
    if decision.samples.len() == 1 {
        return Err(GameProblem::SingleSample);
    }
    let expected = decision.samples.first().map_or(0, PackedSample::turn_number);
    for_each_sample(decision, |packed| validate_leaf(packed, decision.result, expected))
}

/// Stops at the first problem.
fn for_each_sample(
    game: &PackedGame,
    mut check: impl FnMut(&PackedSample) -> Result<(), RecordProblem>,
) -> Result<(), GameProblem> {
    (1..).zip(&game.samples).try_for_each(|(number, sample)| {
        check(sample).map_err(|problem| GameProblem::Record { number, problem })
    })
}

/// Checks a sample by itself.
fn validate_record(packed: &PackedSample, result: Option<Side>) -> Result<Sample, RecordProblem> {
    packed.validate()?;
    let sample = packed.decode();
    let position = Position::new(sample.board, sample.side)?;
    if sample.result != result {
        return Err(RecordProblem::Result);
    }
    let mut game = Game::from_position(&position, u32::from(sample.turn_number), Rules::Official);
    // The rules of old games did not end a game when a side lost all rabbits. Within a turn, the board alone does not
    // determine what is legal.
    if sample.steps_left == 4 && (game.result().is_none() || !sample.flags.contains(Flags::IMPORTED)) {
        game.play(&sample.best_turn)
            .map_err(|error| RecordProblem::BestTurn { turn: sample.best_turn, error })?;
        let tactical = [Flags::QUIET, Flags::GOAL_THREAT, Flags::CAPTURE_AVAILABLE];
        let expected = tactical_flags(&position, sample.score, &sample.best_turn);
        if tactical.iter().any(|flag| expected.contains(*flag) != sample.flags.contains(*flag)) {
            return Err(RecordProblem::Flags { found: sample.flags.bits(), expected: expected.bits() });
        }
    }
    // A proven win ends a game of self-play; people may still lose it.
    let winner = match sample.score {
        Score::Win { .. } => Some(sample.side),
        Score::Loss { .. } => Some(sample.side.other()),
        Score::Centirabbits(_) => None,
    };
    if winner.is_some() && winner != result && !sample.flags.contains(Flags::IMPORTED) {
        return Err(RecordProblem::Proven);
    }
    Ok(sample)
}

/// Checks that a sample follows from the previous one of the game.
fn validate_sequence(previous: &Sample, next: &Sample) -> Result<(), RecordProblem> {
    let tag = |sample: &Sample| TurnTag { number: u32::from(sample.turn_number), side: sample.side };
    let [earlier, later] = [previous, next].map(tag);
    let imported = next.flags.contains(Flags::IMPORTED);
    let follows = if imported {
        (earlier.number, earlier.side as u8) < (later.number, later.side as u8)
    } else {
        earlier.next() == later
    };
    if !follows {
        return Err(RecordProblem::Order { previous: earlier, next: later });
    }
    let best_was_played = !imported && !previous.flags.contains(Flags::RANDOM_TURN);
    let after = || previous.best_turn.steps().fold(previous.board, |board, step| board.after_step(step));
    if best_was_played && after() != next.board {
        return Err(RecordProblem::Board { previous: earlier, best: previous.best_turn });
    }
    Ok(())
}

/// Checks a leaf of a decision: an undecided position at the start of a turn, without a label of its own.
fn validate_leaf(packed: &PackedSample, result: Option<Side>, turn_number: u16) -> Result<(), RecordProblem> {
    packed.validate()?;
    let sample = packed.decode();
    let position = Position::new(sample.board, sample.side)?;
    if sample.result != result {
        return Err(RecordProblem::Result);
    }
    if sample.turn_number != turn_number {
        return Err(RecordProblem::TurnNumber { found: sample.turn_number, expected: turn_number });
    }
    if sample.best_turn != Turn::EMPTY || sample.flags != Flags::NONE || sample.steps_left != 4 {
        return Err(RecordProblem::NotALeaf);
    }
    let game = Game::from_position(&position, u32::from(turn_number), Rules::Official);
    if game.result().is_some() || sample.score.is_proven() {
        return Err(RecordProblem::Decided);
    }
    Ok(())
}
