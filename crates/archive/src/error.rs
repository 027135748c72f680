//! What can go wrong with a store and its files.

use std::io;
use std::path::PathBuf;

/// A problem with a store or a file of games.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// No store there.
    #[error("there is no archive at {0}: make one with 'surus archive import FILE --db {0}'")]
    Missing(String),
    /// A file or database of something else.
    #[error("{location} is not a Surus archive: {found}")]
    NotAnArchive {
        /// The file or address.
        location: String,
        /// What it is instead.
        found: String,
    },
    /// Made by a later program.
    #[error(
        "{location} has schema version {found}, this program supports up to {supported}: use a newer Surus (nothing was changed)"
    )]
    SchemaTooNew {
        /// The file or address.
        location: String,
        /// Its version.
        found: i64,
        /// The version of this program.
        supported: i64,
    },
    /// Made by an earlier program, and asked by one that may not write.
    #[error(
        "{location} has schema version {found}, this program reads version {supported}: migrate it with 'surus archive import --db {location}'"
    )]
    MigrationRequired {
        /// The file or address.
        location: String,
        /// Its version.
        found: i64,
        /// The version of this program.
        supported: i64,
    },
    /// An import was stopped before the indexes were there, or a newer program wants others.
    #[error(
        "the indexes of {0} are not made yet: 'surus archive import --db {0}' makes them, and goes on with files that were not finished"
    )]
    ImportIncomplete(String),
    /// Somebody else puts games in.
    #[error("another import into {0} is running: wait until it has ended")]
    ImportLocked(String),
    /// The system has no directory for the data of users.
    #[error("cannot determine the user data directory: set the option store")]
    NoDataFolder,
    /// A file that can't be read.
    #[error("{file}: {error}")]
    Io {
        /// Which.
        file: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file that holds no games.
    #[error(
        "{file}: {found}: expected rows of the official archive (a first line with the columns id and movelist) or game records (lines like 1g Ra1 …)"
    )]
    UnknownFormat {
        /// Which.
        file: PathBuf,
        /// What it begins with.
        found: String,
    },
    /// SQLite said no.
    #[error("SQLite: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// PostgreSQL said no.
    #[error("PostgreSQL: {}", server_message(.0))]
    Postgres(#[from] postgres::Error),
    /// Something in the store is not what was put there.
    #[error("the archive is damaged: {0}")]
    Corrupt(String),
    /// A question that has no sense.
    #[error("{0}")]
    InvalidQuery(String),
    /// Somebody stopped it.
    #[error("stopped")]
    Cancelled,
}

/// A word that is none of those an option takes.
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

/// The library's own text leaves out what the server said.
fn server_message(error: &postgres::Error) -> String {
    error.as_db_error().map_or_else(
        || {
            std::error::Error::source(error)
                .map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"))
        },
        ToString::to_string,
    )
}

/// What comes back from a store.
pub type Result<T> = std::result::Result<T, ArchiveError>;
