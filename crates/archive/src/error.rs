//! Errors of the archive.

use std::io;
use std::path::PathBuf;

/// A problem with an archive or a file of games.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The archive does not exist.
    #[error("there is no archive at {0}: create one with 'surus archive import FILE --db {0}'")]
    Missing(String),
    /// The file or database belongs to something else.
    #[error("{location} is not a Surus archive: {found}")]
    NotAnArchive {
        /// The file or address.
        location: String,
        /// What was found.
        found: String,
    },
    /// Pages of the file were overwritten.
    #[error("{location} is damaged: {problem}; restore it from a backup, or import its games again")]
    Damaged {
        /// The file.
        location: String,
        /// What SQLite found.
        problem: String,
    },
    /// The archive was written by a newer version.
    #[error(
        "{location} has schema version {found}, this program supports up to {supported}: use a newer Surus (nothing was changed)"
    )]
    SchemaTooNew {
        /// The file or address.
        location: String,
        /// Its schema version.
        found: i64,
        /// The schema version of this program.
        supported: i64,
    },
    /// The archive was written by an older version and was opened for reading.
    #[error(
        "{location} has schema version {found}, this program reads version {supported}: migrate it with 'surus archive import --db {location}'"
    )]
    MigrationRequired {
        /// The file or address.
        location: String,
        /// Its schema version.
        found: i64,
        /// The schema version of this program.
        supported: i64,
    },
    /// An import ended before the indexes existed, or a migration dropped them.
    #[error(
        "the indexes of {0} are missing: run 'surus archive import --db {0}' to create them and to complete interrupted imports"
    )]
    ImportIncomplete(String),
    /// Another process is importing.
    #[error("another import into {0} is running: wait until it has finished")]
    ImportLocked(String),
    /// The user data directory is unknown.
    #[error("cannot determine the user data directory: set the option db")]
    NoDataDir,
    /// A file cannot be read or written.
    #[error("{file}: {error}")]
    Io {
        /// The file.
        file: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// A file contains no games.
    #[error(
        "{file}: {found}: expected rows of the official archive (a first line with the columns id and movelist) or game records (lines like 1g Ra1 …)"
    )]
    UnknownFormat {
        /// The file.
        file: PathBuf,
        /// What it starts with.
        found: String,
    },
    /// An SQLite error.
    #[error("SQLite: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A PostgreSQL error.
    #[error("PostgreSQL: {}", server_message(.0))]
    Postgres(#[from] postgres::Error),
    /// Stored data is invalid.
    #[error("the archive is corrupt: {0}")]
    Corrupt(String),
    /// A query is invalid.
    #[error("{0}")]
    InvalidQuery(String),
    /// The operation was cancelled.
    #[error("stopped")]
    Cancelled,
}

/// A value that is not one of an option's choices.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("invalid {what} '{found}': expected {expected}")]
pub struct ChoiceError {
    what: &'static str,
    found: String,
    expected: String,
}

impl ChoiceError {
    pub(crate) fn new(what: &'static str, found: &str, expected: impl Into<String>) -> Self {
        Self { what, found: found.into(), expected: expected.into() }
    }
}

/// The text of the library's error omits the server's message.
fn server_message(error: &postgres::Error) -> String {
    error.as_db_error().map_or_else(
        || {
            std::error::Error::source(error)
                .map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"))
        },
        ToString::to_string,
    )
}

/// The result type of the archive.
pub type Result<T> = std::result::Result<T, ArchiveError>;
