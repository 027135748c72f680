//! One board for each data folder.
//!
//! The system's lock on the file `board.lock` decides who has the folder; it ends with the process that holds it,
//! however that ends. The file holds the address of that board, for the next one to show; what a dead process left in it
//! is never read, because whoever gets the lock empties the file first.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

/// How often a board that is just starting is asked for its address, and how long to wait in between.
const ATTEMPTS: u32 = 100;
const PAUSE: Duration = Duration::from_millis(50);

/// The right to write to a data folder, until it is dropped.
#[derive(Debug)]
pub(crate) struct FolderLock {
    file: File,
}

/// Who has the folder.
#[derive(Debug)]
pub(crate) enum Locked {
    Ours(FolderLock),
    /// The address of another board; nothing if it does not say one.
    Theirs(Option<String>),
}

impl FolderLock {
    /// Takes the lock, or finds out who has it.
    pub(crate) fn acquire(folder: &Path) -> io::Result<Locked> {
        let path = folder.join("board.lock");
        for _ in 0..ATTEMPTS {
            let file = OpenOptions::new().create(true).append(true).open(&path)?;
            match file.try_lock() {
                Ok(()) => {
                    file.set_len(0)?;
                    return Ok(Locked::Ours(Self { file }));
                }
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // The other one may have the lock since a moment only, and write its address in the next.
            sleep(PAUSE);
            let address = std::fs::read_to_string(&path)?;
            if let Some(address) = address.strip_suffix('\n') {
                return Ok(Locked::Theirs(Some(address.into())));
            }
        }
        Ok(Locked::Theirs(None))
    }

    /// Lets others know where the board is.
    pub(crate) fn publish(&mut self, address: &str) -> io::Result<()> {
        self.file.write_all(format!("{address}\n").as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_folder::TestFolder;

    #[test]
    fn the_second_gets_the_address_of_the_first_and_the_lock_when_it_has_gone() {
        let folder = TestFolder::new("lock");
        let Locked::Ours(mut first) = FolderLock::acquire(folder.path()).unwrap() else { panic!("free") };
        first.publish("http://127.0.0.1:1/").unwrap();
        let Locked::Theirs(address) = FolderLock::acquire(folder.path()).unwrap() else { panic!("taken") };
        assert_eq!(address.as_deref(), Some("http://127.0.0.1:1/"));
        drop(first);
        assert!(matches!(FolderLock::acquire(folder.path()).unwrap(), Locked::Ours(_)));
    }

    #[test]
    fn what_a_killed_board_left_in_the_file_does_not_matter() {
        let folder = TestFolder::new("stale-lock");
        std::fs::write(folder.path().join("board.lock"), "http://127.0.0.1:9/\n").unwrap();
        let Locked::Ours(mut ours) = FolderLock::acquire(folder.path()).unwrap() else { panic!("free") };
        assert_eq!(std::fs::read_to_string(folder.path().join("board.lock")).unwrap(), "");
        ours.publish("http://127.0.0.1:2/").unwrap();
        assert_eq!(
            std::fs::read_to_string(folder.path().join("board.lock")).unwrap(),
            "http://127.0.0.1:2/\n"
        );
    }
}
