//! The end of an import that writes.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::pipeline::Worked;
use super::prepare::{Prepared, Stored};
use super::reject::Rejected;
use super::{Imported, Options, Progress};
use crate::common;
use crate::error::{ArchiveError, Result};
use crate::store::{Alone, GAMES, POSITIONS, RECORDS, Store, Value};

/// Below this many positions an import goes into the indexes that are there.
const SMALL: u64 = 200_000;

/// So many new positions tell what the rest of the files will bring.
const ENOUGH: u64 = 20_000;

pub(super) struct Writer<'a> {
    store: &'a Store,
    /// Two imports at once would take each other's indexes away.
    _alone: Alone<'a>,
    /// Positions that were there before.
    there: u64,
    /// Whether the indexes are made at the end.
    loading: bool,
    /// Positions whose turns are counted beforehand.
    common: HashSet<i64>,
    common_from: u64,
}

impl<'a> Writer<'a> {
    /// An empty store gets its indexes at the end.
    pub(super) fn begin(store: &'a Store, options: &Options) -> Result<Self> {
        let alone = store.alone()?;
        let there = count(store, "positions")?;
        let (loading, common) = (store.is_loading()?, HashSet::new());
        let common_from = options.common_from;
        let mut writer = Self { store, _alone: alone, there, loading, common, common_from };
        if there == 0 {
            writer.load()?;
        } else if !writer.loading {
            writer.common = common::keys(store)?;
        }
        Ok(writer)
    }

    /// So many positions are new, and so much of the files is read: if many more are to be expected, the indexes are made at the
    /// end, which is much faster. An import of games that are there changes nothing on its way either.
    pub(super) fn expect(&mut self, new: u64, read: u64, of: u64) -> Result<()> {
        let expected = (u128::from(new) * u128::from(of) / u128::from(read.max(1))) as u64;
        let many = ENOUGH <= new && SMALL < expected && self.there / 4 < expected;
        if many { self.load() } else { Ok(()) }
    }

    /// Takes the indexes away. Nobody can ask such a store before it is finished.
    fn load(&mut self) -> Result<()> {
        let store = self.store;
        if !store.is_loading()? {
            store.transaction(|| {
                for (name, ..) in store.index_texts() {
                    store.batch(&format!("DROP INDEX IF EXISTS {name}"))?;
                }
                store.set_meta("loading", "1")
            })?;
        }
        self.loading = true;
        self.common.clear();
        Ok(())
    }

    /// Adds what was played through, as one transaction.
    pub(super) fn add(&mut self, file: &Path, batch: Vec<Worked>, done: &mut Imported) -> Result<()> {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut fresh = Vec::with_capacity(batch.len());
        for Worked { line, game, .. } in batch {
            done.read += 1;
            match game {
                Ok(game) => fresh.push(game),
                Err((id, why, detail)) => {
                    done.list.push(Rejected { file: file.display().to_string(), line, id, why, detail });
                }
            }
        }
        let (games, positions) = self.store.transaction(|| self.keep(&name, &mut fresh))?;
        done.games += games;
        done.positions += positions;
        done.known += fresh.len() as u64;
        Ok(())
    }

    /// Adds the games that are not there, and leaves those that are.
    fn keep(&self, name: &str, fresh: &mut Vec<Prepared>) -> Result<(u64, u64)> {
        let store = self.store;
        if !store.is_sqlite() {
            // Two imports at once would give the same numbers to different games.
            store.batch("LOCK TABLE games IN EXCLUSIVE MODE")?;
        }
        let mut id = store.number("SELECT max(id) FROM games", &[])?;
        let mut seen = HashSet::new();
        let mut known = Vec::new();
        let (mut games, mut records, mut positions) = (Vec::new(), Vec::new(), Vec::new());
        for game in fresh.drain(..) {
            let there = "SELECT id FROM games WHERE origin = $1";
            if !seen.insert(game.origin.clone())
                || !store.rows(there, &[game.origin.as_str().into()])?.is_empty()
            {
                known.push(game);
                continue;
            }
            id += 1;
            let Prepared { origin, columns, movelist, events, line, positions: stored } = game;
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
            store.set_meta(what, &(count(store, what)? + more).to_string())?;
        }
        Ok((games, positions))
    }

    fn count(&self, one: &Stored, game: i64) -> Result<()> {
        if self.common.contains(&one.keys.full) { common::add(self.store, one, game) } else { Ok(()) }
    }

    /// After a single game: the first one of a store needs the indexes, which all others only add to.
    pub(super) fn finish_single(self) -> Result<()> {
        if self.loading {
            self.finish(&AtomicBool::new(false), &mut |_| {})?;
        }
        Ok(())
    }

    /// Makes the indexes; false if it was stopped on the way, which the next import completes.
    pub(super) fn finish(self, stop: &AtomicBool, progress: &mut dyn FnMut(Progress<'_>)) -> Result<bool> {
        let store = self.store;
        if self.loading {
            for (_, what, text) in store.index_texts() {
                if stop.load(Ordering::Relaxed) {
                    return Ok(false);
                }
                progress(Progress::Making(what));
                store.batch(&text)?;
            }
        }
        // Small imports only add to positions that are counted: when the store has doubled, others may be common.
        let games = count(store, "games")?;
        if self.loading || self.common_from <= games && 2 * count(store, "counted")? <= games {
            progress(Progress::Making("common positions"));
            store.transaction(|| {
                common::rebuild(store, self.common_from)?;
                store.set_meta("counted", &games.to_string())?;
                store.set_meta("loading", "0")
            })?;
        }
        store.tidy()?;
        Ok(true)
    }
}

/// How many games or positions there are, without counting them.
pub(crate) fn count(store: &Store, what: &str) -> Result<u64> {
    let Some(text) = store.meta(what)? else { return Ok(0) };
    text.parse().map_err(|_| ArchiveError::Damaged(format!("the number of {what} is '{text}'")))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use surus_rules::Game;

    use super::*;
    use crate::store::Place;
    use crate::synth::Synth;

    fn made(folder: &Path, games: u64, seed: u64) -> PathBuf {
        let (file, mut text) = (folder.join(format!("{seed}.txt")), Vec::new());
        Synth { games, seed }.write(&mut text, |_| true).unwrap();
        std::fs::write(&file, text).unwrap();
        file
    }

    #[test]
    fn a_full_disk_ends_an_import_and_loses_nothing() {
        let folder = std::env::temp_dir().join(format!("surus-full-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let place = Place::File(folder.join("full.db"));
        let files = [made(&folder, 200, 12)];
        let options = Options { threads: 1, batch: 20, common_from: 20 };
        let store = Store::create(&place).unwrap();
        // SQLite says the same where the disk has no more room.
        store.rows("PRAGMA max_page_count = 300", &[]).unwrap();
        let stop = AtomicBool::new(false);
        let error = super::super::import(&store, &files, &options, &stop, &mut |_| ()).unwrap_err();
        assert!(error.to_string().contains("full"), "{error}");
        drop(store);
        let store = Store::create(&place).unwrap();
        let before = count(&store, "games").unwrap();
        assert_eq!(store.number("SELECT count(*) FROM games", &[]).unwrap(), before as i64);
        assert!((20..200).contains(&before), "{before}");
        let done = super::super::import(&store, &files, &options, &stop, &mut |_| ()).unwrap();
        assert_eq!((done.known, done.games, done.finished), (before, 200 - before, true));
        drop(store);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn positions_that_become_common_by_small_imports_are_counted() {
        let folder = std::env::temp_dir().join(format!("surus-grows-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let store = Store::create(&Place::File(folder.join("grows.db"))).unwrap();
        let options = Options { threads: 1, batch: 50, common_from: 20 };
        let (mut counted, mut filtered) = (Vec::new(), Vec::new());
        for (seed, games) in [(8, 12), (9, 4), (10, 20), (11, 8)] {
            let file = made(&folder, games, seed);
            super::super::import(&store, &[file], &options, &AtomicBool::new(false), &mut |_| ()).unwrap();
            let sql = "SELECT max(games) FROM common WHERE next = $1";
            counted.push(store.number(sql, &[Vec::new().into()]).unwrap());
            // All games have a year, so that a filter by years counts them one by one.
            let filters = crate::filter::Filters { from_year: Some(1991), ..Default::default() };
            filtered.push(crate::explore::explore(&store, &Game::default(), &filters).unwrap().games);
        }
        // Every game goes through the empty board, which is common from the twentieth on.
        assert_eq!((counted, filtered), (vec![0, 0, 36, 44], vec![12, 16, 36, 44]));
        drop(store);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
