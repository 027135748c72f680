//! Hit rates and lookup times of an archive that grows by eighths.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use surus_archive::import::{ImportOptions, import};
use surus_archive::{ArchiveDb, DbLocation, LookupOptions, lookup, mean_times};
use surus_play::StopToken;
use surus_rules::{Game, Handicap, PlayedTurn, Record, Rules};

use super::play::{MimicGame, TIERS};
use super::{ArchiveSummary, MimicExperiment, failed};
use crate::error::{LabError, read_json, write_json};

/// Results at one size of the archive.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ArchiveSizeResult {
    /// Games in the archive.
    pub games: u64,
    /// Positions in the archive.
    pub positions: u64,
    /// Fraction of positions with an answer, for win, full, middle, area, piece.
    pub hits: [f64; 5],
    /// Fraction of positions with an answer in any tier.
    pub any: f64,
    /// Mean lookup times in milliseconds: silver's setup, full, middle, area, piece.
    pub times: Vec<f64>,
}

/// Fills another archive by eighths and looks up positions from the games of `mimic` at each size.
pub(super) fn measure(
    experiment: &MimicExperiment<'_>,
    archive: &ArchiveSummary,
    rows: &[MimicGame],
    stop: &StopToken,
    log: &mut impl FnMut(&str),
) -> Result<Vec<ArchiveSizeResult>, LabError> {
    let file = experiment.out.join("sizes.json");
    if let Some(sizes) = read_json(&file)? {
        return Ok(sizes);
    }
    let positions = sample_positions(rows, experiment.probe_positions);
    let path = experiment.out.join("eighths.db");
    let _ = std::fs::remove_file(&path);
    let db = ArchiveDb::open_or_create(&DbLocation::Sqlite(path)).map_err(|error| failed(&error))?;
    let mut sizes: Vec<ArchiveSizeResult> = Vec::new();
    let (mut game_count, mut position_count) = (0, 0);
    for part in parts(experiment, archive)? {
        if stop.should_stop() {
            return Ok(sizes);
        }
        let summary = import(&db, &part, &ImportOptions::default(), &Default::default(), &mut |_| ())
            .map_err(|error| failed(&error))?;
        game_count += summary.games_added;
        position_count += summary.positions;
        let size =
            measure_size(&db, &positions, game_count, position_count).map_err(|error| failed(&error))?;
        log(&format!("{game_count} games: {:.1} % of the positions have an answer", 100.0 * size.any));
        sizes.push(size);
    }
    write_json(&file, &sizes)?;
    Ok(sizes)
}

fn measure_size(
    db: &ArchiveDb,
    positions: &[Game],
    game_count: u64,
    position_count: u64,
) -> surus_archive::Result<ArchiveSizeResult> {
    let options = LookupOptions::default();
    let (mut counts, mut any) = ([0u32; 5], 0u32);
    for game in positions {
        let mut answered = false;
        for (count, tier) in counts.iter_mut().zip(TIERS) {
            let hit = lookup(db, game, tier, &options)?.hit.is_some();
            *count += u32::from(hit);
            answered |= hit;
        }
        any += u32::from(answered);
    }
    let fraction = |count: u32| f64::from(count) / positions.len().max(1) as f64;
    // The lookups above have warmed the cache.
    let times = mean_times(db, positions, &options)?.into_iter().map(|(_, time)| time).collect();
    Ok(ArchiveSizeResult {
        games: game_count,
        positions: position_count,
        hits: counts.map(fraction),
        any: fraction(any),
        times,
    })
}

/// Splits the rows of all files into eight parts, so that each part has rows of every file below its header line.
fn parts(experiment: &MimicExperiment<'_>, archive: &ArchiveSummary) -> Result<Vec<Vec<PathBuf>>, LabError> {
    let mut files = experiment.files.clone();
    files.extend(archive.files.iter().cloned());
    let mut parts: Vec<Vec<PathBuf>> = vec![Vec::new(); 8];
    for (index, file) in files.iter().enumerate() {
        let bytes = std::fs::read(file).map_err(|error| LabError::Io { path: file.clone(), error })?;
        let text = String::from_utf8_lossy(&bytes);
        if !surus_record::ArchiveFile::looks_like_archive(&text) {
            parts[0].push(file.clone());
            continue;
        }
        let mut lines = text.lines();
        let header = lines.next().unwrap_or_default();
        let rows: Vec<&str> = lines.collect();
        for (part, list) in parts.iter_mut().enumerate() {
            let part_rows: Vec<&str> = rows.iter().skip(part).step_by(8).copied().collect();
            let path = experiment.out.join(format!("part-{index}-{part}.txt"));
            std::fs::write(&path, format!("{header}\n{}\n", part_rows.join("\n")))
                .map_err(|error| LabError::Io { path: path.clone(), error })?;
            list.push(path);
        }
    }
    Ok(parts)
}

/// Positions with `mimic` to move, evenly spread over all games.
fn sample_positions(rows: &[MimicGame], count: usize) -> Vec<Game> {
    let total: usize = rows.iter().map(|row| row.turns.len()).sum();
    let step = (total / count.max(1)).max(1);
    let mut positions = Vec::new();
    let mut number = 0;
    for row in rows {
        let Ok(replay) =
            Record::parse(&row.record).and_then(|record| record.replay(Rules::Official, Handicap::None))
        else {
            continue;
        };
        let mut game = Game::default();
        for entry in replay.game.entries() {
            if let PlayedTurn::Turn(_) = entry.played
                && entry.tag.side == row.side()
            {
                number += 1;
                if number % step == 0 {
                    positions.push(game.clone());
                }
            }
            let played = match entry.played {
                PlayedTurn::Setup(setup) => game.play_setup(setup),
                PlayedTurn::Turn(turn) => game.play(&turn),
            };
            if played.is_err() {
                break;
            }
        }
    }
    positions
}
