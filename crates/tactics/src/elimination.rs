//! Capture of all remaining enemy rabbits in the rest of a turn.

use surus_rules::{Board, Position, Side, Turn};

use crate::bit_action::StepSequence;
use crate::capture::{capture_now, search};
use crate::pending::for_each_resolved;
use crate::relative_board::RelativeBoard;

/// A shortest sequence that captures all enemy rabbits, for a side with `steps_left` steps; empty if there are none. No push
/// or pull may be pending.
///
/// ```
/// use surus_rules::{Position, Side};
/// use surus_tactics::elimination;
///
/// let position: Position = "g [                   r                                    E      R]".parse()?;
/// assert_eq!(elimination(position.board(), Side::Gold, 4), None);
/// let position: Position = "g [                   rE                                   R       ]".parse()?;
/// assert_eq!(elimination(position.board(), Side::Gold, 4).unwrap().to_string(), "rd6w Ee6w");
/// # Ok::<(), surus_rules::PositionError>(())
/// ```
#[must_use]
pub fn elimination(board: &Board, side: Side, steps_left: u8) -> Option<Turn> {
    let relative = RelativeBoard::new(board, side);
    let steps_left = steps_left.min(Turn::MAX as u8);
    let rabbits = relative.enemy_rabbits();
    // Each capture takes a displacement, so at most two rabbits can be captured.
    let mut line = None;
    match rabbits.count_ones() {
        0 => return Some(Turn::EMPTY),
        1 => search(&relative, steps_left, |victim, _, found| {
            if victim == rabbits {
                line = Some(*found);
            }
        }),
        2 if steps_left == 4 => line = capture_two(&relative),
        _ => {}
    }
    line.map(|line| line.turn(board, side))
}

/// Two displacements, each of which captures a rabbit.
fn capture_two(relative: &RelativeBoard) -> Option<StepSequence> {
    let mut line = None;
    relative.any_displacement(relative.mobile(), relative.enemy, |first, next| {
        let last = next.enemy_rabbits();
        if last.is_power_of_two()
            && let Some(second) = capture_now(next, last)
        {
            let mut found = StepSequence::default();
            found.push(&first);
            found.push(&second);
            line = Some(found);
        }
        line.is_some()
    });
    line
}

/// The same as [`elimination`] for the side to move of a position with a possibly pending push or pull.
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
