//! Errors of experiments, and files of JSON.

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use surus_record::journal::replace_file;

/// An experiment that can't be run.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// A file can't be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// The configuration is invalid.
    #[error("{name}: {problem}")]
    Config {
        /// The file.
        name: String,
        /// The cause, with the line where there is one.
        problem: String,
    },
    /// An engine can't be created, configured or asked for a turn.
    #[error("engine '{engine}': {problem}")]
    Engine {
        /// The engine as it was named.
        engine: String,
        /// The cause.
        problem: String,
    },
    /// The results in a file are from another revision of an engine.
    #[error(
        "{} has results of {before}, which cannot be continued with {now}: choose another directory",
        path.display()
    )]
    Revision {
        /// The file.
        path: PathBuf,
        /// Engine ids in the file.
        before: String,
        /// Engine ids of this run.
        now: String,
    },
    /// A file does not contain the expected JSON.
    #[error("{}: {error}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: serde_json::Error,
    },
    /// A journal can't be used.
    #[error(transparent)]
    Journal(#[from] surus_record::journal::JournalError),
    /// The directory of games can't be used.
    #[error(transparent)]
    RunDir(#[from] surus_arena::RunDirError),
    /// A match can't be played.
    #[error(transparent)]
    Contest(#[from] surus_arena::ContestError),
    /// Ordering models cannot be trained or evaluated.
    #[error(transparent)]
    Ordering(#[from] surus_learn::ordering::OrderingError),
    /// A finished game could not be written.
    #[error(transparent)]
    Tournament(#[from] surus_arena::TournamentError),
}

impl LabError {
    /// Maps an I/O error of `path`.
    pub(crate) fn file(path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::Io { path: path.into(), error }
    }

    /// Maps a JSON error of `path`.
    pub(crate) fn json(path: &Path) -> impl Fn(serde_json::Error) -> Self {
        move |error| Self::Json { path: path.into(), error }
    }
}

/// Reads a JSON file; `None` if it does not exist.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, LabError> {
    match std::fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(LabError::json(path)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(LabError::file(path)(error)),
    }
}

/// Replaces a JSON file atomically.
pub(crate) fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), LabError> {
    let bytes = serde_json::to_vec(value).map_err(LabError::json(path))?;
    replace_file(path, &bytes).map_err(LabError::file(path))
}
