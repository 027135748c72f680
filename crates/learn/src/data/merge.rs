//! Joins the parts of a run: every game once, in the order of their numbers.

use std::hash::{DefaultHasher, Hasher};
use std::path::Path;

use surus_record::packed::{PackedGame, PackedReader, PackedSample, PackedWriter};

use super::{DataError, InputFiles, WriteSummary};

/// Where a game stands. Only this is in memory, 40 bytes a game.
#[derive(Clone, Copy)]
struct GameLocation {
    origin: u16,
    id: u64,
    file: u32,
    at: u64,
    sum: u64,
}

/// Writes all games of the files to a new one, those of the same origin and number once. Different runs are joined
/// only if that is wanted.
pub fn merge(inputs: &InputFiles, mixed: bool, out: &Path) -> Result<WriteSummary, DataError> {
    if !mixed {
        inputs.require_same_run()?;
    }
    let mut places: Vec<GameLocation> = Vec::new();
    let skipped = inputs.for_each_game(|file, at, game| {
        places.push(GameLocation {
            origin: game.origin,
            id: game.id,
            file: file as u32,
            at,
            sum: content_hash(&game),
        });
        Ok(())
    })?;
    let found = places.len();
    places.sort_by_key(|place| (place.origin, place.id, place.file, place.at));
    for pair in places.windows(2) {
        if (pair[0].origin, pair[0].id) == (pair[1].origin, pair[1].id) && pair[0].sum != pair[1].sum {
            let [first, other] = [pair[0], pair[1]].map(|place| inputs.files[place.file as usize].clone());
            return Err(DataError::ConflictingGame { id: pair[0].id, first, other });
        }
    }
    places.dedup_by_key(|place| (place.origin, place.id));
    let mut readers: Vec<PackedReader> = Vec::new();
    for file in &inputs.files {
        readers.push(PackedReader::open(file)?);
    }
    let mut writer = PackedWriter::create(out, &inputs.header)?;
    let mut positions = 0;
    for place in &places {
        if inputs.stop.should_stop() {
            return Err(DataError::Stopped);
        }
        let file = place.file as usize;
        let game = inputs.placed(file, readers[file].game_at(place.at)?);
        positions += game.samples.len() as u64;
        writer.write_game(&game)?;
    }
    writer.finish()?;
    let duplicates = (found - places.len()) as u64;
    Ok(WriteSummary { games: places.len() as u64, positions, duplicates, skipped })
}

/// Tells games with different records apart.
fn content_hash(game: &PackedGame) -> u64 {
    let mut hasher = DefaultHasher::new();
    game.samples.iter().map(PackedSample::as_bytes).for_each(|bytes| hasher.write(bytes));
    hasher.finish()
}
