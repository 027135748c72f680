//! Whether a goal can't be stopped, by trying every turn of the defender.

use surus_rules::{Board, DistinctTurns, Position, Side, Turn};

use super::{SearchStats, goal_in_one_turn};
use crate::Fidelity::Extended;

/// What the defender's turns come to.
#[derive(Clone, Debug)]
pub struct Forced {
    /// How many different turns there are.
    pub turns: usize,
    /// Those after which no goal is found.
    pub refutations: Vec<Turn>,
}

/// Tries every turn of the defender and looks for a goal after each: a goal is forced if none stops it and there is a
/// turn at all. No zone is trusted with the defence.
#[must_use]
pub fn goal_is_forced(board: &Board, defender: Side, effort: &mut SearchStats) -> Forced {
    let Ok(start) = Position::new(*board, defender) else {
        return Forced { turns: 0, refutations: Vec::new() };
    };
    let turns = DistinctTurns::new(&start, board, 4);
    let attacker = defender.other();
    let stops = |after: &Board, effort: &mut SearchStats| {
        (after.rabbits(attacker) & attacker.goal()).is_empty()
            && goal_in_one_turn(after, attacker, 4, Extended, effort).is_none()
    };
    let stopping = turns.iter().filter(|(_, after)| stops(after, effort)).map(|(turn, _)| turn).collect();
    Forced { turns: turns.len(), refutations: stopping }
}
