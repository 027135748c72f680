//! Errors of games in progress and of stored games.

use surus_rules::{
    GameResult, IllegalTurn, NotationError, PieceKind, SetupError, Side, Termination, TimeControlError,
};

use crate::replay::ReplayError;

/// Why a game cannot be created or changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum GameError {
    #[error(transparent)]
    TimeControl(#[from] TimeControlError),
    #[error(transparent)]
    Start(#[from] ReplayError),
    #[error("the name is too long: expected at most {max} characters")]
    NameTooLong { max: usize },
    #[error("invalid piece letter '{0}': expected one of EMHDCR")]
    HandicapLetter(char),
    #[error("invalid handicap: {missing} missing pieces of kind {kind}, expected at most {max}")]
    HandicapCount { kind: PieceKind, missing: usize, max: usize },
    #[error("the game is over: {0}")]
    Over(GameResult),
    #[error("it is {0}'s turn")]
    EngineToMove(String),
    #[error("the pieces are already set up")]
    AlreadySetUp,
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error("invalid setup for {side}: {found} pieces of kind {kind}, expected {expected}")]
    SetupCount { side: Side, kind: PieceKind, found: usize, expected: usize },
    #[error(transparent)]
    Steps(#[from] StepsError),
    #[error("no step given: expected a piece, a square and a direction, like Ed2n")]
    NoStep,
    #[error(transparent)]
    Illegal(#[from] IllegalTurn),
    #[error("there is no step to undo")]
    NothingToUndo,
    #[error("there is no step to redo")]
    NothingToRedo,
    #[error("there is no turn of yours to take back")]
    NothingToTakeBack,
    #[error("there is no hint here: expected a turn to be played")]
    NoHint,
    #[error("both sides are played by engines, which cannot be made to resign")]
    OnlyEngines,
}

/// Why a text is not a sequence of steps.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum StepsError {
    #[error("{0}: the pieces are already set up")]
    Placement(String),
    #[error(transparent)]
    Notation(#[from] NotationError),
}

/// Why a stored game cannot be restored.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum RestoreError {
    #[error("invalid configuration: {0}")]
    Config(GameError),
    #[error("turn {tag} '{text}': {error}")]
    Turn { tag: String, text: String, error: IllegalTurn },
    #[error("the current turn '{text}': {error}")]
    CurrentTurn { text: String, error: GameError },
    #[error("the undone steps '{text}': {error}")]
    Redo { text: String, error: StepsError },
    #[error(
        "the stored result is {stored}, but replaying gives {}",
        found.map_or("an unfinished game".into(), |reason| reason.to_string())
    )]
    Result { stored: Termination, found: Option<Termination> },
}
