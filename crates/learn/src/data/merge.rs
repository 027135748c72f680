//! Merges files of a run: every game once, in the order of their numbers.

use std::hash::{DefaultHasher, Hasher};
use std::path::Path;

use surus_record::packed::{PackedGame, PackedReader, PackedSample, PackedWriter};

use super::{DataError, InputFiles, WriteSummary};

/// The location of a game. Only this is kept in memory, 40 bytes per game.
#[derive(Clone, Copy)]
struct GameLocation {
    origin: u16,
    id: u64,
    file: u32,
    offset: u64,
    content: u64,
}

/// Writes all games of the files to a new one, dropping duplicates. Different runs are merged only with `allow_mixed`.
pub fn merge(inputs: &InputFiles, allow_mixed: bool, out: &Path) -> Result<WriteSummary, DataError> {
    if !allow_mixed {
        inputs.require_same_run()?;
    }
    let mut locations: Vec<GameLocation> = Vec::new();
    let skipped = inputs.for_each_game(|file, offset, game| {
        locations.push(GameLocation {
            origin: game.origin,
            id: game.id,
            file: file as u32,
            offset,
            content: content_hash(&game),
        });
        Ok(())
    })?;
    let found = locations.len();
    locations.sort_by_key(|game| (game.origin, game.id, game.file, game.offset));
    for pair in locations.windows(2) {
        let [one, other] = [pair[0], pair[1]];
        if (one.origin, one.id) == (other.origin, other.id) && one.content != other.content {
            let [first, other] = [one, other].map(|game| inputs.files[game.file as usize].clone());
            return Err(DataError::ConflictingGame { id: one.id, first, other });
        }
    }
    locations.dedup_by_key(|game| (game.origin, game.id));
    let mut readers: Vec<PackedReader> = Vec::new();
    for file in &inputs.files {
        readers.push(PackedReader::open(file)?);
    }
    let mut writer = PackedWriter::create(out, &inputs.header)?;
    let mut positions = 0;
    for location in &locations {
        if inputs.stop.should_stop() {
            return Err(DataError::Stopped);
        }
        let file = location.file as usize;
        let game = inputs.with_common_origin(file, readers[file].game_at(location.offset)?);
        positions += game.samples.len() as u64;
        writer.write_game(&game)?;
    }
    writer.finish()?;
    let duplicates = (found - locations.len()) as u64;
    Ok(WriteSummary { games: locations.len() as u64, positions, duplicates, skipped })
}

/// A hash of all samples of a game.
fn content_hash(game: &PackedGame) -> u64 {
    let mut hasher = DefaultHasher::new();
    game.samples.iter().map(PackedSample::as_bytes).for_each(|bytes| hasher.write(bytes));
    hasher.finish()
}
