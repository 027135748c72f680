//! Append-only files that survive a crash. Every long-running command writes through them.
//!
//! # Durability
//!
//! - One process writes a journal at a time: [`Journal::open`] takes an exclusive lock, which the system releases when the
//!   process ends, however it ends.
//! - A row is one write, handed to the system before [`Journal::append`] returns. A killed process loses no row that
//!   was appended; it leaves at most one torn row at the end, which the next [`Journal::truncate`] removes.
//! - Rows are forced to the disk (`fsync`) every [`SYNC_ROWS`] rows, by [`Journal::sync`] at the end of a block of work, and
//!   when the journal is dropped. A power failure loses at most the rows since then.
//! - A write that fails, for instance because the disk is full, is rolled back to the end of the last row. If even that
//!   fails the journal refuses further rows instead of appending after a partial row.
//! - Only a torn last row is ever removed. Anything else that cannot be read is an error, and the file is left as it is.

mod lines;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub use lines::{LineJournal, for_each_line, for_each_line_after};

/// Rows between two forced writes to the disk.
pub const SYNC_ROWS: u32 = 64;

/// A journal that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Reading or writing failed.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// Another process writes it.
    #[error("{} is in use by another process", .0.display())]
    Locked(PathBuf),
    /// The header is not that of the format.
    #[error("{}: unexpected header '{found}': expected '{expected}'", path.display())]
    Header {
        /// The file.
        path: PathBuf,
        /// The beginning of its first line.
        found: String,
        /// The header of the format.
        expected: String,
    },
    /// A row other than a torn last one cannot be read.
    #[error("{}, line {line}: {problem}; the file was left as it is", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// Line number, counted from 1.
        line: u64,
        /// The cause.
        problem: String,
    },
    /// An earlier write failed and could not be rolled back.
    #[error("{}: an earlier write failed and could not be rolled back", .0.display())]
    Broken(PathBuf),
}

impl JournalError {
    fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::Io { path: path.into(), error }
    }
}

/// An open, locked journal. The format of its rows is the caller's; [`LineJournal`] has rows of text.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// Where the last row ends.
    end: u64,
    unsynced: u32,
    broken: bool,
}

impl Journal {
    /// Opens and locks a journal, creating the file if there is none.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let io = JournalError::io(path);
        let exists = path.exists();
        let file = OpenOptions::new().create(true).append(true).read(true).open(path).map_err(&io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::Locked(path.into())),
            Err(TryLockError::Error(error)) => return Err(io(error)),
        }
        if !exists {
            sync_directory(path).map_err(&io)?;
        }
        let end = file.metadata().map_err(&io)?.len();
        Ok(Self { path: path.into(), file, end, unsynced: 0, broken: false })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its length in bytes.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.end
    }

    /// Whether it has no bytes yet, not even a header.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.end == 0
    }

    /// Removes a torn row, which starts at `end`.
    pub fn truncate(&mut self, end: u64) -> Result<(), JournalError> {
        self.file.set_len(end).map_err(JournalError::io(&self.path))?;
        self.end = end;
        Ok(())
    }

    /// Appends a row. When this returns, the row survives the end of the process.
    pub fn append(&mut self, row: &[u8]) -> Result<(), JournalError> {
        if self.broken {
            return Err(JournalError::Broken(self.path.clone()));
        }
        if let Err(error) = self.file.write_all(row) {
            self.broken = self.file.set_len(self.end).is_err();
            return Err(JournalError::Io { path: self.path.clone(), error });
        }
        self.end += row.len() as u64;
        self.unsynced += 1;
        if self.unsynced >= SYNC_ROWS { self.sync() } else { Ok(()) }
    }

    /// Forces all rows to the disk.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        if self.unsynced > 0 {
            self.file.sync_data().map_err(JournalError::io(&self.path))?;
            self.unsynced = 0;
        }
        Ok(())
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // The error cannot be reported; the rows have been written already.
        let _ = self.sync();
    }
}

/// Replaces a file so that a reader, or a crash at any time, finds the old content or the new one, complete.
pub fn replace_file(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let temporary = path.with_file_name(name);
    let write = || {
        let mut file = File::create(&temporary)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&temporary, path)?;
        sync_directory(path)
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(&temporary);
    })
}

/// Makes the name of a new file durable.
#[cfg(unix)]
fn sync_directory(path: &Path) -> io::Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(parent)?.sync_all()
}

/// Other systems cannot open a directory as a file.
#[cfg(not(unix))]
fn sync_directory(_path: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests;
