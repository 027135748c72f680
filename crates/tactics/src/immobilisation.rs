//! Immobilisation of the other side in the rest of a turn.

use surus_rules::{Board, GameResult, Position, Rules, Side, Termination, Turn};

use crate::bit_action::StepSequence;
use crate::pending::for_each_resolved;
use crate::relative_board::{RelativeBoard, TRAPS, east, west, with_neighbours};

/// A shortest sequence that finishes the turn, which started on `start`, with a win by immobilisation. A push or pull may be
/// pending.
///
/// Exact rather than fast: it takes microseconds if the other side has many free pieces, and up to milliseconds if it has
/// few.
///
/// ```
/// use surus_rules::Position;
/// use surus_tactics::immobilisation_from;
///
/// // The elephant freezes silver's only piece.
/// let position: Position = "g [r E                                                      R      ]".parse()?;
/// assert_eq!(immobilisation_from(&position, position.board()).unwrap().len(), 1);
/// # Ok::<(), surus_rules::PositionError>(())
/// ```
#[must_use]
pub fn immobilisation_from(position: &Position, start: &Board) -> Option<Turn> {
    let side = position.side();
    let wins = |board: &Board| {
        let result = GameResult::from_board(board, side, Rules::Official);
        board != start && result == Some(GameResult::win(side, Termination::Immobilisation))
    };
    for steps in 0..=position.steps_left() {
        let mut best = None;
        for_each_resolved(position, |first, board, _| {
            let taken = u8::from(first.is_some());
            if best.is_none() && taken <= steps {
                let mut line = StepSequence::default();
                let relative = RelativeBoard::new(board, side);
                let search = Search { board, side, wins: &wins };
                if search.solve(&relative, steps - taken, &mut line) {
                    best = Some(first.into_iter().chain(line.turn(board, side).steps()).collect());
                }
            }
        });
        if best.is_some() {
            return best;
        }
    }
    None
}

struct Search<'a, F> {
    board: &'a Board,
    side: Side,
    wins: &'a F,
}

impl<F: Fn(&Board) -> bool> Search<'_, F> {
    /// Whether exactly `steps` steps immobilise; they are appended to `line`.
    fn solve(&self, relative: &RelativeBoard, steps: u8, line: &mut StepSequence) -> bool {
        if steps == 0 {
            return free(relative) == 0 && {
                let end =
                    line.turn(self.board, self.side).steps().fold(*self.board, |b, step| b.after_step(step));
                (self.wins)(&end)
            };
        }
        if !not_ruled_out(relative, steps) {
            return false;
        }
        let before = *line;
        let mobile = relative.mobile();
        let mut continue_with = |action: &crate::bit_action::BitAction, next: &RelativeBoard, left| {
            *line = before;
            line.push(action);
            self.solve(next, left, line)
        };
        relative.any_step(mobile, |action, next| continue_with(&action, next, steps - 1))
            || steps >= 2
                && relative.any_displacement(mobile, relative.enemy, |action, next| {
                    continue_with(&action, next, steps - 2)
                })
    }
}

/// The enemy pieces that can step.
#[inline]
fn free(relative: &RelativeBoard) -> u64 {
    let (empty, mobile) = (relative.empty(), relative.enemy_mobile());
    let sides = east(empty) | west(empty) | empty << 8;
    mobile & (sides | empty >> 8 & relative.officers())
}

/// False only if `steps` steps cannot immobilise the other side.
///
/// A piece keeps its steps while nothing changes around it. The changing squares are at most `steps` away from the present
/// square of an own piece: an own step reaches one further; a displacement changes squares up to two away from the
/// displacing piece, including a trap on which it captures.
///
/// An own step affects only pieces around the square it enters: three besides the square it came from. A pull affects the
/// displaced piece, the three other neighbours of its former square, which lose a friend, and three around the square that
/// the puller enters; a push affects fewer. If a piece on a trap is captured, three more around that trap are affected.
#[inline]
fn not_ruled_out(relative: &RelativeBoard, steps: u8) -> bool {
    let free = free(relative);
    let mut near = with_neighbours(relative.own);
    for _ in 0..steps {
        near = with_neighbours(near);
    }
    let displacement = if relative.enemy & TRAPS == 0 { 7 } else { 10 };
    let max_affected = u32::from(steps % 2) * 3 + u32::from(steps / 2) * displacement;
    free & !near == 0 && free.count_ones() <= max_affected
}
