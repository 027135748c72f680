//! Puts games into an order by chance, however many there are.

use std::fs;
use std::path::{Path, PathBuf};

use surus_record::packed::{PackedGame, PackedReader, PackedWriter};
use surus_rules::SplitMix;

use super::{DataError, InputFiles, WriteSummary};

/// Writes all games of the files to a new one, ordered by a hash of seed, origin and number: the same games and seed
/// give the same file, however they were spread over the files. About `memory` bytes of records are held at a time:
/// games are first dealt out to files beside the new one, each of which is then ordered by itself.
pub fn shuffle(inputs: &InputFiles, seed: u64, memory: u64, out: &Path) -> Result<WriteSummary, DataError> {
    let bytes: u64 =
        inputs.files.iter().filter_map(|file| fs::metadata(file).ok()).map(|data| data.len()).sum();
    let count = bytes.div_ceil(memory.max(1)).clamp(1, 500);
    let piles = TempBuckets((0..count).map(|index| bucket_path(out, index)).collect());
    let mut writer = PackedWriter::create(out, &inputs.header)?;
    let mut dealt = Vec::new();
    for pile in &piles.0 {
        // One of a run that was killed may be there still.
        let _ = fs::remove_file(pile);
        dealt.push(PackedWriter::create(pile, &inputs.header)?);
    }
    let mut found = 0;
    let skipped = inputs.for_each_game(|_, _, game| {
        found += 1;
        let pile = (u128::from(key(seed, &game)) * u128::from(count)) >> 64;
        Ok(dealt[pile as usize].write_game(&game)?)
    })?;
    for pile in dealt {
        pile.finish()?;
    }
    let mut shuffled = WriteSummary { games: 0, positions: 0, duplicates: 0, skipped };
    for pile in &piles.0 {
        let mut games: Vec<PackedGame> = PackedReader::open(pile)?.into_games().collect::<Result<_, _>>()?;
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

/// Where a game goes; the first pile has the smallest keys.
fn key(seed: u64, game: &PackedGame) -> u64 {
    SplitMix::hash(SplitMix::hash(seed ^ SplitMix::hash(u64::from(game.origin))) ^ game.id)
}

/// Files that go away when the work is over, however it went.
struct TempBuckets(Vec<PathBuf>);

impl Drop for TempBuckets {
    fn drop(&mut self) {
        for pile in &self.0 {
            let _ = fs::remove_file(pile);
        }
    }
}

fn bucket_path(out: &Path, index: u64) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(format!(".pile{index}"));
    name.into()
}
