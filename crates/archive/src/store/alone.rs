//! One writer at a time.

use std::fs::{File, OpenOptions, TryLockError};

use super::{Backend, Place, Store, beside};
use crate::error::{ArchiveError, Result};

/// The number of our lock in a database that others may use, too; every schema has its own archive.
const LOCK: &str = "hashtext('surus ' || current_schema())::bigint";

/// The right to put games in, as long as it lives.
pub(crate) struct Alone<'a> {
    store: &'a Store,
    /// SQLite knows no lock that outlives a transaction, so an empty file beside it is locked.
    file: Option<File>,
}

impl<'a> Alone<'a> {
    pub(super) fn new(store: &'a Store) -> Result<Self> {
        let busy = || ArchiveError::Busy(store.place.to_string());
        match &store.place {
            // Nothing else can open a database in memory.
            Place::File(path) if path.as_os_str() == super::IN_MEMORY => Ok(Self { store, file: None }),
            Place::File(path) => {
                let path = beside(path, "-import");
                let fail = |error| ArchiveError::File { file: path.clone(), error };
                let file = OpenOptions::new().create(true).append(true).open(&path).map_err(fail)?;
                match file.try_lock() {
                    Ok(()) => Ok(Self { store, file: Some(file) }),
                    Err(TryLockError::WouldBlock) => Err(busy()),
                    Err(TryLockError::Error(error)) => Err(fail(error)),
                }
            }
            Place::Server(_) => {
                let asked = store.number(&format!("SELECT pg_try_advisory_lock({LOCK})::int"), &[])?;
                if asked == 1 { Ok(Self { store, file: None }) } else { Err(busy()) }
            }
        }
    }
}

impl Drop for Alone<'_> {
    fn drop(&mut self) {
        match &self.store.backend {
            // The lock goes with the file.
            Backend::Sqlite(_) => drop(self.file.take()),
            // If the server has gone, so has the lock.
            Backend::Postgres(_) => {
                let _ = self.store.rows(&format!("SELECT pg_advisory_unlock({LOCK})::int"), &[]);
            }
        }
    }
}
