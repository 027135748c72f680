//! The end of an import that writes.

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

/// Below this many positions an import goes into the indexes that are there.
const INCREMENTAL_LIMIT: u64 = 200_000;

/// So many new positions tell what the rest of the files will bring.
const ESTIMATE_AFTER: u64 = 20_000;

pub(super) struct ImportWriter<'a> {
    store: &'a ArchiveDb,
    /// Two imports at once would take each other's indexes away.
    _lock: ImportLock<'a>,
    /// Positions that were there before.
    there: u64,
    /// Whether the indexes are made at the end.
    bulk: bool,
    /// Positions whose turns are counted beforehand.
    common: HashSet<i64>,
    common_from: u64,
}

impl<'a> ImportWriter<'a> {
    /// An empty store gets its indexes at the end.
    pub(super) fn begin(store: &'a ArchiveDb, options: &ImportOptions) -> Result<Self> {
        let alone = store.lock_for_import()?;
        let there = row_count(store, "positions")?;
        let (loading, common) = (store.is_loading()?, HashSet::new());
        let common_from = options.stats_threshold;
        let mut writer = Self { store, _lock: alone, there, bulk: loading, common, common_from };
        if there == 0 {
            writer.enter_bulk_mode()?;
        } else if !writer.bulk {
            writer.common = position_stats::tracked_keys(store)?;
        }
        Ok(writer)
    }

    /// So many positions are new, and so much of the files is read: if many more are to be expected, the indexes are made at the
    /// end, which is much faster. An import of games that are there changes nothing on its way either.
    pub(super) fn update_estimate(&mut self, new: u64, read: u64, of: u64) -> Result<()> {
        let expected = (u128::from(new) * u128::from(of) / u128::from(read.max(1))) as u64;
        let many = ESTIMATE_AFTER <= new && INCREMENTAL_LIMIT < expected && self.there / 4 < expected;
        if many { self.enter_bulk_mode() } else { Ok(()) }
    }

    /// Takes the indexes away. Nobody can ask such a store before it is finished.
    fn enter_bulk_mode(&mut self) -> Result<()> {
        let store = self.store;
        if !store.is_loading()? {
            store.transaction(|| {
                for (name, ..) in store.index_ddl() {
                    store.execute_batch(&format!("DROP INDEX IF EXISTS {name}"))?;
                }
                store.set_meta("loading", "1")
            })?;
        }
        self.bulk = true;
        self.common.clear();
        Ok(())
    }

    /// Adds what was played through, as one transaction.
    pub(super) fn add(
        &mut self,
        file: &Path,
        batch: Vec<ProcessedGame>,
        done: &mut ImportSummary,
    ) -> Result<()> {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut fresh = Vec::with_capacity(batch.len());
        for ProcessedGame { line, game, .. } in batch {
            done.read += 1;
            match game {
                Ok(game) => fresh.push(game),
                Err((id, why, detail)) => {
                    done.rejects.push(RejectedGame {
                        file: file.display().to_string(),
                        line,
                        id,
                        reason: why,
                        detail,
                    });
                }
            }
        }
        let (games, positions) = self.store.transaction(|| self.insert_new(&name, &mut fresh))?;
        done.games_added += games;
        done.positions += positions;
        done.duplicates += fresh.len() as u64;
        Ok(())
    }

    /// Adds the games that are not there, and leaves those that are.
    fn insert_new(&self, name: &str, fresh: &mut Vec<GameRows>) -> Result<(u64, u64)> {
        let store = self.store;
        if !store.is_sqlite() {
            // Two imports at once would give the same numbers to different games.
            store.execute_batch("LOCK TABLE games IN EXCLUSIVE MODE")?;
        }
        let mut id = store.query_scalar("SELECT max(id) FROM games", &[])?;
        let mut seen = HashSet::new();
        let mut known = Vec::new();
        let (mut games, mut records, mut positions) = (Vec::new(), Vec::new(), Vec::new());
        for game in fresh.drain(..) {
            let there = "SELECT id FROM games WHERE origin = $1";
            if !seen.insert(game.origin.clone())
                || !store.query(there, &[game.origin.as_str().into()])?.is_empty()
            {
                known.push(game);
                continue;
            }
            id += 1;
            let GameRows { origin, columns, movelist, events, line, positions: stored } = game;
            let mut row = vec![id.into(), origin.into()];
            row.extend(columns);
            row.extend([name.into(), (line as i64).into()]);
            games.push(row);
            records.push(vec![Value::from(id), movelist.into(), events.into()]);
            for one in &stored {
                positions.push(one.row(id));
                self.count(one, id)?;
            }
        }
        *fresh = known;
        store.insert_all(&GAMES, &games)?;
        store.insert_all(&RECORDS, &records)?;
        store.insert_all(&POSITIONS, &positions)?;
        let (games, positions) = (games.len() as u64, positions.len() as u64);
        for (what, more) in [("games", games), ("positions", positions)] {
            store.set_meta(what, &(row_count(store, what)? + more).to_string())?;
        }
        Ok((games, positions))
    }

    fn count(&self, one: &PositionRow, game: i64) -> Result<()> {
        if self.common.contains(&one.keys.full) { position_stats::add(self.store, one, game) } else { Ok(()) }
    }

    /// After a single game: the first one of a store needs the indexes, which all others only add to.
    pub(super) fn finish_single(self) -> Result<()> {
        if self.bulk {
            self.finish(&AtomicBool::new(false), &mut |_| {})?;
        }
        Ok(())
    }

    /// Makes the indexes; false if it was stopped on the way, which the next import completes.
    pub(super) fn finish(
        self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(ImportProgress<'_>),
    ) -> Result<bool> {
        let store = self.store;
        if self.bulk {
            for (_, what, text) in store.index_ddl() {
                if stop.load(Ordering::Relaxed) {
                    return Ok(false);
                }
                progress(ImportProgress::BuildingIndex(what));
                store.execute_batch(&text)?;
            }
        }
        // Small imports only add to positions that are counted: when the store has doubled, others may be common.
        let games = row_count(store, "games")?;
        if self.bulk || self.common_from <= games && 2 * row_count(store, "counted")? <= games {
            progress(ImportProgress::BuildingIndex("common positions"));
            store.transaction(|| {
                position_stats::rebuild(store, self.common_from)?;
                store.set_meta("counted", &games.to_string())?;
                store.set_meta("loading", "0")
            })?;
        }
        store.optimize()?;
        Ok(true)
    }
}

/// How many games or positions there are, without counting them.
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

    fn made(folder: &Path, games: u64, seed: u64) -> PathBuf {
        let (file, mut text) = (folder.join(format!("{seed}.txt")), Vec::new());
        SyntheticGames { games, seed }.write(&mut text, |_| true).unwrap();
        std::fs::write(&file, text).unwrap();
        file
    }

    #[test]
    fn a_full_disk_ends_an_import_and_loses_nothing() {
        let folder = std::env::temp_dir().join(format!("surus-full-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let place = DbLocation::Sqlite(folder.join("full.db"));
        let files = [made(&folder, 200, 12)];
        let options = ImportOptions { threads: 1, batch: 20, stats_threshold: 20 };
        let store = ArchiveDb::open_or_create(&place).unwrap();
        // SQLite says the same where the disk has no more room.
        store.query("PRAGMA max_page_count = 300", &[]).unwrap();
        let stop = AtomicBool::new(false);
        let error = super::super::import(&store, &files, &options, &stop, &mut |_| ()).unwrap_err();
        assert!(error.to_string().contains("full"), "{error}");
        drop(store);
        let store = ArchiveDb::open_or_create(&place).unwrap();
        let before = row_count(&store, "games").unwrap();
        assert_eq!(store.query_scalar("SELECT count(*) FROM games", &[]).unwrap(), before as i64);
        assert!((20..200).contains(&before), "{before}");
        let done = super::super::import(&store, &files, &options, &stop, &mut |_| ()).unwrap();
        assert_eq!((done.duplicates, done.games_added, done.completed), (before, 200 - before, true));
        drop(store);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn positions_that_become_common_by_small_imports_are_counted() {
        let folder = std::env::temp_dir().join(format!("surus-grows-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let store = ArchiveDb::open_or_create(&DbLocation::Sqlite(folder.join("grows.db"))).unwrap();
        let options = ImportOptions { threads: 1, batch: 50, stats_threshold: 20 };
        let (mut counted, mut filtered) = (Vec::new(), Vec::new());
        for (seed, games) in [(8, 12), (9, 4), (10, 20), (11, 8)] {
            let file = made(&folder, games, seed);
            super::super::import(&store, &[file], &options, &AtomicBool::new(false), &mut |_| ()).unwrap();
            let sql = "SELECT max(games) FROM common WHERE next = $1";
            counted.push(store.query_scalar(sql, &[Vec::new().into()]).unwrap());
            // All games have a year, so that a filter by years counts them one by one.
            let filters = crate::filter::GameFilter { from_year: Some(1991), ..Default::default() };
            filtered.push(crate::explore::explore(&store, &Game::default(), &filters).unwrap().games);
        }
        // Every game goes through the empty board, which is common from the twentieth on.
        assert_eq!((counted, filtered), (vec![0, 0, 36, 44], vec![12, 16, 36, 44]));
        drop(store);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
