//! Positions drawn by chance, for learning and for suites.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use surus_rules::{GameResult, Rules, Side};

use crate::error::Result;
use crate::filter::GameFilter;
use crate::pack::SetupOrTurn;
use crate::positions::{StoredPosition, each_position};
use crate::store::ArchiveDb;

/// What to draw.
#[derive(Clone, Debug)]
pub struct SampleOptions {
    /// How many.
    pub count: usize,
    /// The same seed draws the same positions of the same store.
    pub seed: u64,
    /// From turns of this number on; setups are never drawn.
    pub from_turn: u32,
    /// Up to turns of this number.
    pub to_turn: u32,
    /// The side to move, if it matters.
    pub side: Option<Side>,
    /// Which games count; event, player and result in the colours of the game.
    pub filters: GameFilter,
}

/// Draws positions, every one that fits with the same chance, in the order of games and turns.
pub fn sample(store: &ArchiveDb, wanted: &SampleOptions) -> Result<Vec<StoredPosition>> {
    let mut chance = Pcg64Mcg::seed_from_u64(wanted.seed);
    let games = allowed_games(store, &wanted.filters)?;
    let mut drawn: Vec<StoredPosition> = Vec::new();
    let mut seen = 0usize;
    each_position(store, |one| {
        let (turn, side) = (one.id.turn(), one.id.side());
        let fits = matches!(one.next, SetupOrTurn::Turn(_))
            && (wanted.from_turn..=wanted.to_turn).contains(&turn)
            && wanted.side.is_none_or(|only| only == side)
            && wanted.filters.matches(one.rank, one.about, side)
            && games.as_ref().is_none_or(|games| games.binary_search(&one.id.game()).is_ok())
            && GameResult::from_board(&one.board, side.other(), Rules::Official).is_none();
        if fits && 0 < wanted.count {
            seen += 1;
            // A reservoir: the newcomer takes a random place while it has one.
            if drawn.len() < wanted.count {
                drawn.push(one);
            } else {
                let place = chance.random_range(0..seen);
                if let Some(slot) = drawn.get_mut(place) {
                    *slot = one;
                }
            }
        }
        Ok(true)
    })?;
    drawn.sort_by_key(|one| one.id);
    Ok(drawn)
}

/// The games that event and player allow, in order; nothing if all do.
fn allowed_games(store: &ArchiveDb, filters: &GameFilter) -> Result<Option<Vec<i64>>> {
    let (conditions, values) = filters.where_clause(1);
    if conditions.is_empty() {
        return Ok(None);
    }
    let sql = format!("SELECT g.id FROM games g WHERE 1 = 1 {conditions} ORDER BY g.id");
    store.query(&sql, &values)?.iter().map(|row| row.get_i64(0)).collect::<Result<_>>().map(Some)
}
