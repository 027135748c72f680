//! What was played in positions that very many games went through, counted beforehand: the empty board, the usual setups.

mod entries;

use std::collections::{BTreeMap, HashSet};

use surus_rules::Side;

use crate::error::Result;
use crate::import::PositionRow;
use crate::pack::transform_turn;
use crate::rank::{PositionAttributes, PositionId, Rank};
use crate::store::{ArchiveDb, DbRow};
use entries::EntryBuffer;
pub(crate) use entries::for_each_entry;

/// How those games went, for the side that played it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ResultStats {
    pub(crate) games: i64,
    pub(crate) won: i64,
    pub(crate) lost: i64,
    pub(crate) rated: i64,
    pub(crate) ratings: i64,
    /// The position with the best rank, and that rank.
    pub(crate) best: i64,
    pub(crate) best_standing: i64,
    /// The year of the last of them, 0 if no year is known.
    pub(crate) last_year: i64,
}

impl ResultStats {
    /// One game.
    pub(crate) fn from_game(id: PositionId, rank: Rank, about: PositionAttributes) -> Self {
        let rated = i64::from(0 < rank.rating());
        Self {
            games: 1,
            won: i64::from(rank.won()),
            lost: i64::from(!rank.won() && !about.no_winner),
            rated,
            ratings: rank.rating().into(),
            best: id.0,
            best_standing: rank.0.into(),
            last_year: about.year.unwrap_or(0).into(),
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        if self.games == 0 || (other.best_standing, other.best) < (self.best_standing, self.best) {
            (self.best, self.best_standing) = (other.best, other.best_standing);
        }
        self.games += other.games;
        self.won += other.won;
        self.lost += other.lost;
        self.rated += other.rated;
        self.ratings += other.ratings;
        self.last_year = self.last_year.max(other.last_year);
    }
}

const COLUMNS: &str = "full_key, next, games, won, lost, rated, ratings, best, best_standing, last_year";

/// The positions that are counted beforehand.
pub(crate) fn tracked_keys(store: &ArchiveDb) -> Result<HashSet<i64>> {
    store.query("SELECT DISTINCT full_key FROM common", &[])?.iter().map(|row| row.get_i64(0)).collect()
}

/// Setups that are looked at: a row is a whole setup, so that those behind can't add up to more.
const MOST_SETUPS: i64 = 200;

/// What is counted of a position.
pub(crate) struct PositionStats {
    pub(crate) total: ResultStats,
    /// How many different turns, in any wording, or setups there are.
    pub(crate) distinct: usize,
    /// What was played, in the image that is kept.
    pub(crate) continuations: Vec<(Vec<u8>, ResultStats)>,
}

/// What was played most often.
fn most_played() -> String {
    format!("SELECT {COLUMNS} FROM common WHERE full_key = $1 ORDER BY games DESC LIMIT $2")
}

/// How the database finds what is counted.
pub(crate) fn explain(store: &ArchiveDb, key: i64) -> Result<Vec<String>> {
    store.explain(&most_played(), &[key.into(), MOST_SETUPS.into()])
}

/// What is counted of a position, if it is; of setups only the most common ones.
pub(crate) fn load(store: &ArchiveDb, key: i64, setups: bool) -> Result<Option<PositionStats>> {
    let sql = format!("SELECT {COLUMNS} FROM common WHERE full_key = $1 AND next = $2");
    let Some(row) = store.query(&sql, &[key.into(), Vec::new().into()])?.pop() else { return Ok(None) };
    let sum = tally(&row)?;
    let distinct = store.query_scalar("SELECT count(*) FROM common WHERE full_key = $1", &[key.into()])? - 1;
    let most = if setups { MOST_SETUPS + 1 } else { i64::MAX };
    let mut ways = Vec::new();
    store.for_each_row(&most_played(), &[key.into(), most.into()], |row| {
        let next = row.bytes(1)?.to_vec();
        if !next.is_empty() {
            ways.push((next, tally(&row)?));
        }
        Ok(true)
    })?;
    Ok(Some(PositionStats {
        total: sum,
        distinct: usize::try_from(distinct).unwrap_or(0),
        continuations: ways,
    }))
}

/// What was played, in the image that is kept.
fn canonical(next: &[u8], side: Side, mirrored: bool) -> Vec<u8> {
    transform_turn(next, mirrored, side == Side::Silver && next.len() != 8)
}

fn tally(row: &DbRow<'_>) -> Result<ResultStats> {
    Ok(ResultStats {
        games: row.get_i64(2)?,
        won: row.get_i64(3)?,
        lost: row.get_i64(4)?,
        rated: row.get_i64(5)?,
        ratings: row.get_i64(6)?,
        best: row.get_i64(7)?,
        best_standing: row.get_i64(8)?,
        last_year: row.get_i64(9)?,
    })
}

/// Counts one more game.
pub(crate) fn add(store: &ArchiveDb, one: &PositionRow, game: i64) -> Result<()> {
    let id = PositionId::new(game, one.number, one.side);
    let (next, tally) =
        (canonical(&one.next, one.side, one.about.mirrored), ResultStats::from_game(id, one.rank, one.about));
    let key = one.keys.full;
    let sql = "SELECT games FROM common WHERE full_key = $1 AND next = $2";
    let there = store.query_scalar(sql, &[key.into(), Vec::new().into()])?;
    entries::add(store, key, there, (id, one.rank, one.about, &one.next))?;
    upsert(store, key, &next, &tally)?;
    upsert(store, key, &[], &tally)
}

fn upsert(store: &ArchiveDb, key: i64, next: &[u8], more: &ResultStats) -> Result<()> {
    let sql = format!(
        "INSERT INTO common ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (full_key, next) DO UPDATE SET
             games = common.games + excluded.games,
             won = common.won + excluded.won,
             lost = common.lost + excluded.lost,
             rated = common.rated + excluded.rated,
             ratings = common.ratings + excluded.ratings,
             best = CASE WHEN excluded.best_standing < common.best_standing THEN excluded.best ELSE common.best END,
             best_standing = CASE WHEN excluded.best_standing < common.best_standing
                 THEN excluded.best_standing ELSE common.best_standing END,
             last_year = CASE WHEN excluded.last_year > common.last_year
                 THEN excluded.last_year ELSE common.last_year END"
    );
    let ResultStats { games, won, lost, rated, ratings, best, best_standing, last_year } = *more;
    let values = [games, won, lost, rated, ratings, best, best_standing, last_year].map(Into::into);
    let first = [key.into(), next.to_vec().into()];
    store.execute(&sql, &[&first[..], &values[..]].concat())?;
    Ok(())
}

/// Counts everything again.
pub(crate) fn rebuild(store: &ArchiveDb, from: u64) -> Result<()> {
    store.execute("DELETE FROM common", &[])?;
    store.execute("DELETE FROM common_entries", &[])?;
    let sql = "SELECT full_key FROM positions GROUP BY full_key HAVING count(*) >= $1";
    let keys: Vec<i64> = store
        .query(sql, &[(from.max(1) as i64).into()])?
        .iter()
        .map(|row| row.get_i64(0))
        .collect::<Result<_>>()?;
    for key in keys {
        let mut ways: BTreeMap<Vec<u8>, ResultStats> = BTreeMap::new();
        let mut entries = EntryBuffer::default();
        each_position(store, key, |id, rank, about, next| {
            let tally = ResultStats::from_game(id, rank, about);
            ways.entry(canonical(next, id.side(), about.mirrored)).or_default().add(&tally);
            ways.entry(Vec::new()).or_default().add(&tally);
            entries.push(id, rank, about, next);
        })?;
        entries.write(store, key)?;
        for (next, tally) in &ways {
            upsert(store, key, next, tally)?;
        }
    }
    Ok(())
}

/// Visits every position of a key, the best first, out of the index alone.
pub(crate) fn each_position(
    store: &ArchiveDb,
    key: i64,
    mut visit: impl FnMut(PositionId, Rank, PositionAttributes, &[u8]),
) -> Result<()> {
    let sql = "SELECT id, standing, about, next FROM positions WHERE full_key = $1";
    store.for_each_row(sql, &[key.into()], |row| {
        visit(
            PositionId(row.get_i64(0)?),
            Rank(row.get_i32(1)?),
            PositionAttributes::unpack(row.get_i32(2)?),
            row.bytes(3)?,
        );
        Ok(true)
    })
}
