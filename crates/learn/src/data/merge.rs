//! Merges files of a run: every game once, in the order of their numbers.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};

use surus_record::packed::{PackedFileError, PackedGame, PackedReader, PackedSample, PackedWriter};

use super::locations::{GameLocation, LocationSorter};
use super::{DataError, InputFiles, WriteSummary};

/// Writes all games of the files to a new one, dropping duplicates. Different runs are merged only with `allow_mixed`. The
/// memory it needs does not grow with the number of games.
pub fn merge(inputs: &InputFiles, allow_mixed: bool, out: &Path) -> Result<WriteSummary, DataError> {
    if !allow_mixed {
        inputs.require_same_run()?;
    }
    let io_error = |error| PackedFileError::Io { path: temporary_path(out), error };
    let mut locations = LocationSorter::default();
    let skipped = inputs.for_each_game(|file, offset, game| {
        let content = content_hash(&game);
        let location = GameLocation { origin: game.origin, id: game.id, file: file as u32, offset, content };
        Ok(locations.push(location, || unnamed_file(&temporary_path(out))).map_err(io_error)?)
    })?;
    let mut readers = OpenReaders { files: &inputs.files, open: HashMap::new() };
    let mut writer = PackedWriter::create(out, &inputs.header)?;
    let mut written = WriteSummary { games: 0, positions: 0, duplicates: 0, skipped };
    let mut last: Option<GameLocation> = None;
    let merged = locations.finish(|location| {
        if inputs.stop.should_stop() {
            return Err(MergeError::Data(DataError::Stopped));
        }
        if let Some(last) = last
            && (last.origin, last.id) == (location.origin, location.id)
        {
            written.duplicates += 1;
            return if last.content == location.content {
                Ok(())
            } else {
                Err(conflict(inputs, last, location))
            };
        }
        last = Some(location);
        let file = location.file as usize;
        let game = readers.game_at(file, location.offset).map_err(DataError::from)?;
        written.games += 1;
        written.positions += game.samples.len() as u64;
        Ok(writer.write_game(&inputs.with_common_origin(file, game)).map_err(DataError::from)?)
    });
    match merged {
        Ok(()) => writer.finish()?,
        Err(MergeError::Data(error)) => return Err(error),
        Err(MergeError::Temporary(error)) => return Err(io_error(error).into()),
    }
    Ok(written)
}

/// The readers of the files that were used last, because the number of open files is limited.
struct OpenReaders<'a> {
    files: &'a [PathBuf],
    open: HashMap<usize, PackedReader>,
}

const MAX_OPEN: usize = 256;

impl OpenReaders<'_> {
    fn game_at(&mut self, file: usize, offset: u64) -> Result<PackedGame, PackedFileError> {
        if self.open.len() >= MAX_OPEN && !self.open.contains_key(&file) {
            self.open.clear();
        }
        match self.open.entry(file) {
            Entry::Occupied(mut reader) => reader.get_mut().game_at(offset),
            Entry::Vacant(place) => place.insert(PackedReader::open(&self.files[file])?).game_at(offset),
        }
    }
}

/// Why the second pass ended.
enum MergeError {
    Data(DataError),
    Temporary(io::Error),
}

impl From<io::Error> for MergeError {
    fn from(error: io::Error) -> Self {
        Self::Temporary(error)
    }
}

impl From<DataError> for MergeError {
    fn from(error: DataError) -> Self {
        Self::Data(error)
    }
}

/// Two games of one number with different samples.
fn conflict(inputs: &InputFiles, one: GameLocation, other: GameLocation) -> MergeError {
    let [first, other] = [one, other].map(|game| inputs.files[game.file as usize].clone());
    MergeError::Data(DataError::ConflictingGame { id: one.id, first, other })
}

/// The name of the file of locations, which is next to the merged file because that disk has space.
fn temporary_path(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".locations");
    name.into()
}

/// A file that has no name any more, so that it is removed however the process ends.
fn unnamed_file(path: &Path) -> io::Result<File> {
    let file = File::options().read(true).write(true).create(true).truncate(true).open(path)?;
    fs::remove_file(path)?;
    Ok(file)
}

/// A hash of all samples of a game.
fn content_hash(game: &PackedGame) -> u64 {
    let mut hasher = DefaultHasher::new();
    game.samples.iter().map(PackedSample::as_bytes).for_each(|bytes| hasher.write(bytes));
    hasher.finish()
}
