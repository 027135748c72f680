//! Random samples of positions, for training and for test suites.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use surus_rules::{GameResult, Rules, Side};

use crate::error::Result;
use crate::filter::GameFilter;
use crate::pack::SetupOrTurn;
use crate::positions::{StoredPosition, for_each_position};
use crate::store::ArchiveDb;

/// What to sample.
#[derive(Clone, Debug)]
pub struct SampleOptions {
    /// The number of positions.
    pub count: usize,
    /// The random seed: the same seed and archive give the same positions.
    pub seed: u64,
    /// The first turn number; setups are never sampled.
    pub from_turn: u32,
    /// The last turn number.
    pub to_turn: u32,
    /// The side to move, if restricted.
    pub side: Option<Side>,
    /// The game filter, with the colours of the game.
    pub filters: GameFilter,
}

/// Samples positions uniformly, in the order of games and turns.
pub fn sample(store: &ArchiveDb, options: &SampleOptions) -> Result<Vec<StoredPosition>> {
    let mut rng = Pcg64Mcg::seed_from_u64(options.seed);
    let games = allowed_games(store, &options.filters)?;
    let mut drawn: Vec<StoredPosition> = Vec::new();
    let mut seen = 0usize;
    for_each_position(store, |one| {
        let (turn, side) = (one.id.turn(), one.id.side());
        let eligible = matches!(one.played, SetupOrTurn::Turn(_))
            && (options.from_turn..=options.to_turn).contains(&turn)
            && options.side.is_none_or(|only| only == side)
            && options.filters.matches(one.rank, one.attributes, side)
            && games.as_ref().is_none_or(|games| games.binary_search(&one.id.game()).is_ok())
            && GameResult::from_board(&one.board, side.other(), Rules::Official).is_none();
        if eligible && options.count > 0 {
            seen += 1;
            // Reservoir sampling.
            if drawn.len() < options.count {
                drawn.push(one);
            } else {
                let index = rng.random_range(0..seen);
                if let Some(slot) = drawn.get_mut(index) {
                    *slot = one;
                }
            }
        }
        Ok(true)
    })?;
    drawn.sort_by_key(|one| one.id);
    Ok(drawn)
}

/// The ids of the games that match the filter's names, in order; `None` if it has none.
fn allowed_games(store: &ArchiveDb, filters: &GameFilter) -> Result<Option<Vec<i64>>> {
    let (conditions, values) = filters.where_clause(1);
    if conditions.is_empty() {
        return Ok(None);
    }
    let sql = format!("SELECT g.id FROM games g WHERE 1 = 1 {conditions} ORDER BY g.id");
    store.query(&sql, &values)?.iter().map(|row| row.get_i64(0)).collect::<Result<_>>().map(Some)
}
