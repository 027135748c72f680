//! Whether a side can leave the other without a step.

use surus_rules::{Board, GameResult, Position, Rules, Side, Termination, Turn};

use crate::bit_action::StepSequence;
use crate::pending::for_each_resolved;
use crate::relative_board::{RelativeBoard, TRAPS, east, west, with_neighbours};

/// A line of fewest steps after which the turn, which began on `start`, ends with the other side immobilised and
/// nothing else that ends the game before that. The position may have a push or pull pending.
///
/// Made to be exact and not to be fast: it is microseconds where the other side has many free pieces and can be
/// milliseconds where it has few.
#[must_use]
pub fn immobilisation_from(position: &Position, start: &Board) -> Option<Turn> {
    let side = position.side();
    let wins = |board: &Board| {
        let ending = GameResult::of_board(board, side, Rules::Official);
        board != start && ending == Some(GameResult::win(side, Termination::Immobilisation))
    };
    for steps in 0..=position.steps_left() {
        let mut best = None;
        for_each_resolved(position, |first, board, _| {
            let taken = u8::from(first.is_some());
            if best.is_none() && taken <= steps {
                let mut line = StepSequence::default();
                let field = RelativeBoard::new(board, side);
                let search = Search { board, side, wins: &wins };
                if search.solve(&field, steps - taken, &mut line) {
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
    /// Whether exactly so many steps immobilise; `line` holds those before and then all of them.
    fn solve(&self, field: &RelativeBoard, steps: u8, line: &mut StepSequence) -> bool {
        if steps == 0 {
            return free(field) == 0 && {
                let end =
                    line.turn(self.board, self.side).steps().fold(*self.board, |b, step| b.after_step(step));
                (self.wins)(&end)
            };
        }
        if !conceivable(field, steps) {
            return false;
        }
        let before = *line;
        let mobile = field.mobile();
        let mut go_on = |deed: &crate::bit_action::BitAction, next: &RelativeBoard, left| {
            *line = before;
            line.add(deed);
            self.solve(next, left, line)
        };
        field.any_step(mobile, |deed, next| go_on(&deed, next, steps - 1))
            || 2 <= steps
                && field.any_displacement(mobile, field.enemy, |deed, next| go_on(&deed, next, steps - 2))
    }
}

/// The enemy pieces that can take a step of their own.
#[inline]
fn free(field: &RelativeBoard) -> u64 {
    let (empty, mobile) = (field.empty(), field.enemy_mobile());
    let sides = east(empty) | west(empty) | empty << 8;
    mobile & (sides | empty >> 8 & field.officers())
}

/// False only where so many steps can't rob the other side of all its steps.
///
/// A piece keeps its steps while nothing changes around it. The squares that change are no further from where an
/// own piece stands now than there are steps: an own step goes one further, a displacement, with its two steps,
/// changes squares up to two from the piece that does it, a trap included where it makes a guarded piece die.
///
/// And an own step robs only pieces around the square it enters, three besides the square it came from. A
/// displacement: the displaced piece; when pulled the three other neighbours of where it was, which lose a friend,
/// and three around the square that the puller enters; pushed, fewer. If a piece on a trap dies by it, three more
/// around that trap.
#[inline]
fn conceivable(field: &RelativeBoard, steps: u8) -> bool {
    let free = free(field);
    let mut near = with_neighbours(field.own);
    for _ in 0..steps {
        near = with_neighbours(near);
    }
    let displacement = if field.enemy & TRAPS == 0 { 7 } else { 10 };
    let most = u32::from(steps % 2) * 3 + u32::from(steps / 2) * displacement;
    free & !near == 0 && free.count_ones() <= most
}
