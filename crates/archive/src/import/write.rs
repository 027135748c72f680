//! The end of an import that writes.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::pipeline::Worked;
use super::prepare::{Prepared, Stored};
use super::reject::Rejected;
use super::{Imported, Options, Progress};
use crate::common;
use crate::error::Result;
use crate::store::{GAMES, POSITIONS, RECORDS, Store, Value};

/// Below this many positions an import goes into the indexes that are there.
const SMALL: u64 = 200_000;

pub(super) struct Writer<'a> {
    store: &'a Store,
    /// Whether the indexes are made at the end.
    loading: bool,
    /// Positions whose turns are counted beforehand.
    common: HashSet<i64>,
    common_from: u64,
}

impl<'a> Writer<'a> {
    /// Decides whether the indexes are made at the end, which is much faster for many games, and takes them away then. Nobody
    /// can ask such a store before it is finished.
    pub(super) fn begin(store: &'a Store, expected: u64, options: &Options) -> Result<Self> {
        let there = count(store, "positions")?;
        let many = SMALL < expected && there / 4 < expected;
        let loading = there == 0 || many || store.is_loading()?;
        if loading && !store.is_loading()? {
            store.transaction(|| {
                for (name, ..) in store.index_texts() {
                    store.batch(&format!("DROP INDEX IF EXISTS {name}"))?;
                }
                store.set_meta("loading", "1")
            })?;
        }
        let common = if loading { HashSet::new() } else { common::keys(store)? };
        Ok(Self { store, loading, common, common_from: options.common_from })
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
            progress(Progress::Making("common positions"));
            store.transaction(|| {
                common::rebuild(store, self.common_from)?;
                store.set_meta("loading", "0")
            })?;
        }
        store.tidy()?;
        Ok(true)
    }
}

/// How many games or positions there are, without counting them.
pub(crate) fn count(store: &Store, what: &str) -> Result<u64> {
    Ok(store.meta(what)?.and_then(|text| text.parse().ok()).unwrap_or(0))
}
