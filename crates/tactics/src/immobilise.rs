//! Whether a side can leave the other without a step.

use surus_rules::{Board, Ending, Position, Reason, Rules, Side, Turn};

use crate::deed::Line;
use crate::field::{Field, TRAPS, east, west};
use crate::openings::for_each_opening;

/// A line of fewest steps after which the turn, which began on `start`, ends with the other side immobilised and
/// nothing else that ends the game before that. The position may have a push or pull pending.
///
/// Made to be exact and not to be fast: it is microseconds where the other side has many free pieces and can be
/// milliseconds where it has few.
#[must_use]
pub fn immobilisation_in(position: &Position, start: &Board) -> Option<Turn> {
    let side = position.side();
    let wins = |board: &Board| {
        let ending = Ending::of_board(board, side, Rules::Official);
        board != start && ending == Some(Ending::win(side, Reason::Immobilisation))
    };
    for steps in 0..=position.steps_left() {
        let mut best = None;
        for_each_opening(position, |first, board, _| {
            let taken = u8::from(first.is_some());
            if best.is_none() && taken <= steps {
                let mut line = Line::default();
                let field = Field::new(board, side);
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
    fn solve(&self, field: &Field, steps: u8, line: &mut Line) -> bool {
        if steps == 0 {
            return free(field) == 0 && {
                let end = line.turn(self.board, self.side).steps().fold(*self.board, |b, step| b.after(step));
                (self.wins)(&end)
            };
        }
        if most_lost(field, steps) < free(field).count_ones() {
            return false;
        }
        let before = *line;
        let mobile = field.mobile();
        let mut go_on = |deed: &crate::deed::Deed, next: &Field, left| {
            *line = before;
            line.add(deed);
            self.solve(next, left, line)
        };
        field.any_step(mobile, |deed, next| go_on(&deed, next, steps - 1))
            || 2 <= steps
                && field.any_displacement(mobile, field.foe, |deed, next| go_on(&deed, next, steps - 2))
    }
}

/// The enemy pieces that can take a step of their own.
fn free(field: &Field) -> u64 {
    let empty = field.empty();
    let officers = field.foe_mobile() & field.officers();
    let rabbits = field.foe_mobile() & !field.officers();
    let sides = |set| east(set) | west(set) | set << 8;
    officers & (sides(empty) | empty >> 8) | rabbits & sides(empty)
}

/// How many enemy pieces so many steps can rob of their steps.
///
/// An own step does that only to the pieces around the square it enters, three besides the square it came from.
/// A displacement: to the displaced piece; when pulled to the three other neighbours of where it was, which lose
/// a friend, and to three around the square that the puller enters; pushed, to fewer. If a piece on a trap dies
/// by it, to three more around that trap.
fn most_lost(field: &Field, steps: u8) -> u32 {
    let displacement = if field.foe & TRAPS == 0 { 7 } else { 10 };
    u32::from(steps % 2) * 3 + u32::from(steps / 2) * displacement
}
