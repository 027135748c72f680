//! Checks by exhaustive generation whether a goal can be stopped.

use surus_rules::{Board, DistinctTurns, Position, Side, Turn};

use super::{Guidance, SearchStats, goal_in_one_turn};

/// The result of trying every turn of the defender.
#[derive(Clone, Debug)]
pub struct Forced {
    /// The number of distinct turns.
    pub turns: usize,
    /// The turns after which no goal is found.
    pub refutations: Vec<Turn>,
}

/// Searches for a goal after every turn of the defender. The goal is forced if the defender has a turn and none stops
/// it. Zones are not used for the defence.
#[must_use]
pub fn goal_is_forced(board: &Board, defender: Side, stats: &mut SearchStats) -> Forced {
    let Ok(start) = Position::new(*board, defender) else {
        return Forced { turns: 0, refutations: Vec::new() };
    };
    let turns = DistinctTurns::new(&start, board, 4);
    let attacker = defender.other();
    let stops = |after: &Board, stats: &mut SearchStats| {
        (after.rabbits(attacker) & attacker.goal()).is_empty()
            && goal_in_one_turn(after, attacker, 4, Guidance::EXTENDED, stats).is_none()
    };
    let refutations = turns.iter().filter(|(_, after)| stops(after, stats)).map(|(turn, _)| turn).collect();
    Forced { turns: turns.len(), refutations }
}
