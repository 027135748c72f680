//! What is wrong with a program that is checked.

use std::time::Duration;

use surus_play::EngineError;
use surus_rules::{IllegalTurn, ParseGameError};

/// Why a program failed a check.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CheckError {
    #[error(transparent)]
    NotStarted(#[from] EngineError),
    /// A mistake of the check itself.
    #[error(transparent)]
    Position(#[from] ParseGameError),
    /// A mistake of the check itself.
    #[error(transparent)]
    Turn(#[from] IllegalTurn),
    #[error("it ended by itself ({status}){last_words}")]
    Ended { status: String, last_words: String },
    #[error("it says a line without an end")]
    EndlessLine,
    #[error("it floods its output")]
    Flood,
    #[error("no {word} within {:.1} s", time.as_secs_f64())]
    Silent { word: &'static str, time: Duration },
    #[error("no bestmove within {:.1} s of stop", time.as_secs_f64())]
    IgnoresStop { time: Duration },
    #[error("not tried, because {0} was not answered before")]
    NotTried(&'static str),
    #[error("it answers '{answer}': {error}")]
    Illegal { answer: String, error: IllegalTurn },
    #[error("readyok comes only after the answer")]
    LateReady,
    #[error("it answers {0}")]
    Unasked(&'static str),
    #[error("a second bestmove follows the first")]
    SecondAnswer,
    #[error("it took {:.2} s of {} s, without a reserve", took.as_secs_f64(), allowed.as_secs())]
    Overtime { took: Duration, allowed: Duration },
    #[error("it goes on")]
    GoesOn,
    #[error("it still runs after {} s", .0.as_secs())]
    StillRuns(Duration),
}
