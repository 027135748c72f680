//! Whether a side can score a goal in what is left of a turn.

mod helper_area;
mod search;

use surus_rules::{Board, Position, Side, Turn};

use crate::bit_action::StepSequence;
use crate::pending::for_each_resolved;
use crate::relative_board::{GOAL, RelativeBoard, any};
use search::solve;

/// The fewest steps in which a side that has so many left can bring a rabbit to its goal rank, nothing being
/// pending from a step before.
///
/// 0 where a rabbit stands there already: in mid-turn the turn may end with it; at a turn's start the game is over.
#[inline]
#[must_use]
pub fn steps_to_goal(board: &Board, side: Side, steps_left: u8) -> Option<u8> {
    fewest(&RelativeBoard::new(board, side), steps_left)
}

/// The shortest goal of `side` from the start of a turn, as steps; see [`steps_to_goal`].
#[must_use]
pub fn find_goal(board: &Board, side: Side, steps_left: u8) -> Option<Turn> {
    let field = RelativeBoard::new(board, side);
    let steps = fewest(&field, steps_left)?;
    let mut line = StepSequence::default();
    solvable(&field, steps, &mut line);
    Some(line.turn(board, side))
}

/// The same as [`find_goal`] for the side to move of a position that may be in the middle of a push or just after
/// a step that a pull can follow. The line begins with the step that comes next.
#[must_use]
pub fn find_goal_from(position: &Position) -> Option<Turn> {
    let mut best: Option<Turn> = None;
    for_each_resolved(position, |first, board, left| {
        let allowed = best
            .map_or(left, |best| (best.len() as u8).saturating_sub(1 + u8::from(first.is_some())).min(left));
        if let Some(rest) = find_goal(board, position.side(), allowed) {
            let turn: Turn = first.into_iter().chain(rest.steps()).collect();
            if best.is_none_or(|best| turn.len() < best.len()) {
                best = Some(turn);
            }
        }
    });
    best
}

#[inline]
pub(crate) fn fewest(field: &RelativeBoard, steps_left: u8) -> Option<u8> {
    let rabbits = field.rabbits();
    if rabbits & GOAL != 0 {
        return Some(0);
    }
    let most = steps_left.min(Turn::MAX as u8);
    // The ranks from which so many steps reach the goal.
    if most == 0 || rabbits & u64::MAX << (56 - 8 * u32::from(most)) == 0 {
        return None;
    }
    let mut line = StepSequence::default();
    if !solvable(field, most, &mut line) {
        return None;
    }
    (1..most).find(|&steps| solvable(field, steps, &mut line)).or(Some(most))
}

/// Whether a rabbit can be on its goal rank after at most so many steps, which are at least one.
fn solvable(field: &RelativeBoard, steps: u8, line: &mut StepSequence) -> bool {
    let near = field.rabbits() & u64::MAX << (56 - 8 * u32::from(steps.min(7)));
    any(near, |rabbit| solve(field, rabbit, u32::from(steps), line))
}

/// Some line with which a side with a full turn scores a goal, not always the shortest; none of its rabbits stands
/// on its goal rank yet.
pub(crate) fn any_goal(field: &RelativeBoard) -> Option<StepSequence> {
    let mut line = StepSequence::default();
    solvable(field, Turn::MAX as u8, &mut line).then_some(line)
}
