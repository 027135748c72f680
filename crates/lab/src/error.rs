//! What can go wrong in a laboratory.

use std::path::PathBuf;

/// Why an experiment can't be run.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// A file can't be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What happened.
        error: std::io::Error,
    },
    /// The settings are not what they should be.
    #[error("{name}: {problem}")]
    Settings {
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
    /// The folder of games can't be used.
    #[error(transparent)]
    Folder(#[from] surus_arena::FolderError),
    /// A finished game could not be written.
    #[error(transparent)]
    Run(#[from] surus_arena::RunError),
}
