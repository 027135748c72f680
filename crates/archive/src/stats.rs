//! Statistics of an archive.

use std::collections::BTreeMap;

use serde::Serialize;
use surus_rules::Game;

use crate::error::Result;
use crate::explore::{Mirrored, explore_with};
use crate::filter::GameFilter;
use crate::setups::{SetupOrder, SetupStats, setups};
use crate::store::{ArchiveDb, VERSION};

/// Statistics of an archive.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ArchiveStats {
    /// The schema version.
    pub version: i64,
    /// Games.
    pub games: u64,
    /// Positions.
    pub positions: u64,
    /// Bytes on disk.
    pub bytes: u64,
    /// Bytes per position.
    pub bytes_per_position: f64,
    /// Games by start year; 0 for unknown.
    pub years: BTreeMap<i64, u64>,
    /// Games by result: g, s, d, u.
    pub results: BTreeMap<String, u64>,
    /// Games by termination code.
    pub terminations: BTreeMap<String, u64>,
    /// Games by rule set.
    pub rules: BTreeMap<String, u64>,
    /// Games by length in turns of both sides, in tens: 40 stands for 40 to 49.
    pub lengths: BTreeMap<i64, u64>,
    /// The number of distinct setups of gold.
    pub distinct_setups: usize,
    /// The most frequent ones [McKee, table 5].
    pub setups: Vec<SetupStats>,
}

/// Computes the statistics, with the `top_setups` most frequent setups.
pub fn stats(store: &ArchiveDb, top_setups: usize) -> Result<ArchiveStats> {
    let mut lines = setups(store, &Game::default(), &GameFilter::default(), SetupOrder::Games)?;
    lines.truncate(top_setups);
    let positions = crate::import::row_count(store, "positions")?;
    let bytes = store.size()?;
    Ok(ArchiveStats {
        version: VERSION,
        games: crate::import::row_count(store, "games")?,
        positions,
        bytes,
        bytes_per_position: (10.0 * bytes as f64 / positions.max(1) as f64).round() / 10.0,
        years: years(store)?,
        results: count_by_text(store, "result")?,
        terminations: count_by_text(store, "termination")?,
        rules: count_by_text(store, "rules")?,
        lengths: count_by_number(store, "turns / 10 * 10")?,
        distinct_setups: explore_with(
            store,
            &Game::default(),
            &GameFilter::default(),
            0,
            Mirrored::Separate,
        )?
        .distinct_continuations,
        setups: lines,
    })
}

fn count_by_text(store: &ArchiveDb, column: &str) -> Result<BTreeMap<String, u64>> {
    let sql = format!("SELECT {column}, count(*) FROM games GROUP BY {column}");
    store.query(&sql, &[])?.iter().map(|row| Ok((row.text(0)?, row.get_i64(1)?.unsigned_abs()))).collect()
}

fn count_by_number(store: &ArchiveDb, value: &str) -> Result<BTreeMap<i64, u64>> {
    let sql = format!("SELECT {value}, count(*) FROM games GROUP BY 1");
    store
        .query(&sql, &[])?
        .iter()
        .map(|row| Ok((row.get_i64_or(0, 0)?, row.get_i64(1)?.unsigned_abs())))
        .collect()
}

/// Games by year. The database groups by day, because SQL dialects differ in date functions.
fn years(store: &ArchiveDb) -> Result<BTreeMap<i64, u64>> {
    let mut years = BTreeMap::new();
    for (day, count) in count_by_number(store, "coalesce(startts, 0) / 86400")? {
        let year = if day == 0 { 0 } else { crate::import::year(86_400 * day).unwrap_or(0).into() };
        *years.entry(year).or_default() += count;
    }
    Ok(years)
}
