//! Figures of a whole store.

use std::collections::BTreeMap;

use serde::Serialize;
use surus_rules::Game;

use crate::error::Result;
use crate::explore::explore;
use crate::filter::Filters;
use crate::setups::{SetupLine, SetupOrder, setups};
use crate::store::{Store, VERSION};

/// What is in a store.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Stats {
    /// The version of its tables.
    pub version: i64,
    /// Games.
    pub games: u64,
    /// Positions in which something was played.
    pub positions: u64,
    /// Bytes on disk.
    pub bytes: u64,
    /// Bytes for each position.
    pub bytes_per_position: f64,
    /// Games by the year they began in; 0 for those that don't tell.
    pub years: BTreeMap<i64, u64>,
    /// Games by result: g, s, d, u.
    pub results: BTreeMap<String, u64>,
    /// Games by termination, as the archive writes it.
    pub terminations: BTreeMap<String, u64>,
    /// Games by the rules they were played by.
    pub rules: BTreeMap<String, u64>,
    /// Games by the number of their turns of both sides, in tens: 40 stands for 40 to 49.
    pub lengths: BTreeMap<i64, u64>,
    /// How many different setups gold had.
    pub different_setups: usize,
    /// The most common ones: the document's table 5.
    pub setups: Vec<SetupLine>,
}

/// Counts a store, with so many of the most common setups.
pub fn stats(store: &Store, most: usize) -> Result<Stats> {
    let mut lines = setups(store, &Game::default(), &Filters::default(), SetupOrder::Games)?;
    lines.truncate(most);
    let positions = crate::import::count(store, "positions")?;
    let bytes = store.size()?;
    Ok(Stats {
        version: VERSION,
        games: crate::import::count(store, "games")?,
        positions,
        bytes,
        bytes_per_position: (10.0 * bytes as f64 / positions.max(1) as f64).round() / 10.0,
        years: years(store)?,
        results: by_text(store, "result")?,
        terminations: by_text(store, "termination")?,
        rules: by_text(store, "rules")?,
        lengths: by_number(store, "turns / 10 * 10")?,
        different_setups: explore(store, &Game::default(), &Filters::default())?.distinct,
        setups: lines,
    })
}

fn by_text(store: &Store, column: &str) -> Result<BTreeMap<String, u64>> {
    let sql = format!("SELECT {column}, count(*) FROM games GROUP BY {column}");
    store.rows(&sql, &[])?.iter().map(|row| Ok((row.text(0)?, row.whole(1)?.unsigned_abs()))).collect()
}

fn by_number(store: &Store, value: &str) -> Result<BTreeMap<i64, u64>> {
    let sql = format!("SELECT {value}, count(*) FROM games GROUP BY 1");
    store.rows(&sql, &[])?.iter().map(|row| Ok((row.whole_or(0, 0)?, row.whole(1)?.unsigned_abs()))).collect()
}

/// Days are counted in the database, years here: both databases have their own words for dates.
fn years(store: &Store) -> Result<BTreeMap<i64, u64>> {
    let mut years = BTreeMap::new();
    for (day, count) in by_number(store, "coalesce(startts, 0) / 86400")? {
        let year = if day == 0 { 0 } else { crate::import::year(86_400 * day).unwrap_or(0).into() };
        *years.entry(year).or_default() += count;
    }
    Ok(years)
}
