//! Failures of conformance checks.

use std::time::Duration;

use surus_play::EngineError;
use surus_rules::{IllegalTurn, ParseGameError};

/// Why an engine failed a check.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CheckError {
    #[error(transparent)]
    NotStarted(#[from] EngineError),
    /// An error in the check itself.
    #[error(transparent)]
    Position(#[from] ParseGameError),
    /// An error in the check itself.
    #[error(transparent)]
    Turn(#[from] IllegalTurn),
    #[error("exited ({status}){log_tail}")]
    Exited { status: String, log_tail: String },
    #[error("output line too long")]
    LineTooLong,
    #[error("too much output")]
    OutputLimitExceeded,
    #[error("no {keyword} within {:.1} s", timeout.as_secs_f64())]
    Timeout { keyword: &'static str, timeout: Duration },
    #[error("no bestmove within {:.1} s of stop", timeout.as_secs_f64())]
    IgnoresStop { timeout: Duration },
    #[error("skipped, because {0} was not answered before")]
    Skipped(&'static str),
    #[error("bestmove '{answer}': {error}")]
    IllegalAnswer { answer: String, error: IllegalTurn },
    #[error("readyok only after bestmove")]
    LateReady,
    #[error("unexpected bestmove after {0}")]
    UnexpectedAnswer(&'static str),
    #[error("second bestmove after one go")]
    SecondAnswer,
    #[error("took {:.2} s of {} s without a reserve", took.as_secs_f64(), allowed.as_secs())]
    Overtime { took: Duration, allowed: Duration },
    #[error("still running after {} s", .0.as_secs())]
    StillRunning(Duration),
}
