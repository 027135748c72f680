//! The import lock: one writer at a time.

use std::fs::{File, OpenOptions, TryLockError};

use super::{ArchiveDb, Backend, DbLocation, sibling_path};
use crate::error::{ArchiveError, Result};

/// The key of the advisory lock; every schema has its own archive.
const LOCK: &str = "hashtext('surus ' || current_schema())::bigint";

/// Allows imports while it is held.
pub(crate) struct ImportLock<'a> {
    store: &'a ArchiveDb,
    /// SQLite has no lock that outlives a transaction, so an empty file next to the database is locked.
    file: Option<File>,
}

impl<'a> ImportLock<'a> {
    pub(super) fn new(store: &'a ArchiveDb) -> Result<Self> {
        let busy = || ArchiveError::ImportLocked(store.location.to_string());
        match &store.location {
            // An in-memory database has no other users.
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
                let locked = store.query_scalar(&format!("SELECT pg_try_advisory_lock({LOCK})::int"), &[])?;
                if locked == 1 { Ok(Self { store, file: None }) } else { Err(busy()) }
            }
        }
    }
}

impl Drop for ImportLock<'_> {
    fn drop(&mut self) {
        match &self.store.backend {
            // Closing the file releases the lock.
            Backend::Sqlite(_) => drop(self.file.take()),
            // If the connection is lost, the lock is gone as well.
            Backend::Postgres(_) => {
                let _ = self.store.query(&format!("SELECT pg_advisory_unlock({LOCK})::int"), &[]);
            }
        }
    }
}
