//! Writes complete files, and files that grow game by game.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{Header, PackedFileError, PackedGame, PackedReader, Provenance};
use crate::journal::Journal;

/// Writes a complete file under a temporary name and renames it at the end, so that incomplete files are never visible.
#[derive(Debug)]
pub struct PackedWriter {
    path: PathBuf,
    temp_path: PathBuf,
    file: BufWriter<File>,
    finished: bool,
}

impl PackedWriter {
    /// Creates a file, which must not exist yet.
    pub fn create(path: &Path, header: &Header) -> Result<Self, PackedFileError> {
        let failed = |error| PackedFileError::Io { path: path.into(), error };
        if path.exists() {
            return Err(failed(io::Error::other("the file exists; choose another name")));
        }
        let mut temp_path = path.as_os_str().to_owned();
        temp_path.push(".new");
        let temp_path = PathBuf::from(temp_path);
        let mut file = BufWriter::with_capacity(1 << 16, File::create(&temp_path).map_err(failed)?);
        file.write_all(&header.to_bytes()?).map_err(failed)?;
        Ok(Self { path: path.into(), temp_path, file, finished: false })
    }

    /// Writes a game.
    pub fn write_game(&mut self, game: &PackedGame) -> Result<(), PackedFileError> {
        let bytes = game.to_bytes()?;
        self.file.write_all(&bytes).map_err(|error| self.failed(error))
    }

    /// Syncs the file and renames it to its final name.
    pub fn finish(mut self) -> Result<(), PackedFileError> {
        let synced = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        synced.and_then(|()| fs::rename(&self.temp_path, &self.path)).map_err(|error| self.failed(error))?;
        self.finished = true;
        Ok(())
    }

    fn failed(&self, error: io::Error) -> PackedFileError {
        PackedFileError::Io { path: self.path.clone(), error }
    }
}

impl Drop for PackedWriter {
    fn drop(&mut self) {
        if !self.finished {
            let _ = fs::remove_file(&self.temp_path);
        }
    }
}

/// A file that grows game by game, as a [`Journal`].
#[derive(Debug)]
pub struct PackedAppender {
    journal: Journal,
    game_ids: HashSet<u64>,
    positions: u64,
}

impl PackedAppender {
    /// Creates a file, or continues one of the same origin. A torn last game is removed.
    pub fn open(path: &Path, origin: &Provenance) -> Result<Self, PackedFileError> {
        let journal = Journal::open(path)?;
        let mut appender = Self { journal, game_ids: HashSet::new(), positions: 0 };
        let header = Header::of(origin.clone()).to_bytes()?;
        match PackedReader::open(path) {
            Ok(reader) => appender.recover(reader, origin)?,
            // Only a torn header is removed: a changed bit may look similar.
            Err(PackedFileError::Truncated { .. }) if is_prefix(path, &header)? => {
                appender.journal.truncate(0)?;
                appender.journal.append(&header)?;
            }
            Err(error) => return Err(error),
        }
        Ok(appender)
    }

    fn recover(&mut self, reader: PackedReader, origin: &Provenance) -> Result<(), PackedFileError> {
        if reader.header().origins != [origin.clone()] {
            let saved = reader.header().origins.first().cloned().unwrap_or_default();
            let differences = saved.diff(origin);
            return Err(PackedFileError::ProvenanceMismatch {
                path: self.journal.path().into(),
                differences,
            });
        }
        for game in reader.into_games() {
            match game {
                Ok(game) => {
                    self.game_ids.insert(game.id);
                    self.positions += game.samples.len() as u64;
                }
                Err(PackedFileError::Truncated { offset, .. }) => self.journal.truncate(offset)?,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Whether the file contains a game.
    #[must_use]
    pub fn contains(&self, id: u64) -> bool {
        self.game_ids.contains(&id)
    }

    /// Number of games and of records.
    #[must_use]
    pub fn counts(&self) -> (u64, u64) {
        (self.game_ids.len() as u64, self.positions)
    }

    /// Appends a game that the file does not contain. When this returns, the game survives the end of the process.
    pub fn write_game(&mut self, game: &PackedGame) -> Result<(), PackedFileError> {
        self.journal.append(&game.to_bytes()?)?;
        self.game_ids.insert(game.id);
        self.positions += game.samples.len() as u64;
        Ok(())
    }

    /// Syncs all games to disk.
    pub fn sync(&mut self) -> Result<(), PackedFileError> {
        Ok(self.journal.sync()?)
    }
}

/// Whether the content of a file is a prefix of the header.
fn is_prefix(path: &Path, header: &[u8]) -> Result<bool, PackedFileError> {
    let bytes = fs::read(path).map_err(|error| PackedFileError::Io { path: path.into(), error })?;
    Ok(header.starts_with(&bytes))
}
