//! Shuffles games that need not fit into memory.

use std::fs;
use std::path::{Path, PathBuf};

use surus_record::packed::{PackedGame, PackedReader, PackedWriter};
use surus_rules::SplitMix;

use super::{DataError, InputFiles, WriteSummary};

/// Writes all games of the files to a new one, ordered by a hash of seed, origin and number: the same games and seed
/// give the same file, regardless of how the games are distributed over the input files. To keep about `memory` bytes of
/// samples in memory, games are first distributed to temporary files, which are then sorted one by one.
pub fn shuffle(inputs: &InputFiles, seed: u64, memory: u64, out: &Path) -> Result<WriteSummary, DataError> {
    let bytes: u64 =
        inputs.files.iter().filter_map(|file| fs::metadata(file).ok()).map(|data| data.len()).sum();
    let count = bytes.div_ceil(memory.max(1)).clamp(1, 500);
    let buckets = TempBuckets((0..count).map(|index| bucket_path(out, index)).collect());
    let mut writer = PackedWriter::create(out, &inputs.header)?;
    let mut writers = Vec::new();
    for path in &buckets.0 {
        // A killed process may have left one.
        let _ = fs::remove_file(path);
        writers.push(PackedWriter::create(path, &inputs.header)?);
    }
    let mut found = 0;
    let skipped = inputs.for_each_game(|_, _, game| {
        found += 1;
        let bucket = (u128::from(key(seed, &game)) * u128::from(count)) >> 64;
        Ok(writers[bucket as usize].write_game(&game)?)
    })?;
    for bucket in writers {
        bucket.finish()?;
    }
    let mut shuffled = WriteSummary { games: 0, positions: 0, duplicates: 0, skipped };
    for path in &buckets.0 {
        let mut games: Vec<PackedGame> = PackedReader::open(path)?.into_games().collect::<Result<_, _>>()?;
        games.sort_by_cached_key(|game| (key(seed, game), game.origin, game.id));
        games.dedup_by_key(|game| (game.origin, game.id));
        for game in &games {
            if inputs.stop.should_stop() {
                return Err(DataError::Stopped);
            }
            shuffled.games += 1;
            shuffled.positions += game.samples.len() as u64;
            writer.write_game(game)?;
        }
    }
    writer.finish()?;
    shuffled.duplicates = found - shuffled.games;
    Ok(shuffled)
}

/// The sort key of a game; the first bucket has the smallest keys.
fn key(seed: u64, game: &PackedGame) -> u64 {
    SplitMix::hash(SplitMix::hash(seed ^ SplitMix::hash(u64::from(game.origin))) ^ game.id)
}

/// Temporary files, removed on drop.
struct TempBuckets(Vec<PathBuf>);

impl Drop for TempBuckets {
    fn drop(&mut self) {
        for path in &self.0 {
            let _ = fs::remove_file(path);
        }
    }
}

fn bucket_path(out: &Path, index: u64) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(format!(".bucket{index}"));
    name.into()
}
