//! Games that an engine lost by something else than the rules.

use std::fmt;

use surus_play::EngineError;
use surus_rules::Termination;

/// What an engine did to forfeit a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What sort of fault, for counting.
    pub kind: FaultKind,
    /// The message of the error.
    pub detail: String,
}

/// The sorts of faults.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FaultKind {
    /// It used more time than it had.
    OutOfTime,
    /// It did not answer at all.
    NoAnswer,
    /// Its turn breaks the rules.
    IllegalTurn,
    /// Its answer is not a turn.
    Unreadable,
    /// It could not be started.
    NotStarted,
    /// Its process ended.
    Crashed,
    /// It wrote more than can be read.
    OutputLimitExceeded,
    /// It panicked in this process.
    Panicked,
    /// Any other error that it reported.
    Failed,
}

impl FaultKind {
    /// The termination code of the game archive.
    #[must_use]
    pub const fn reason(self) -> Termination {
        match self {
            Self::OutOfTime | Self::NoAnswer => Termination::Time,
            Self::IllegalTurn | Self::Unreadable => Termination::Illegal,
            Self::NotStarted | Self::Crashed | Self::OutputLimitExceeded | Self::Panicked | Self::Failed => {
                Termination::Forfeit
            }
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OutOfTime => "out of time",
            Self::NoAnswer => "no answer",
            Self::IllegalTurn => "illegal turn",
            Self::Unreadable => "unreadable answer",
            Self::NotStarted => "did not start",
            Self::Crashed => "crashed",
            Self::OutputLimitExceeded => "flooded its output",
            Self::Panicked => "panicked",
            Self::Failed => "failed",
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl From<&EngineError> for Fault {
    fn from(error: &EngineError) -> Self {
        let kind = match error {
            EngineError::Timeout(_) => FaultKind::NoAnswer,
            EngineError::InvalidReply(_) => FaultKind::Unreadable,
            EngineError::NotStarted(_) => FaultKind::NotStarted,
            EngineError::Crashed(_) => FaultKind::Crashed,
            EngineError::OutputLimitExceeded(_) => FaultKind::OutputLimitExceeded,
            EngineError::GameOver(_)
            | EngineError::NoLegalTurn
            | EngineError::UnsupportedLimit { .. }
            | EngineError::Failed(_) => FaultKind::Failed,
        };
        Self { kind, detail: error.to_string() }
    }
}
