//! Forced goals, found by search.

use surus_play::StopToken;
use surus_rules::{DistinctTurns, Game, Position, Turn};
use surus_tactics::{Defences, goal_defences, steps_to_goal};

/// A turn after which the other side can neither reach goal nor prevent one; `None` if there is none or the search was
/// stopped. As in the list of known wins [McKee, table 7], only goals count, not eliminations or immobilisations.
pub(super) fn win_in_two(game: &Game, stop: &StopToken) -> Option<Turn> {
    let side = game.side();
    let turns = DistinctTurns::new(game.position(), game.turn_start(), Turn::MAX as u8);
    for (index, (turn, board)) in turns.iter().enumerate() {
        if index % 256 == 0 && stop.should_stop() {
            return None;
        }
        if steps_to_goal(board, side, Turn::MAX as u8).is_none() || game.third_repetition(board).is_some() {
            continue;
        }
        let Ok(reply) = Position::new(*board, side.other()) else { continue };
        if goal_defences(&reply, board) == Defences::Unstoppable {
            return Some(turn);
        }
    }
    None
}
