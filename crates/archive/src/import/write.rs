//! The writing end of the import pipeline.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::pipeline::ProcessedGame;
use super::reject::RejectedGame;
use super::transform::{GameRows, PositionRow};
use super::{ImportOptions, ImportProgress, ImportSummary};
use crate::error::{ArchiveError, Result};
use crate::position_stats;
use crate::store::{ArchiveDb, GAMES, ImportLock, POSITIONS, RECORDS, Value};

/// Imports with fewer new positions update existing indexes.
const INCREMENTAL_LIMIT: u64 = 200_000;

/// New positions after which the total is estimated.
const ESTIMATE_AFTER: u64 = 20_000;

pub(super) struct ImportWriter<'a> {
    store: &'a ArchiveDb,
    /// Concurrent imports would drop each other's indexes.
    _lock: ImportLock<'a>,
    /// Positions present before the import.
    existing: u64,
    /// Whether indexes are built at the end.
    bulk: bool,
    /// Keys of the positions with statistics.
    tracked: HashSet<i64>,
    stats_threshold: u64,
}

impl<'a> ImportWriter<'a> {
    /// Locks the archive; an empty one gets its indexes at the end.
    pub(super) fn new(store: &'a ArchiveDb, options: &ImportOptions) -> Result<Self> {
        let lock = store.lock_for_import()?;
        let existing = row_count(store, "positions")?;
        let (bulk, tracked) = (store.is_bulk_loading()?, HashSet::new());
        let stats_threshold = options.stats_threshold;
        let mut writer = Self { store, _lock: lock, existing, bulk, tracked, stats_threshold };
        if existing == 0 {
            writer.enter_bulk_mode()?;
        } else if !writer.bulk {
            writer.tracked = position_stats::tracked_keys(store)?;
        }
        Ok(writer)
    }

    /// Estimates the number of positions from `new` positions in `read` of `of` bytes. If it is large, indexes are built at the
    /// end, which is much faster. An import of duplicates never gets here.
    pub(super) fn update_estimate(&mut self, new: u64, read: u64, of: u64) -> Result<()> {
        let expected = (u128::from(new) * u128::from(of) / u128::from(read.max(1))) as u64;
        let many = new >= ESTIMATE_AFTER && expected > INCREMENTAL_LIMIT && expected > self.existing / 4;
        if many { self.enter_bulk_mode() } else { Ok(()) }
    }

    /// Drops the indexes. The archive cannot be queried until the import is complete.
    fn enter_bulk_mode(&mut self) -> Result<()> {
        let store = self.store;
        if !store.is_bulk_loading()? {
            store.transaction(|| {
                for (name, ..) in store.index_ddl() {
                    store.execute_batch(&format!("DROP INDEX IF EXISTS {name}"))?;
                }
                store.set_meta("bulk_load_in_progress", "1")
            })?;
        }
        self.bulk = true;
        self.tracked.clear();
        Ok(())
    }

    /// Adds a batch of games in one transaction.
    pub(super) fn add(
        &mut self,
        file: &Path,
        batch: Vec<ProcessedGame>,
        summary: &mut ImportSummary,
    ) -> Result<()> {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut new_games = Vec::with_capacity(batch.len());
        for ProcessedGame { line, game, .. } in batch {
            summary.games_read += 1;
            match game {
                Ok(game) => new_games.push(game),
                Err((id, reason, detail)) => {
                    summary.rejects.push(RejectedGame {
                        file: file.display().to_string(),
                        line,
                        id,
                        reason,
                        detail,
                    });
                }
            }
        }
        let (games, positions) = self.store.transaction(|| self.insert_new(&name, &mut new_games))?;
        summary.games_added += games;
        summary.positions += positions;
        summary.duplicates += new_games.len() as u64;
        Ok(())
    }

    /// Inserts new games and leaves the duplicates in `new_games`.
    fn insert_new(&self, name: &str, new_games: &mut Vec<GameRows>) -> Result<(u64, u64)> {
        let store = self.store;
        if !store.is_sqlite() {
            // Concurrent imports would assign the same ids.
            store.execute_batch("LOCK TABLE games IN EXCLUSIVE MODE")?;
        }
        let mut id = store.query_scalar("SELECT max(id) FROM games", &[])?;
        let mut seen = HashSet::new();
        let mut duplicates = Vec::new();
        let (mut games, mut records, mut positions) = (Vec::new(), Vec::new(), Vec::new());
        for game in new_games.drain(..) {
            let sql = "SELECT id FROM games WHERE dedup_key = $1";
            if !seen.insert(game.dedup_key.clone())
                || !store.query(sql, &[game.dedup_key.as_str().into()])?.is_empty()
            {
                duplicates.push(game);
                continue;
            }
            id += 1;
            let GameRows { dedup_key, columns, movelist, events, line, positions: stored } = game;
            let mut row = vec![id.into(), dedup_key.into()];
            row.extend(columns);
            row.extend([name.into(), (line as i64).into()]);
            games.push(row);
            records.push(vec![Value::from(id), movelist.into(), events.into()]);
            for position in &stored {
                positions.push(position.row(id));
                self.update_stats(position, id)?;
            }
        }
        *new_games = duplicates;
        store.insert_all(&GAMES, &games)?;
        store.insert_all(&RECORDS, &records)?;
        store.insert_all(&POSITIONS, &positions)?;
        let (games, positions) = (games.len() as u64, positions.len() as u64);
        for (table, added) in [("games", games), ("positions", positions)] {
            store.set_meta(table, &(row_count(store, table)? + added).to_string())?;
        }
        Ok((games, positions))
    }

    fn update_stats(&self, position: &PositionRow, game: i64) -> Result<()> {
        if self.tracked.contains(&position.keys.full) {
            position_stats::add(self.store, position, game)
        } else {
            Ok(())
        }
    }

    /// Ends the import of a single game: the first game of an archive needs the indexes, later ones only update them.
    pub(super) fn finish_single(self) -> Result<()> {
        if self.bulk {
            self.finish(&AtomicBool::new(false), &mut |_| {})?;
        }
        Ok(())
    }

    /// Builds the indexes; returns false if cancelled, in which case the next import completes the work.
    pub(super) fn finish(
        self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(ImportProgress<'_>),
    ) -> Result<bool> {
        let store = self.store;
        if self.bulk {
            for (_, description, sql) in store.index_ddl() {
                if stop.load(Ordering::Relaxed) {
                    return Ok(false);
                }
                progress(ImportProgress::BuildingIndex(description));
                store.execute_batch(&sql)?;
            }
        }
        // Small imports update only existing statistics: when the archive has doubled, more positions may qualify.
        let games = row_count(store, "games")?;
        if self.bulk || games >= self.stats_threshold && games >= 2 * row_count(store, "stats_game_count")? {
            progress(ImportProgress::BuildingIndex("position statistics"));
            store.transaction(|| {
                position_stats::rebuild(store, self.stats_threshold)?;
                store.set_meta("stats_game_count", &games.to_string())?;
                store.set_meta("bulk_load_in_progress", "0")
            })?;
        }
        store.optimize()?;
        Ok(true)
    }
}

/// The number of games or positions, read from the metadata.
pub(crate) fn row_count(store: &ArchiveDb, what: &str) -> Result<u64> {
    let Some(text) = store.meta(what)? else { return Ok(0) };
    text.parse().map_err(|_| ArchiveError::Corrupt(format!("the number of {what} is '{text}'")))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use surus_rules::Game;

    use super::*;
    use crate::store::DbLocation;
    use crate::synth::SyntheticGames;

    fn write_games(dir: &Path, games: u64, seed: u64) -> PathBuf {
        let (file, mut text) = (dir.join(format!("{seed}.txt")), Vec::new());
        SyntheticGames { games, seed }.write(&mut text, |_| true).unwrap();
        std::fs::write(&file, text).unwrap();
        file
    }

    #[test]
    fn a_full_disk_ends_an_import_and_loses_nothing() {
        let dir = std::env::temp_dir().join(format!("surus-full-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let location = DbLocation::Sqlite(dir.join("full.db"));
        let files = [write_games(&dir, 200, 12)];
        let options = ImportOptions { threads: 1, batch: 20, stats_threshold: 20 };
        let store = ArchiveDb::open_or_create(&location).unwrap();
        // SQLite reports this like a full disk.
        store.query("PRAGMA max_page_count = 300", &[]).unwrap();
        let stop = AtomicBool::new(false);
        let error = super::super::import(&store, &files, &options, &stop, &mut |_| ()).unwrap_err();
        assert!(error.to_string().contains("full"), "{error}");
        drop(store);
        let store = ArchiveDb::open_or_create(&location).unwrap();
        let before = row_count(&store, "games").unwrap();
        assert_eq!(store.query_scalar("SELECT count(*) FROM games", &[]).unwrap(), before as i64);
        assert!((20..200).contains(&before), "{before}");
        let summary = super::super::import(&store, &files, &options, &stop, &mut |_| ()).unwrap();
        assert_eq!(
            (summary.duplicates, summary.games_added, summary.completed),
            (before, 200 - before, true)
        );
        drop(store);
        std::fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn positions_that_become_common_by_small_imports_are_counted() {
        let dir = std::env::temp_dir().join(format!("surus-grows-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let store = ArchiveDb::open_or_create(&DbLocation::Sqlite(dir.join("grows.db"))).unwrap();
        let options = ImportOptions { threads: 1, batch: 50, stats_threshold: 20 };
        let (mut counted, mut filtered) = (Vec::new(), Vec::new());
        for (seed, games) in [(8, 12), (9, 4), (10, 20), (11, 8)] {
            let file = write_games(&dir, games, seed);
            super::super::import(&store, &[file], &options, &AtomicBool::new(false), &mut |_| ()).unwrap();
            let sql = "SELECT max(games) FROM position_stats WHERE played = $1";
            counted.push(store.query_scalar(sql, &[Vec::new().into()]).unwrap());
            // All games have a year, so that a filter by year scans them one by one.
            let filters = crate::filter::GameFilter { from_year: Some(1991), ..Default::default() };
            filtered.push(crate::explore::explore(&store, &Game::default(), &filters).unwrap().games);
        }
        // Every game passes the empty board, which has statistics from 20 games on.
        assert_eq!((counted, filtered), (vec![0, 0, 36, 44], vec![12, 16, 36, 44]));
        drop(store);
        std::fs::remove_dir_all(dir).unwrap();
    }
}
