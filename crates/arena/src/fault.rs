//! Faults of engines that forfeit a game.

use std::fmt;

use surus_play::EngineError;
use surus_rules::Termination;

/// The fault by which an engine forfeited a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The kind, for statistics.
    pub kind: FaultKind,
    /// The error message.
    pub detail: String,
}

/// Kinds of faults.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FaultKind {
    /// It exceeded its time.
    OutOfTime,
    /// It did not answer.
    NoAnswer,
    /// Its turn is illegal.
    IllegalTurn,
    /// Its answer cannot be parsed.
    Unreadable,
    /// It could not be started.
    NotStarted,
    /// Its process exited.
    Crashed,
    /// It exceeded the output limit.
    OutputLimitExceeded,
    /// It panicked in this process.
    Panicked,
    /// Any other error.
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
            Self::OutputLimitExceeded => "output limit exceeded",
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
