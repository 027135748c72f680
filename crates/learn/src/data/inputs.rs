//! Several files that are read as one.

use std::path::{Path, PathBuf};

use serde::Serialize;
use surus_play::StopToken;
use surus_record::packed::{Header, PackedFileError, PackedGame, PackedReader, Provenance};

/// Why files can't be worked on.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// A file can't be read or written.
    #[error(transparent)]
    File(#[from] PackedFileError),
    /// Games of different engines or settings would be mixed.
    #[error(
        "{} is of another run than {}: {}; --allow-mixed merges them anyway",
        other.display(), first.display(), differences.join("; ")
    )]
    MixedRuns {
        /// The first file.
        first: PathBuf,
        /// The one that does not fit.
        other: PathBuf,
        /// What it has otherwise.
        differences: Vec<String>,
    },
    /// The same game with different records.
    #[error(
        "game {id} of {} is not the game {id} of {}, though their runs are the same: one of them was made by \
         another program", other.display(), first.display()
    )]
    ConflictingGame {
        /// The game's number.
        id: u64,
        /// Where it stands first.
        first: PathBuf,
        /// Where it stands otherwise.
        other: PathBuf,
    },
    /// More origins than a game can name.
    #[error("the files have {0} different origins: expected at most 65535")]
    Origins(usize),
    /// Somebody ended the work.
    #[error("stopped; nothing was written")]
    Stopped,
}

/// What was left out of damaged files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Skipped {
    /// Games whose records are damaged.
    pub damaged: u64,
    /// Files that end in the middle of a game, or where no game begins any more.
    pub truncated: u64,
}

/// Files whose games are counted as of one file.
#[derive(Clone, Debug)]
pub struct InputFiles {
    /// In their order.
    pub files: Vec<PathBuf>,
    /// All origins of all files, in an order that does not depend on that of the files.
    pub header: Header,
    /// For each file the place of each of its origins in the header.
    places: Vec<Vec<u16>>,
    /// Ends the work between two games.
    pub stop: StopToken,
    /// Whether to leave out what is damaged, instead of giving up.
    pub salvage: bool,
}

impl InputFiles {
    /// Reads the headers.
    pub fn open(files: &[PathBuf], stop: StopToken, salvage: bool) -> Result<Self, DataError> {
        let mut each: Vec<Vec<Provenance>> = Vec::new();
        for file in files {
            each.push(PackedReader::open(file)?.header().origins.clone());
        }
        let mut origins: Vec<Provenance> = each.iter().flatten().cloned().collect();
        origins.sort_by_key(Provenance::to_map);
        origins.dedup();
        if usize::from(u16::MAX) < origins.len() {
            return Err(DataError::Origins(origins.len()));
        }
        // Every origin is among all of them.
        let place =
            |origin: &Provenance| origins.iter().position(|known| known == origin).unwrap_or(0) as u16;
        let places = each.iter().map(|own| own.iter().map(place).collect()).collect();
        Ok(Self { files: files.to_vec(), header: Header { origins }, places, stop, salvage })
    }

    /// Refuses files of different runs.
    pub fn require_same_run(&self) -> Result<(), DataError> {
        let mut earlier: Option<(&Path, u16)> = None;
        for (file, places) in self.files.iter().zip(&self.places) {
            for &place in places {
                let (first, known) = *earlier.get_or_insert((file, place));
                if known != place {
                    let [one, other] = [known, place].map(|place| &self.header.origins[usize::from(place)]);
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

    /// Hands out every game with the place of its file and the byte where it begins there.
    pub fn for_each_game(
        &self,
        mut take: impl FnMut(usize, u64, PackedGame) -> Result<(), DataError>,
    ) -> Result<Skipped, DataError> {
        let mut skipped = Skipped::default();
        for (index, file) in self.files.iter().enumerate() {
            let mut games = PackedReader::open(file)?.into_games();
            loop {
                if self.stop.should_stop() {
                    return Err(DataError::Stopped);
                }
                let at = games.offset();
                match games.next() {
                    None => break,
                    Some(Ok(game)) => take(index, at, self.placed(index, game))?,
                    Some(Err(PackedFileError::Corrupt { .. })) if self.salvage && games.can_continue() => {
                        skipped.damaged += 1;
                    }
                    Some(Err(PackedFileError::Corrupt { .. } | PackedFileError::Truncated { .. }))
                        if self.salvage =>
                    {
                        skipped.truncated += 1;
                    }
                    Some(Err(error)) => return Err(error.into()),
                }
            }
        }
        Ok(skipped)
    }

    /// A game with its origin's place in the common header.
    pub(super) fn placed(&self, file: usize, game: PackedGame) -> PackedGame {
        // The reader has refused a game whose origin its header does not have.
        let origin = self.places[file].get(usize::from(game.origin)).copied().unwrap_or_default();
        PackedGame { origin, ..game }
    }
}
