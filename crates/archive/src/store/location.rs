//! The location of an archive.

use std::env;
use std::path::PathBuf;

use crate::error::ArchiveError;

/// The user data directory of Surus, if the platform defines one.
#[must_use]
pub fn data_dir() -> Option<PathBuf> {
    let dir = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = if cfg!(windows) {
        dir("APPDATA")
    } else if cfg!(target_os = "macos") {
        dir("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        dir("XDG_DATA_HOME").or_else(|| dir("HOME").map(|home| home.join(".local/share")))
    };
    base.map(|base| base.join("surus"))
}

/// The location of an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DbLocation {
    /// An SQLite file.
    Sqlite(PathBuf),
    /// The address of a PostgreSQL database.
    Postgres(String),
}

impl DbLocation {
    /// Parses a location: an address starting with postgres://, or a file.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Self::Postgres(text.into());
        }
        Self::Sqlite(text.into())
    }

    /// The archive in the user data directory.
    #[must_use]
    pub fn default_location() -> Option<Self> {
        data_dir().map(|dir| Self::Sqlite(dir.join("archive.db")))
    }

    /// Turns SQLite's error for other files into a clear one.
    pub(super) fn map_open_error(&self, error: ArchiveError) -> ArchiveError {
        match error {
            ArchiveError::Sqlite(rusqlite::Error::SqliteFailure(code, _))
                if code.code == rusqlite::ErrorCode::NotADatabase =>
            {
                ArchiveError::NotAnArchive {
                    location: self.to_string(),
                    found: "it is not an SQLite file".into(),
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
            // Hides the user and password.
            Self::Postgres(url) => match (url.find("://"), url.rfind('@')) {
                (Some(scheme), Some(at)) if at >= scheme + 3 => {
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
        let location = DbLocation::parse("postgres://me:secret@host/games");
        assert_eq!(location.to_string(), "postgres://host/games");
    }
}
