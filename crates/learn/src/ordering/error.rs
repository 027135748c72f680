//! Errors of training and evaluation.

use surus_record::packed::PackedFileError;

/// An error of training or evaluation.
#[derive(Debug, thiserror::Error)]
pub enum OrderingError {
    /// A data file cannot be read.
    #[error(transparent)]
    File(#[from] PackedFileError),
    /// A file has comparisons of search results, not games.
    #[error("{0}: a file of comparisons: expected self-play games or a file of `surus learn positions`")]
    Comparisons(String),
    /// No decision is left.
    #[error("the files have no decisions: check the filters of `surus learn positions`")]
    NoDecisions,
    /// A split leaves a part without games.
    #[error(
        "{found} games cannot be split into {parts} parts: expected at least {parts} games; add data or reduce the parts"
    )]
    TooFewGames {
        /// The number of games.
        found: usize,
        /// The number of parts.
        parts: usize,
    },
    /// All candidates were played, or none.
    #[error("the training positions have no {0}: a model needs both; add games with free choices")]
    SingleClass(&'static str),
    /// The selected groups have no features.
    #[error("no feature is selected: choose at least one group of `surus learn features`")]
    NoFeatures,
    /// Interrupted.
    #[error("stopped; nothing was written")]
    Stopped,
}
