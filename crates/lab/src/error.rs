//! What can go wrong in a laboratory.

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use surus_record::journal::replace_file;

/// Why an experiment can't be run.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// A file can't be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// The settings are not what they should be.
    #[error("{name}: {problem}")]
    Config {
        /// The file.
        name: String,
        /// What is wrong, with its line.
        problem: String,
    },
    /// An engine of the settings can't be had.
    #[error("engine '{engine}': {problem}")]
    Engine {
        /// How it was asked for.
        engine: String,
        /// What is wrong.
        problem: String,
    },
    /// A file of results was made by another revision of an engine.
    #[error(
        "{} has results of {before}, which cannot be continued with {now}: choose another directory",
        path.display()
    )]
    Revision {
        /// Which file.
        path: PathBuf,
        /// The ids of the engines there.
        before: String,
        /// The ids of the engines now.
        now: String,
    },
    /// A file of results can't be read or written.
    #[error("{}: {error}", path.display())]
    Json {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// A journal can't be used.
    #[error(transparent)]
    Journal(#[from] surus_record::journal::JournalError),
    /// The folder of games can't be used.
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
    /// For a file that can't be read or written.
    pub(crate) fn file(path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::Io { path: path.into(), error }
    }

    /// For a file that is not the JSON it should be.
    pub(crate) fn json(path: &Path) -> impl Fn(serde_json::Error) -> Self {
        move |error| Self::Json { path: path.into(), error }
    }
}

/// Reads a file of JSON; nothing if there is no such file.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, LabError> {
    match std::fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(LabError::json(path)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(LabError::file(path)(error)),
    }
}

/// Replaces a file of JSON.
pub(crate) fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), LabError> {
    let bytes = serde_json::to_vec(value).map_err(LabError::json(path))?;
    replace_file(path, &bytes).map_err(LabError::file(path))
}
