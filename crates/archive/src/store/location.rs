//! Where an archive is.

use std::env;
use std::path::PathBuf;

use crate::error::ArchiveError;

/// The folder for data of this program, if the system tells where such folders are.
#[must_use]
pub fn data_folder() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = if cfg!(windows) {
        folder("APPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_DATA_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/share")))
    };
    base.map(|base| base.join("surus"))
}

/// Where a store is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DbLocation {
    /// A file for SQLite.
    Sqlite(PathBuf),
    /// The address of a PostgreSQL database.
    Postgres(String),
}

impl DbLocation {
    /// Reads what `--db` says: an address that begins with postgres://, or a file.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Self::Postgres(text.into());
        }
        Self::Sqlite(text.into())
    }

    /// The file in the user's data folder, if the system tells where that is.
    #[must_use]
    pub fn default_location() -> Option<Self> {
        data_folder().map(|folder| Self::Sqlite(folder.join("archive.db")))
    }

    /// Says plainly what SQLite means by its error.
    pub(super) fn map_open_error(&self, error: ArchiveError) -> ArchiveError {
        match error {
            ArchiveError::Sqlite(rusqlite::Error::SqliteFailure(code, _))
                if code.code == rusqlite::ErrorCode::NotADatabase =>
            {
                ArchiveError::NotAnArchive {
                    location: self.to_string(),
                    found: "it is no SQLite file".into(),
                }
            }
            other => other,
        }
    }
}

impl std::fmt::Display for DbLocation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sqlite(file) => write!(f, "{}", file.display()),
            // An address may have a password in it.
            Self::Postgres(url) => match (url.find("://"), url.rfind('@')) {
                (Some(scheme), Some(at)) if scheme + 3 <= at => {
                    write!(f, "{}{}", &url[..scheme + 3], &url[at + 1..])
                }
                _ => f.write_str(url),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_shown() {
        let place = DbLocation::parse("postgres://me:secret@host/games");
        assert_eq!(place.to_string(), "postgres://host/games");
    }
}
