//! The archive in eighths: how often it answers, and how fast.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use surus_archive::import::{ImportOptions, import};
use surus_archive::{ArchiveDb, DbLocation, LookupOptions, lookup, mean_times};
use surus_play::StopToken;
use surus_rules::{Game, Handicap, PlayedTurn, Record, Rules};

use super::play::{MimicGame, TIERS};
use super::{ArchiveSummary, MimicExperiment, failed};
use crate::error::{LabError, read_json, write_json};

/// What was found at one size.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ArchiveSizeResult {
    /// Games in the archive.
    pub games: u64,
    /// Positions in the archive.
    pub positions: u64,
    /// The share of questions with an answer, for win, full, middle, area, piece.
    pub hits: [f64; 5],
    /// The share of questions that any of them answers.
    pub any: f64,
    /// Mean times in milliseconds: silver's setup, full, middle, area, piece.
    pub times: Vec<f64>,
}

/// Fills another archive eighth by eighth and asks it about positions that mimic met.
pub(super) fn measure(
    lab: &MimicExperiment<'_>,
    made: &ArchiveSummary,
    rows: &[MimicGame],
    stop: &StopToken,
    tell: &mut impl FnMut(&str),
) -> Result<Vec<ArchiveSizeResult>, LabError> {
    let told = lab.out.join("sizes.json");
    if let Some(sizes) = read_json(&told)? {
        return Ok(sizes);
    }
    let questions = questions(rows, lab.probe_positions);
    let place = lab.out.join("eighths.db");
    let _ = std::fs::remove_file(&place);
    let store = ArchiveDb::open_or_create(&DbLocation::Sqlite(place)).map_err(|error| failed(&error))?;
    let mut sizes: Vec<ArchiveSizeResult> = Vec::new();
    let (mut games, mut positions) = (0, 0);
    for part in parts(lab, made)? {
        if stop.should_stop() {
            return Ok(sizes);
        }
        let done = import(&store, &part, &ImportOptions::default(), &Default::default(), &mut |_| ())
            .map_err(|error| failed(&error))?;
        games += done.games_added;
        positions += done.positions;
        let size = size(&store, &questions, games, positions).map_err(|error| failed(&error))?;
        tell(&format!("{games} games: {:.1} % of the questions have an answer", 100.0 * size.any));
        sizes.push(size);
    }
    write_json(&told, &sizes)?;
    Ok(sizes)
}

fn size(
    store: &ArchiveDb,
    questions: &[Game],
    games: u64,
    positions: u64,
) -> surus_archive::Result<ArchiveSizeResult> {
    let options = LookupOptions::default();
    let (mut counts, mut any) = ([0u32; 5], 0u32);
    for game in questions {
        let mut found = false;
        for (count, tier) in counts.iter_mut().zip(TIERS) {
            let hit = lookup(store, game, tier, &options)?.hit.is_some();
            *count += u32::from(hit);
            found |= hit;
        }
        any += u32::from(found);
    }
    let share = |count: u32| f64::from(count) / questions.len().max(1) as f64;
    // Asked a second time: the cache is warm.
    let times = mean_times(store, questions, &options)?.into_iter().map(|(_, time)| time).collect();
    Ok(ArchiveSizeResult { games, positions, hits: counts.map(share), any: share(any), times })
}

/// The rows of all files in eight parts, each with the first line of its file: every eighth has some of every file.
fn parts(lab: &MimicExperiment<'_>, made: &ArchiveSummary) -> Result<Vec<Vec<PathBuf>>, LabError> {
    let mut files = lab.files.clone();
    files.extend(made.files.iter().cloned());
    let mut parts: Vec<Vec<PathBuf>> = vec![Vec::new(); 8];
    for (index, file) in files.iter().enumerate() {
        let bytes = std::fs::read(file).map_err(|error| LabError::Io { path: file.clone(), error })?;
        let text = String::from_utf8_lossy(&bytes);
        if !surus_record::Archive::looks_like_archive(&text) {
            parts[0].push(file.clone());
            continue;
        }
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        let rows: Vec<&str> = lines.collect();
        for (part, list) in parts.iter_mut().enumerate() {
            let some: Vec<&str> = rows.iter().skip(part).step_by(8).copied().collect();
            let path = lab.out.join(format!("part-{index}-{part}.txt"));
            std::fs::write(&path, format!("{first}\n{}\n", some.join("\n")))
                .map_err(|error| LabError::Io { path: path.clone(), error })?;
            list.push(path);
        }
    }
    Ok(parts)
}

/// Positions in which mimic was to move, spread over all games.
fn questions(rows: &[MimicGame], count: usize) -> Vec<Game> {
    let all: usize = rows.iter().map(|row| row.met.len()).sum();
    let step = (all / count.max(1)).max(1);
    let mut found = Vec::new();
    let mut number = 0;
    for row in rows {
        let Ok(whole) =
            Record::parse(&row.record).and_then(|record| record.replay(Rules::Official, Handicap::None))
        else {
            continue;
        };
        let mut game = Game::default();
        for entry in whole.game.entries() {
            if let PlayedTurn::Turn(_) = entry.played
                && entry.tag.side == row.side()
            {
                number += 1;
                if number % step == 0 {
                    found.push(game.clone());
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
    found
}
