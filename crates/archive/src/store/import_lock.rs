//! One writer at a time.

use std::fs::{File, OpenOptions, TryLockError};

use super::{ArchiveDb, Backend, DbLocation, sibling_path};
use crate::error::{ArchiveError, Result};

/// The number of our lock in a database that others may use, too; every schema has its own archive.
const LOCK: &str = "hashtext('surus ' || current_schema())::bigint";

/// The right to put games in, as long as it lives.
pub(crate) struct ImportLock<'a> {
    store: &'a ArchiveDb,
    /// SQLite knows no lock that outlives a transaction, so an empty file beside it is locked.
    file: Option<File>,
}

impl<'a> ImportLock<'a> {
    pub(super) fn new(store: &'a ArchiveDb) -> Result<Self> {
        let busy = || ArchiveError::ImportLocked(store.place.to_string());
        match &store.place {
            // Nothing else can open a database in memory.
            DbLocation::Sqlite(path) if path.as_os_str() == super::IN_MEMORY => {
                Ok(Self { store, file: None })
            }
            DbLocation::Sqlite(path) => {
                let path = sibling_path(path, "-import");
                let fail = |error| ArchiveError::Io { file: path.clone(), error };
                let file = OpenOptions::new().create(true).append(true).open(&path).map_err(fail)?;
                match file.try_lock() {
                    Ok(()) => Ok(Self { store, file: Some(file) }),
                    Err(TryLockError::WouldBlock) => Err(busy()),
                    Err(TryLockError::Error(error)) => Err(fail(error)),
                }
            }
            DbLocation::Postgres(_) => {
                let asked = store.query_scalar(&format!("SELECT pg_try_advisory_lock({LOCK})::int"), &[])?;
                if asked == 1 { Ok(Self { store, file: None }) } else { Err(busy()) }
            }
        }
    }
}

impl Drop for ImportLock<'_> {
    fn drop(&mut self) {
        match &self.store.backend {
            // The lock goes with the file.
            Backend::Sqlite(_) => drop(self.file.take()),
            // If the server has gone, so has the lock.
            Backend::Postgres(_) => {
                let _ = self.store.query(&format!("SELECT pg_advisory_unlock({LOCK})::int"), &[]);
            }
        }
    }
}
