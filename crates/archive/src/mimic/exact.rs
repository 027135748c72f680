//! Wins that are proved instead of looked up.

use surus_play::Stop;
use surus_rules::{Game, Position, Turn, Turns};
use surus_tactics::{Defence, goal, goal_defences};

/// A turn after which the other side can neither score nor stop a goal; none if it was stopped before it found one.
///
/// A capture of all rabbits or a position without steps would win, too: only goals are looked for, as in the document's list.
pub(super) fn win_in_two(game: &Game, stop: &Stop) -> Option<Turn> {
    let side = game.side();
    let turns = Turns::new(game.position(), game.turn_start(), Turn::MAX as u8);
    for (index, (turn, board)) in turns.iter().enumerate() {
        if index % 256 == 0 && stop.requested() {
            return None;
        }
        if goal(board, side, Turn::MAX as u8).is_none() || game.third_repetition(board).is_some() {
            continue;
        }
        let Ok(answer) = Position::new(*board, side.other()) else { continue };
        if goal_defences(&answer, board) == Defence::None {
            return Some(turn);
        }
    }
    None
}
