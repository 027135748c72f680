//! What can go wrong with a store and its files.

use std::io;
use std::path::PathBuf;

/// A problem with a store or a file of games.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// No store there.
    #[error("there is no archive at {0}: make one with 'surus archive import FILE --store {0}'")]
    Missing(String),
    /// A file or database of something else.
    #[error("{place} is no archive of Surus: {found}")]
    Foreign {
        /// The file or address.
        place: String,
        /// What it is instead.
        found: String,
    },
    /// Made by a later program.
    #[error(
        "{place} has version {found}, this program knows up to {known}: use a newer Surus; nothing was changed"
    )]
    Newer {
        /// The file or address.
        place: String,
        /// Its version.
        found: i64,
        /// The version of this program.
        known: i64,
    },
    /// Made by an earlier program, and asked by one that may not write.
    #[error(
        "{place} has version {found}, this program reads version {known}: 'surus archive import --store {place}' brings it up to date"
    )]
    Older {
        /// The file or address.
        place: String,
        /// Its version.
        found: i64,
        /// The version of this program.
        known: i64,
    },
    /// An import was stopped before the indexes were there, or a newer program wants others.
    #[error(
        "the indexes of {0} are not made yet: 'surus archive import --store {0}' makes them, and goes on with files that were not finished"
    )]
    Unfinished(String),
    /// Somebody else puts games in.
    #[error("another import into {0} is running: wait until it has ended")]
    Busy(String),
    /// The system has no directory for the data of users.
    #[error("cannot determine the user data directory: set the option store")]
    NoDataFolder,
    /// A file that can't be read.
    #[error("{file}: {error}")]
    File {
        /// Which.
        file: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file that holds no games.
    #[error(
        "{file}: {found}: expected rows of the official archive (a first line with the columns id and movelist) or game records (lines like 1g Ra1 …)"
    )]
    NoArchive {
        /// Which.
        file: PathBuf,
        /// What it begins with.
        found: String,
    },
    /// SQLite said no.
    #[error("SQLite: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// PostgreSQL said no.
    #[error("PostgreSQL: {}", told(.0))]
    Postgres(#[from] postgres::Error),
    /// Something in the store is not what was put there.
    #[error("the archive is damaged: {0}")]
    Damaged(String),
    /// A question that has no sense.
    #[error("{0}")]
    Asked(String),
    /// Somebody stopped it.
    #[error("stopped")]
    Stopped,
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
fn told(error: &postgres::Error) -> String {
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
