//! Why something can't be done in a game.

use surus_rules::{
    GameResult, IllegalTurn, NotationError, PieceKind, SetupError, Side, Termination, TimeControlError,
};

use crate::line::LineError;

/// What a game does not allow.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum GameError {
    #[error(transparent)]
    Control(#[from] TimeControlError),
    #[error(transparent)]
    Origin(#[from] LineError),
    #[error("the name is too long: expected at most {most} characters")]
    NameTooLong { most: usize },
    #[error("'{0}' is not a piece letter: expected one of EMHDCR")]
    HandicapLetter(char),
    #[error("{missing} pieces of the kind {kind} are left out, expected at most {most}")]
    HandicapCount { kind: PieceKind, missing: usize, most: usize },
    #[error("the game is over: {0}")]
    Over(GameResult),
    #[error("it is the turn of {0}")]
    EngineToPlay(String),
    #[error("the pieces are set up already")]
    SetUpAlready,
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error("the setup of {side} has {found} of the kind {kind}, expected {expected}")]
    SetupCount { side: Side, kind: PieceKind, found: usize, expected: usize },
    #[error(transparent)]
    Steps(#[from] StepsError),
    #[error("there is no step in that: expected a piece, a square and a direction, like Ed2n")]
    NoStep,
    #[error(transparent)]
    Illegal(#[from] IllegalTurn),
    #[error("there is no step to take back")]
    NothingToUndo,
    #[error("there is no step to take again")]
    NothingToRedo,
    #[error("there is no turn of yours to take back")]
    NothingToTakeBack,
    #[error("both sides are played by engines: nobody can resign")]
    OnlyEngines,
}

/// Words that are not the steps of a turn.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum StepsError {
    #[error("{0}: the pieces are set up already")]
    Placement(String),
    #[error(transparent)]
    Notation(#[from] NotationError),
}

/// Why a stored game can't be taken up again.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum ResumeError {
    #[error("its terms are invalid: {0}")]
    Terms(GameError),
    #[error("turn {tag} '{text}': {error}")]
    Turn { tag: String, text: String, error: IllegalTurn },
    #[error("the running turn '{text}': {error}")]
    Running { text: String, error: GameError },
    #[error("the undone steps '{text}': {error}")]
    Redo { text: String, error: StepsError },
    #[error("it is stored as ended by {stored}, but replaying it gives {}", found.map_or("no end".into(), |reason| reason.to_string()))]
    Ending { stored: Termination, found: Option<Termination> },
}
