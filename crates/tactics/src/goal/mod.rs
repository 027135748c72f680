//! Goals in the rest of a turn.

mod helper_area;
mod search;

use surus_rules::{Board, Position, Side, Turn};

use crate::bit_action::StepSequence;
use crate::pending::for_each_resolved;
use crate::relative_board::{GOAL, RelativeBoard, any};
use search::solve;

/// The fewest steps in which a side with `steps_left` steps can bring a rabbit to its goal rank. No push or pull may be
/// pending.
///
/// 0 if a rabbit is there already: in mid-turn the turn may end with it; at the start of a turn the game is over.
///
/// ```
/// use surus_rules::{Position, Side};
/// use surus_tactics::steps_to_goal;
///
/// let position: Position = "g [       r        R                                               ]".parse()?;
/// assert_eq!(steps_to_goal(position.board(), Side::Gold, 4), Some(2));
/// assert_eq!(steps_to_goal(position.board(), Side::Gold, 1), None);
/// # Ok::<(), surus_rules::PositionError>(())
/// ```
#[inline]
#[must_use]
pub fn steps_to_goal(board: &Board, side: Side, steps_left: u8) -> Option<u8> {
    fewest(&RelativeBoard::new(board, side), steps_left)
}

/// Whether `side` can bring a rabbit to its goal rank with `steps_left` steps: [`steps_to_goal`] without the search for
/// the fewest steps.
#[must_use]
pub fn has_goal(board: &Board, side: Side, steps_left: u8) -> bool {
    let relative = RelativeBoard::new(board, side);
    let steps = steps_left.min(Turn::MAX as u8);
    relative.rabbits() & GOAL != 0 || steps != 0 && solvable(&relative, steps, &mut StepSequence::default())
}

/// A shortest goal of `side`, as steps; see [`steps_to_goal`].
#[must_use]
pub fn find_goal(board: &Board, side: Side, steps_left: u8) -> Option<Turn> {
    let relative = RelativeBoard::new(board, side);
    let steps = fewest(&relative, steps_left)?;
    let mut line = StepSequence::default();
    solvable(&relative, steps, &mut line);
    Some(line.turn(board, side))
}

/// The same as [`find_goal`] for the side to move of a position with a possibly pending push or pull.
///
/// ```
/// use surus_rules::Position;
/// use surus_tactics::find_goal_from;
///
/// let start: Position = "g [       r        R                                               ]".parse()?;
/// let position = start.try_step("Ra6n".parse().unwrap()).unwrap();
/// assert_eq!(find_goal_from(&position).unwrap().to_string(), "Ra7n");
/// # Ok::<(), surus_rules::PositionError>(())
/// ```
#[must_use]
pub fn find_goal_from(position: &Position) -> Option<Turn> {
    let mut best: Option<Turn> = None;
    for_each_resolved(position, |first, board, steps_left| {
        // Only shorter goals than the best one matter.
        let limit = best.map_or(steps_left, |best| {
            (best.len() as u8).saturating_sub(1 + u8::from(first.is_some())).min(steps_left)
        });
        if let Some(rest) = find_goal(board, position.side(), limit) {
            let turn: Turn = first.into_iter().chain(rest.steps()).collect();
            if best.is_none_or(|best| turn.len() < best.len()) {
                best = Some(turn);
            }
        }
    });
    best
}

#[inline]
pub(crate) fn fewest(relative: &RelativeBoard, steps_left: u8) -> Option<u8> {
    let rabbits = relative.rabbits();
    if rabbits & GOAL != 0 {
        return Some(0);
    }
    let max_steps = steps_left.min(Turn::MAX as u8);
    // A rabbit must be within as many ranks of the goal.
    if max_steps == 0 || rabbits & u64::MAX << (56 - 8 * u32::from(max_steps)) == 0 {
        return None;
    }
    let mut line = StepSequence::default();
    if !solvable(relative, max_steps, &mut line) {
        return None;
    }
    (1..max_steps).find(|&steps| solvable(relative, steps, &mut line)).or(Some(max_steps))
}

/// Whether a rabbit can be on its goal rank after at most `steps` steps, at least one.
fn solvable(relative: &RelativeBoard, steps: u8, line: &mut StepSequence) -> bool {
    let near = relative.rabbits() & u64::MAX << (56 - 8 * u32::from(steps.min(7)));
    any(near, |rabbit| solve(relative, rabbit, u32::from(steps), line))
}

/// A goal within a full turn, not necessarily a shortest one. No rabbit may be on its goal rank.
pub(crate) fn any_goal(relative: &RelativeBoard) -> Option<StepSequence> {
    let mut line = StepSequence::default();
    solvable(relative, Turn::MAX as u8, &mut line).then_some(line)
}
