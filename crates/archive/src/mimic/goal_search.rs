//! Wins that are proved instead of looked up.

use surus_play::StopToken;
use surus_rules::{DistinctTurns, Game, Position, Turn};
use surus_tactics::{GoalDefence, goal_defences, steps_to_goal};

/// A turn after which the other side can neither score nor stop a goal; none if it was stopped before it found one.
///
/// A capture of all rabbits or a position without steps would win, too: only goals are looked for, as in the document's list.
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
        let Ok(answer) = Position::new(*board, side.other()) else { continue };
        if goal_defences(&answer, board) == GoalDefence::Unstoppable {
            return Some(turn);
        }
    }
    None
}
