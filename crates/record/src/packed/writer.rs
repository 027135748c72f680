//! Writes files: whole ones, and ones that grow game by game.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{FileError, GameRecords, Header, Origin, Reader};

/// Writes a whole file. It has its name only when it is finished, so that there is never half a file.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    new: PathBuf,
    file: BufWriter<File>,
    finished: bool,
}

impl Writer {
    /// Begins a file that is not there yet.
    pub fn create(path: &Path, header: &Header) -> Result<Self, FileError> {
        let failed = |error| FileError::File { path: path.into(), error };
        if path.exists() {
            let there = io::Error::other("it is there already; choose another name");
            return Err(failed(there));
        }
        let mut new = path.as_os_str().to_owned();
        new.push(".new");
        let new = PathBuf::from(new);
        let mut file = BufWriter::with_capacity(1 << 16, File::create(&new).map_err(failed)?);
        file.write_all(&header.to_bytes()).map_err(failed)?;
        Ok(Self { path: path.into(), new, file, finished: false })
    }

    /// Adds a game.
    pub fn add(&mut self, game: &GameRecords) -> Result<(), FileError> {
        let bytes = game.to_bytes()?;
        self.file.write_all(&bytes).map_err(|error| self.failed(error))
    }

    /// Gives the file its name.
    pub fn finish(mut self) -> Result<(), FileError> {
        let done = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        done.and_then(|()| fs::rename(&self.new, &self.path)).map_err(|error| self.failed(error))?;
        self.finished = true;
        Ok(())
    }

    fn failed(&self, error: io::Error) -> FileError {
        FileError::File { path: self.path.clone(), error }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if !self.finished {
            let _ = fs::remove_file(&self.new);
        }
    }
}

/// A file that grows: every game is there when [`Appender::add`] returns, whatever happens to the process then.
#[derive(Debug)]
pub struct Appender {
    path: PathBuf,
    file: File,
    /// The end of the last whole game.
    end: u64,
    known: HashSet<u64>,
    positions: u64,
}

impl Appender {
    /// Begins a file, or goes on with the one that is there if it has the same origin. What a killed writer left
    /// unfinished is cut off.
    pub fn open(path: &Path, origin: &Origin) -> Result<Self, FileError> {
        let failed = |error| FileError::File { path: path.into(), error };
        let file = OpenOptions::new().create(true).append(true).read(true).open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(FileError::InUse(path.into())),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let mut appender = Self { path: path.into(), file, end: 0, known: HashSet::new(), positions: 0 };
        let header = Header::of(origin.clone()).to_bytes();
        match Reader::open(path) {
            Ok(reader) => appender.take_stock(reader, origin)?,
            // It was killed before its header was whole. Nothing else is cut: a flipped bit may only look like that.
            Err(FileError::Torn { .. }) if header.starts_with(&fs::read(path).map_err(failed)?) => {
                appender.file.set_len(0).map_err(failed)?;
                appender.write(&header)?;
            }
            Err(error) => return Err(error),
        }
        Ok(appender)
    }

    fn take_stock(&mut self, reader: Reader, origin: &Origin) -> Result<(), FileError> {
        if reader.header().origins != [origin.clone()] {
            let theirs = reader.header().origins.first().cloned().unwrap_or_default();
            let differences = theirs.differences(origin);
            return Err(FileError::OtherRun { path: self.path.clone(), differences });
        }
        let mut games = reader.games();
        for game in games.by_ref() {
            match game {
                Ok(game) => {
                    self.known.insert(game.id);
                    self.positions += game.records.len() as u64;
                }
                Err(FileError::Torn { at, .. }) => {
                    self.file
                        .set_len(at)
                        .map_err(|error| FileError::File { path: self.path.clone(), error })?;
                }
                Err(error) => return Err(error),
            }
        }
        self.end = games.at();
        Ok(())
    }

    /// Whether the file has a game already.
    #[must_use]
    pub fn has(&self, id: u64) -> bool {
        self.known.contains(&id)
    }

    /// How many games the file has, and how many records.
    #[must_use]
    pub fn len(&self) -> (u64, u64) {
        (self.known.len() as u64, self.positions)
    }

    /// Adds a game that the file does not have.
    pub fn add(&mut self, game: &GameRecords) -> Result<(), FileError> {
        let bytes = game.to_bytes()?;
        self.write(&bytes)?;
        self.known.insert(game.id);
        self.positions += game.records.len() as u64;
        Ok(())
    }

    /// One write: after a kill there is a whole game or a part of it at the end, never a mixture.
    fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        match self.file.write_all(bytes) {
            Ok(()) => {
                self.end += bytes.len() as u64;
                Ok(())
            }
            Err(error) => {
                // A full disk leaves half a game, which must not get another one behind it.
                let _ = self.file.set_len(self.end);
                Err(FileError::File { path: self.path.clone(), error })
            }
        }
    }
}
