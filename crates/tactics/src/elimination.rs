//! Whether a side can capture all enemy rabbits that are left.

use surus_rules::{Board, Position, Side, Turn};

use crate::bit_action::StepSequence;
use crate::capture::{capture_now, search};
use crate::pending::for_each_resolved;
use crate::relative_board::RelativeBoard;

/// A line of fewest steps that captures every enemy rabbit, for a side that has so many steps left, nothing being
/// pending from a step before. It is empty where there is none to capture.
#[must_use]
pub fn elimination(board: &Board, side: Side, steps_left: u8) -> Option<Turn> {
    let field = RelativeBoard::new(board, side);
    let steps_left = steps_left.min(Turn::MAX as u8);
    let rabbits = field.enemy_rabbits();
    // Each takes a displacement of its own, so of three there is always one left.
    let mut line = None;
    match rabbits.count_ones() {
        0 => return Some(Turn::EMPTY),
        1 => search(&field, steps_left, |victim, _, found| {
            if victim == rabbits {
                line = Some(*found);
            }
        }),
        2 if steps_left == 4 => line = both(&field),
        _ => {}
    }
    line.map(|line| line.turn(board, side))
}

/// Two displacements that capture a rabbit each.
fn both(field: &RelativeBoard) -> Option<StepSequence> {
    let mut line = None;
    field.any_displacement(field.mobile(), field.enemy, |first, next| {
        let last = next.enemy_rabbits();
        if last.is_power_of_two()
            && let Some(second) = capture_now(next, last)
        {
            let mut found = StepSequence::default();
            found.add(&first);
            found.add(&second);
            line = Some(found);
        }
        line.is_some()
    });
    line
}

/// The same as [`elimination`] for the side to move of a position that may have a push or pull pending.
#[must_use]
pub fn elimination_from(position: &Position) -> Option<Turn> {
    let mut best: Option<Turn> = None;
    for_each_resolved(position, |first, board, left| {
        if let Some(rest) = elimination(board, position.side(), left) {
            let turn: Turn = first.into_iter().chain(rest.steps()).collect();
            if best.is_none_or(|best| turn.len() < best.len()) {
                best = Some(turn);
            }
        }
    });
    best
}
