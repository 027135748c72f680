//! What was played in positions that very many games went through, counted beforehand: the empty board, the usual setups.

use std::collections::{BTreeMap, HashSet};

use crate::error::Result;
use crate::import::Stored;
use crate::rank::{About, PositionId, Rank};
use crate::store::{Row, Store};

/// What was played in a position, in one wording and one of its images.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Way<'a> {
    /// 0 gold, 1 silver.
    pub(crate) side: i32,
    pub(crate) mirrored: i32,
    pub(crate) next: &'a [u8],
}

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
    }
}

const COLUMNS: &str = "full_key, side, mirrored, next, games, won, lost, rated, ratings, best, best_standing";

/// The positions that are counted beforehand.
pub(crate) fn keys(store: &Store) -> Result<HashSet<i64>> {
    store.rows("SELECT DISTINCT full_key FROM common", &[])?.iter().map(|row| row.whole(0)).collect()
}

/// What is counted of a position, if it is.
pub(crate) fn of(store: &Store, key: i64, mut visit: impl FnMut(Way<'_>, Tally)) -> Result<bool> {
    let mut found = false;
    let sql = format!("SELECT {COLUMNS} FROM common WHERE full_key = $1");
    store.each(&sql, &[key.into()], |row| {
        found = true;
        visit(Way { side: row.int(1)?, mirrored: row.int(2)?, next: row.bytes(3)? }, tally(&row)?);
        Ok(true)
    })?;
    Ok(found)
}

fn tally(row: &Row) -> Result<Tally> {
    Ok(Tally {
        games: row.whole(4)?,
        won: row.whole(5)?,
        lost: row.whole(6)?,
        rated: row.whole(7)?,
        ratings: row.whole(8)?,
        best: row.whole(9)?,
        best_standing: row.whole(10)?,
    })
}

/// Counts one more game.
pub(crate) fn add(store: &Store, one: &Stored, game: i64) -> Result<()> {
    let id = PositionId::new(game, one.number, one.side);
    let way = Way { side: one.side as i32, mirrored: i32::from(one.about.mirrored), next: &one.next };
    put(store, one.keys.full, way, &Tally::of(id, one.rank, one.about))
}

fn put(store: &Store, key: i64, way: Way<'_>, more: &Tally) -> Result<()> {
    // Gold's numbers and silver's can't be mixed up: a game is counted for the side that was to move.
    let sql = format!(
        "INSERT INTO common ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         ON CONFLICT (full_key, side, mirrored, next) DO UPDATE SET
             games = common.games + excluded.games,
             won = common.won + excluded.won,
             lost = common.lost + excluded.lost,
             rated = common.rated + excluded.rated,
             ratings = common.ratings + excluded.ratings,
             best = CASE WHEN excluded.best_standing < common.best_standing THEN excluded.best ELSE common.best END,
             best_standing = CASE WHEN excluded.best_standing < common.best_standing
                 THEN excluded.best_standing ELSE common.best_standing END"
    );
    let Tally { games, won, lost, rated, ratings, best, best_standing } = *more;
    let values = [games, won, lost, rated, ratings, best, best_standing].map(Into::into);
    let first = [key.into(), way.side.into(), way.mirrored.into(), way.next.to_vec().into()];
    store.execute(&sql, &[&first[..], &values[..]].concat())?;
    Ok(())
}

/// Counts everything again.
pub(crate) fn rebuild(store: &Store, from: u64) -> Result<()> {
    store.execute("DELETE FROM common", &[])?;
    let sql = "SELECT full_key FROM positions GROUP BY full_key HAVING count(*) >= $1";
    let keys: Vec<i64> = store
        .rows(sql, &[(from.max(1) as i64).into()])?
        .iter()
        .map(|row| row.whole(0))
        .collect::<Result<_>>()?;
    for key in keys {
        let mut ways: BTreeMap<(i32, i32, Vec<u8>), Tally> = BTreeMap::new();
        each_position(store, key, |id, rank, about, next| {
            let way = (id.side() as i32, i32::from(about.mirrored), next.to_vec());
            ways.entry(way).or_default().add(&Tally::of(id, rank, about));
        })?;
        for ((side, mirrored, next), tally) in &ways {
            put(store, key, Way { side: *side, mirrored: *mirrored, next }, tally)?;
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
