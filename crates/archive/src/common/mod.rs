//! What was played in positions that very many games went through, counted beforehand: the empty board, the usual setups.

mod entries;

use std::collections::{BTreeMap, HashSet};

use surus_rules::Side;

use crate::error::Result;
use crate::import::Stored;
use crate::pack::turned;
use crate::rank::{About, PositionId, Rank};
use crate::store::{Row, Store};
use entries::Entries;
pub(crate) use entries::each_entry;

/// How those games went, for the side that played it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tally {
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

impl Tally {
    /// One game.
    pub(crate) fn of(id: PositionId, rank: Rank, about: About) -> Self {
        let rated = i64::from(0 < rank.rating());
        Self {
            games: 1,
            won: i64::from(rank.won()),
            lost: i64::from(!rank.won() && !about.undecided),
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
pub(crate) fn keys(store: &Store) -> Result<HashSet<i64>> {
    store.rows("SELECT DISTINCT full_key FROM common", &[])?.iter().map(|row| row.whole(0)).collect()
}

/// Setups that are looked at: a row is a whole setup, so that those behind can't add up to more.
const MOST_SETUPS: i64 = 200;

/// What is counted of a position.
pub(crate) struct Counted {
    pub(crate) sum: Tally,
    /// How many different turns, in any wording, or setups there are.
    pub(crate) distinct: usize,
    /// What was played, in the image that is kept.
    pub(crate) ways: Vec<(Vec<u8>, Tally)>,
}

/// What was played most often.
fn most_played() -> String {
    format!("SELECT {COLUMNS} FROM common WHERE full_key = $1 ORDER BY games DESC LIMIT $2")
}

/// How the database finds what is counted.
pub(crate) fn plan(store: &Store, key: i64) -> Result<Vec<String>> {
    store.plan(&most_played(), &[key.into(), MOST_SETUPS.into()])
}

/// What is counted of a position, if it is; of setups only the most common ones.
pub(crate) fn of(store: &Store, key: i64, setups: bool) -> Result<Option<Counted>> {
    let sql = format!("SELECT {COLUMNS} FROM common WHERE full_key = $1 AND next = $2");
    let Some(row) = store.rows(&sql, &[key.into(), Vec::new().into()])?.pop() else { return Ok(None) };
    let sum = tally(&row)?;
    let distinct = store.number("SELECT count(*) FROM common WHERE full_key = $1", &[key.into()])? - 1;
    let most = if setups { MOST_SETUPS + 1 } else { i64::MAX };
    let mut ways = Vec::new();
    store.each(&most_played(), &[key.into(), most.into()], |row| {
        let next = row.bytes(1)?.to_vec();
        if !next.is_empty() {
            ways.push((next, tally(&row)?));
        }
        Ok(true)
    })?;
    Ok(Some(Counted { sum, distinct: usize::try_from(distinct).unwrap_or(0), ways }))
}

/// What was played, in the image that is kept.
fn canonical(next: &[u8], side: Side, mirrored: bool) -> Vec<u8> {
    turned(next, mirrored, side == Side::Silver && next.len() != 8)
}

fn tally(row: &Row<'_>) -> Result<Tally> {
    Ok(Tally {
        games: row.whole(2)?,
        won: row.whole(3)?,
        lost: row.whole(4)?,
        rated: row.whole(5)?,
        ratings: row.whole(6)?,
        best: row.whole(7)?,
        best_standing: row.whole(8)?,
        last_year: row.whole(9)?,
    })
}

/// Counts one more game.
pub(crate) fn add(store: &Store, one: &Stored, game: i64) -> Result<()> {
    let id = PositionId::new(game, one.number, one.side);
    let (next, tally) =
        (canonical(&one.next, one.side, one.about.mirrored), Tally::of(id, one.rank, one.about));
    let key = one.keys.full;
    let sql = "SELECT games FROM common WHERE full_key = $1 AND next = $2";
    let there = store.number(sql, &[key.into(), Vec::new().into()])?;
    entries::add(store, key, there, (id, one.rank, one.about, &one.next))?;
    put(store, key, &next, &tally)?;
    put(store, key, &[], &tally)
}

fn put(store: &Store, key: i64, next: &[u8], more: &Tally) -> Result<()> {
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
    let Tally { games, won, lost, rated, ratings, best, best_standing, last_year } = *more;
    let values = [games, won, lost, rated, ratings, best, best_standing, last_year].map(Into::into);
    let first = [key.into(), next.to_vec().into()];
    store.execute(&sql, &[&first[..], &values[..]].concat())?;
    Ok(())
}

/// Counts everything again.
pub(crate) fn rebuild(store: &Store, from: u64) -> Result<()> {
    store.execute("DELETE FROM common", &[])?;
    store.execute("DELETE FROM common_entries", &[])?;
    let sql = "SELECT full_key FROM positions GROUP BY full_key HAVING count(*) >= $1";
    let keys: Vec<i64> = store
        .rows(sql, &[(from.max(1) as i64).into()])?
        .iter()
        .map(|row| row.whole(0))
        .collect::<Result<_>>()?;
    for key in keys {
        let mut ways: BTreeMap<Vec<u8>, Tally> = BTreeMap::new();
        let mut entries = Entries::default();
        each_position(store, key, |id, rank, about, next| {
            let tally = Tally::of(id, rank, about);
            ways.entry(canonical(next, id.side(), about.mirrored)).or_default().add(&tally);
            ways.entry(Vec::new()).or_default().add(&tally);
            entries.push(id, rank, about, next);
        })?;
        entries.write(store, key)?;
        for (next, tally) in &ways {
            put(store, key, next, tally)?;
        }
    }
    Ok(())
}

/// Visits every position of a key, the best first, out of the index alone.
pub(crate) fn each_position(
    store: &Store,
    key: i64,
    mut visit: impl FnMut(PositionId, Rank, About, &[u8]),
) -> Result<()> {
    let sql = "SELECT id, standing, about, next FROM positions WHERE full_key = $1";
    store.each(sql, &[key.into()], |row| {
        visit(PositionId(row.whole(0)?), Rank(row.int(1)?), About::unpack(row.int(2)?), row.bytes(3)?);
        Ok(true)
    })
}
