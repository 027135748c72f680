//! One board per data directory.
//!
//! The board that holds the OS lock on the file `board.lock` owns the directory; the lock ends with its process. The
//! file contains the address of that board, which a second one shows. A stale address is never read: the board that
//! gets the lock truncates the file first.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

/// How often to check for the address of a board that is just starting, and the time between two checks.
const MAX_ATTEMPTS: u32 = 100;
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Exclusive write access to a data directory, until it is dropped.
#[derive(Debug)]
pub(crate) struct DataDirLock {
    file: File,
}

/// The result of locking a data directory.
#[derive(Debug)]
pub(crate) enum LockResult {
    Acquired(DataDirLock),
    /// Another board owns the directory; its address, if it published one.
    HeldBy(Option<String>),
}

impl DataDirLock {
    /// Takes the lock, or finds the address of the board that holds it.
    pub(crate) fn acquire(dir: &Path) -> io::Result<LockResult> {
        let path = dir.join("board.lock");
        for _ in 0..MAX_ATTEMPTS {
            let file = OpenOptions::new().create(true).append(true).open(&path)?;
            match file.try_lock() {
                Ok(()) => {
                    file.set_len(0)?;
                    return Ok(LockResult::Acquired(Self { file }));
                }
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // The other board may have taken the lock just now, before writing its address.
            sleep(POLL_INTERVAL);
            let address = std::fs::read_to_string(&path)?;
            if let Some(address) = address.strip_suffix('\n') {
                return Ok(LockResult::HeldBy(Some(address.into())));
            }
        }
        Ok(LockResult::HeldBy(None))
    }

    /// Writes the address of this board for others to read.
    pub(crate) fn publish(&mut self, address: &str) -> io::Result<()> {
        self.file.write_all(format!("{address}\n").as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_dir::TempDir;

    #[test]
    fn second_board_gets_the_address_and_later_the_lock() {
        let dir = TempDir::new("lock");
        let LockResult::Acquired(mut first) = DataDirLock::acquire(dir.path()).unwrap() else {
            panic!("free")
        };
        first.publish("http://127.0.0.1:1/").unwrap();
        let LockResult::HeldBy(address) = DataDirLock::acquire(dir.path()).unwrap() else { panic!("taken") };
        assert_eq!(address.as_deref(), Some("http://127.0.0.1:1/"));
        drop(first);
        assert!(matches!(DataDirLock::acquire(dir.path()).unwrap(), LockResult::Acquired(_)));
    }

    #[test]
    fn stale_address_is_ignored() {
        let dir = TempDir::new("stale-lock");
        std::fs::write(dir.path().join("board.lock"), "http://127.0.0.1:9/\n").unwrap();
        let LockResult::Acquired(mut ours) = DataDirLock::acquire(dir.path()).unwrap() else {
            panic!("free")
        };
        assert_eq!(std::fs::read_to_string(dir.path().join("board.lock")).unwrap(), "");
        ours.publish("http://127.0.0.1:2/").unwrap();
        assert_eq!(std::fs::read_to_string(dir.path().join("board.lock")).unwrap(), "http://127.0.0.1:2/\n");
    }
}
