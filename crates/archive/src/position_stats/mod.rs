//! Precomputed statistics of positions with many games, such as the empty board and common setups.

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

/// Results from the point of view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ResultStats {
    pub(crate) games: i64,
    pub(crate) won: i64,
    pub(crate) lost: i64,
    pub(crate) rated_games: i64,
    pub(crate) rating_sum: i64,
    /// The position with the best rank, and that rank.
    pub(crate) top_position_id: i64,
    pub(crate) top_rank: i64,
    /// The year of the latest game, 0 if unknown.
    pub(crate) last_year: i64,
}

impl ResultStats {
    /// The statistics of one game.
    pub(crate) fn from_game(id: PositionId, rank: Rank, attributes: PositionAttributes) -> Self {
        let rated_games = i64::from(rank.rating() > 0);
        Self {
            games: 1,
            won: i64::from(rank.won()),
            lost: i64::from(!rank.won() && !attributes.no_winner),
            rated_games,
            rating_sum: rank.rating().into(),
            top_position_id: id.0,
            top_rank: rank.0.into(),
            last_year: attributes.year.unwrap_or(0).into(),
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        if self.games == 0 || (other.top_rank, other.top_position_id) < (self.top_rank, self.top_position_id)
        {
            (self.top_position_id, self.top_rank) = (other.top_position_id, other.top_rank);
        }
        self.games += other.games;
        self.won += other.won;
        self.lost += other.lost;
        self.rated_games += other.rated_games;
        self.rating_sum += other.rating_sum;
        self.last_year = self.last_year.max(other.last_year);
    }
}

const COLUMNS: &str =
    "full_key, played, games, won, lost, rated_games, rating_sum, top_position_id, top_rank, last_year";

/// The keys of the positions with statistics.
pub(crate) fn tracked_keys(store: &ArchiveDb) -> Result<HashSet<i64>> {
    let sql = "SELECT DISTINCT full_key FROM position_stats";
    store.query(sql, &[])?.iter().map(|row| row.get_i64(0)).collect()
}

/// The number of setups that are read: each is a distinct board, so that rarer ones cannot merge into more frequent ones.
const MAX_SETUPS: i64 = 200;

/// The statistics of a position.
pub(crate) struct PositionStats {
    pub(crate) total: ResultStats,
    /// The number of distinct turns (in any notation) or setups.
    pub(crate) distinct: usize,
    /// What was played, in the stored orientation.
    pub(crate) continuations: Vec<(Vec<u8>, ResultStats)>,
}

/// Selects the most frequent continuations.
fn most_played() -> String {
    format!("SELECT {COLUMNS} FROM position_stats WHERE full_key = $1 ORDER BY games DESC LIMIT $2")
}

/// The query plan.
pub(crate) fn explain(store: &ArchiveDb, key: i64) -> Result<Vec<String>> {
    store.explain(&most_played(), &[key.into(), MAX_SETUPS.into()])
}

/// Loads the statistics of a position, if it has any; of setups only the most frequent ones.
pub(crate) fn load(store: &ArchiveDb, key: i64, setups: bool) -> Result<Option<PositionStats>> {
    let sql = format!("SELECT {COLUMNS} FROM position_stats WHERE full_key = $1 AND played = $2");
    let Some(row) = store.query(&sql, &[key.into(), Vec::new().into()])?.pop() else { return Ok(None) };
    let total = stats(&row)?;
    let distinct =
        store.query_scalar("SELECT count(*) FROM position_stats WHERE full_key = $1", &[key.into()])? - 1;
    let limit = if setups { MAX_SETUPS + 1 } else { i64::MAX };
    let mut continuations = Vec::new();
    store.for_each_row(&most_played(), &[key.into(), limit.into()], |row| {
        let played = row.bytes(1)?.to_vec();
        if !played.is_empty() {
            continuations.push((played, stats(&row)?));
        }
        Ok(true)
    })?;
    Ok(Some(PositionStats { total, distinct: usize::try_from(distinct).unwrap_or(0), continuations }))
}

/// What was played, in the stored orientation.
fn canonical(played: &[u8], side: Side, mirrored: bool) -> Vec<u8> {
    transform_turn(played, mirrored, side == Side::Silver && played.len() != 8)
}

fn stats(row: &DbRow<'_>) -> Result<ResultStats> {
    Ok(ResultStats {
        games: row.get_i64(2)?,
        won: row.get_i64(3)?,
        lost: row.get_i64(4)?,
        rated_games: row.get_i64(5)?,
        rating_sum: row.get_i64(6)?,
        top_position_id: row.get_i64(7)?,
        top_rank: row.get_i64(8)?,
        last_year: row.get_i64(9)?,
    })
}

/// Adds a game to the statistics of its position.
pub(crate) fn add(store: &ArchiveDb, one: &PositionRow, game: i64) -> Result<()> {
    let id = PositionId::new(game, one.number, one.side);
    let (played, stats) = (
        canonical(&one.played, one.side, one.attributes.mirrored),
        ResultStats::from_game(id, one.rank, one.attributes),
    );
    let key = one.keys.full;
    let sql = "SELECT games FROM position_stats WHERE full_key = $1 AND played = $2";
    let existing = store.query_scalar(sql, &[key.into(), Vec::new().into()])?;
    entries::add(store, key, existing, id, one.rank, one.attributes, &one.played)?;
    upsert(store, key, &played, &stats)?;
    upsert(store, key, &[], &stats)
}

fn upsert(store: &ArchiveDb, key: i64, played: &[u8], added: &ResultStats) -> Result<()> {
    let sql = format!(
        "INSERT INTO position_stats ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (full_key, played) DO UPDATE SET
             games = position_stats.games + excluded.games,
             won = position_stats.won + excluded.won,
             lost = position_stats.lost + excluded.lost,
             rated_games = position_stats.rated_games + excluded.rated_games,
             rating_sum = position_stats.rating_sum + excluded.rating_sum,
             top_position_id = CASE WHEN excluded.top_rank < position_stats.top_rank THEN excluded.top_position_id ELSE position_stats.top_position_id END,
             top_rank = CASE WHEN excluded.top_rank < position_stats.top_rank
                 THEN excluded.top_rank ELSE position_stats.top_rank END,
             last_year = CASE WHEN excluded.last_year > position_stats.last_year
                 THEN excluded.last_year ELSE position_stats.last_year END"
    );
    let ResultStats { games, won, lost, rated_games, rating_sum, top_position_id, top_rank, last_year } =
        *added;
    let values =
        [games, won, lost, rated_games, rating_sum, top_position_id, top_rank, last_year].map(Into::into);
    let first = [key.into(), played.to_vec().into()];
    store.execute(&sql, &[&first[..], &values[..]].concat())?;
    Ok(())
}

/// Computes all statistics anew.
pub(crate) fn rebuild(store: &ArchiveDb, from: u64) -> Result<()> {
    store.execute("DELETE FROM position_stats", &[])?;
    store.execute("DELETE FROM position_stats_games", &[])?;
    let sql = "SELECT full_key FROM positions GROUP BY full_key HAVING count(*) >= $1";
    let keys: Vec<i64> = store
        .query(sql, &[(from.max(1) as i64).into()])?
        .iter()
        .map(|row| row.get_i64(0))
        .collect::<Result<_>>()?;
    for key in keys {
        let mut continuations: BTreeMap<Vec<u8>, ResultStats> = BTreeMap::new();
        let mut entries = EntryBuffer::default();
        for_each_position(store, key, |id, rank, attributes, played| {
            let stats = ResultStats::from_game(id, rank, attributes);
            continuations.entry(canonical(played, id.side(), attributes.mirrored)).or_default().add(&stats);
            continuations.entry(Vec::new()).or_default().add(&stats);
            entries.push(id, rank, attributes, played);
        })?;
        entries.write(store, key)?;
        for (played, stats) in &continuations {
            upsert(store, key, played, stats)?;
        }
    }
    Ok(())
}

/// Visits every position of a key in rank order, from the index alone.
pub(crate) fn for_each_position(
    store: &ArchiveDb,
    key: i64,
    mut visit: impl FnMut(PositionId, Rank, PositionAttributes, &[u8]),
) -> Result<()> {
    let sql = "SELECT id, rank, attributes, played FROM positions WHERE full_key = $1";
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
