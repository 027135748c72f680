//! Several data files read as one.

use std::path::{Path, PathBuf};

use serde::Serialize;
use surus_play::StopToken;
use surus_record::packed::{Header, PackedFileError, PackedGame, PackedReader, Provenance};

/// An error in an operation on data files.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] PackedFileError),
    /// The files have games of different engines or settings.
    #[error(
        "{} is from another run than {}: {}; --allow-mixed merges them anyway",
        other.display(), first.display(), differences.join("; ")
    )]
    MixedRuns {
        /// The first file.
        first: PathBuf,
        /// The file that differs.
        other: PathBuf,
        /// The settings in which they differ.
        differences: Vec<String>,
    },
    /// Two games of the same run have the same number, but different samples.
    #[error(
        "game {id} of {} differs from game {id} of {}, although both are from the same run: one of them was made by \
         another build", other.display(), first.display()
    )]
    ConflictingGame {
        /// The number of the game.
        id: u64,
        /// A file that has it.
        first: PathBuf,
        /// The file in which it differs.
        other: PathBuf,
    },
    /// More origins than a game can refer to.
    #[error("the files have {0} different origins: expected at most 65535")]
    Origins(usize),
    /// The operation was interrupted.
    #[error("stopped; nothing was written")]
    Stopped,
}

/// Corrupt input that was skipped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Skipped {
    /// Games with corrupt samples.
    pub damaged: u64,
    /// Files that end within a game, or whose next game cannot be found.
    pub truncated: u64,
}

/// Data files read one after the other, with a common header.
#[derive(Clone, Debug)]
pub struct InputFiles {
    /// The files, in the order given.
    pub files: Vec<PathBuf>,
    /// All origins of all files, in an order independent of that of the files.
    pub header: Header,
    /// For each file and each of its origins, the index in the common header.
    origin_indices: Vec<Vec<u16>>,
    /// Checked between games.
    pub stop: StopToken,
    /// Whether to skip corrupt games instead of failing.
    pub skip_corrupt: bool,
}

impl InputFiles {
    /// Reads the headers.
    pub fn open(files: &[PathBuf], stop: StopToken, skip_corrupt: bool) -> Result<Self, DataError> {
        let mut origins_of_files: Vec<Vec<Provenance>> = Vec::new();
        for file in files {
            origins_of_files.push(PackedReader::open(file)?.header().origins.clone());
        }
        let mut origins: Vec<Provenance> = origins_of_files.iter().flatten().cloned().collect();
        origins.sort_by_key(Provenance::to_map);
        origins.dedup();
        if origins.len() > usize::from(u16::MAX) {
            return Err(DataError::Origins(origins.len()));
        }
        // Always found, because `origins` has those of all files.
        let index =
            |origin: &Provenance| origins.iter().position(|other| other == origin).unwrap_or(0) as u16;
        let origin_indices = origins_of_files.iter().map(|own| own.iter().map(index).collect()).collect();
        Ok(Self { files: files.to_vec(), header: Header { origins }, origin_indices, stop, skip_corrupt })
    }

    /// Rejects files of different runs.
    pub fn require_same_run(&self) -> Result<(), DataError> {
        let mut first_seen: Option<(&Path, u16)> = None;
        for (file, indices) in self.files.iter().zip(&self.origin_indices) {
            for &index in indices {
                let (first, expected) = *first_seen.get_or_insert((file, index));
                if index != expected {
                    let [one, other] =
                        [expected, index].map(|index| &self.header.origins[usize::from(index)]);
                    return Err(DataError::MixedRuns {
                        first: first.into(),
                        other: file.clone(),
                        differences: other.diff(one),
                    });
                }
            }
        }
        Ok(())
    }

    /// Calls `on_game` with the index of the file, the byte offset and the game, for each game of all files.
    pub fn for_each_game(
        &self,
        mut on_game: impl FnMut(usize, u64, PackedGame) -> Result<(), DataError>,
    ) -> Result<Skipped, DataError> {
        let mut skipped = Skipped::default();
        for (index, file) in self.files.iter().enumerate() {
            let mut games = PackedReader::open(file)?.into_games();
            loop {
                if self.stop.should_stop() {
                    return Err(DataError::Stopped);
                }
                let offset = games.offset();
                match games.next() {
                    None => break,
                    Some(Ok(game)) => on_game(index, offset, self.with_common_origin(index, game))?,
                    Some(Err(PackedFileError::Corrupt { .. }))
                        if self.skip_corrupt && games.can_continue() =>
                    {
                        skipped.damaged += 1;
                    }
                    Some(Err(PackedFileError::Corrupt { .. } | PackedFileError::Truncated { .. }))
                        if self.skip_corrupt =>
                    {
                        skipped.truncated += 1;
                    }
                    Some(Err(error)) => return Err(error.into()),
                }
            }
        }
        Ok(skipped)
    }

    /// A game of a file, with the index of its origin in the common header.
    pub(super) fn with_common_origin(&self, file: usize, game: PackedGame) -> PackedGame {
        // The reader rejects a game whose origin is not in the header of its file.
        let origin = self.origin_indices[file].get(usize::from(game.origin)).copied().unwrap_or_default();
        PackedGame { origin, ..game }
    }
}
