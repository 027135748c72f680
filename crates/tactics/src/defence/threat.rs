//! What a defence must end: a goal, or the capture of a piece.

use surus_rules::{Bitboard, Board, Side, Square, Step, Turn};

use crate::capture::search;
use crate::goal::any_goal;
use crate::relative_board::{GOAL, RelativeBoard};

/// A threat of the other side against the one to move.
pub(super) trait Threat {
    /// What it is directed against, apart from the board.
    type Target: Copy + Eq;

    /// The squares of which a turn must still touch one to end the threat; `None` if there is none.
    ///
    /// A line remains playable, with the same result, until one of the squares on which it depends is touched.
    fn squares(&self, board: &Board, target: Self::Target) -> Option<Bitboard>;

    /// The target after a step on a board.
    fn after_step(target: Self::Target, board: &Board, step: Step) -> Self::Target;

    /// Distinguishes equal boards with different targets.
    fn key(target: Self::Target) -> u64;
}

/// The other side has a goal.
pub(super) struct GoalThreat {
    pub(super) side: Side,
}

impl Threat for GoalThreat {
    type Target = ();

    #[inline]
    fn squares(&self, board: &Board, (): ()) -> Option<Bitboard> {
        goal_line(board, self.side)
    }

    #[inline]
    fn after_step((): (), _: &Board, _: Step) {}

    #[inline]
    fn key((): ()) -> u64 {
        0
    }
}

/// The other side can capture a piece. The target is the square of the piece, `None` once it is lost.
pub(super) struct CaptureThreat {
    pub(super) side: Side,
}

impl Threat for CaptureThreat {
    type Target = Option<Square>;

    fn squares(&self, board: &Board, target: Option<Square>) -> Option<Bitboard> {
        if has_goal(board, self.side) {
            return None;
        }
        let Some(square) = target else { return Some(Bitboard::EMPTY) };
        let other = self.side.other();
        let relative = RelativeBoard::new(board, other);
        // A rabbit that was displaced onto its goal rank must be displaced again.
        let arrived = relative.rabbits() & GOAL;
        if arrived != 0 {
            return Some(absolute(arrived, other));
        }
        let victim = if other == Side::Gold { square.bit() } else { square.bit().swap_bytes() };
        let mut line = None;
        search(&relative, Turn::MAX as u8, |found, _, sequence| {
            if found == victim {
                line = Some(*sequence);
            }
        });
        Some(absolute(line?.footprint(), other))
    }

    fn after_step(target: Option<Square>, board: &Board, step: Step) -> Option<Square> {
        let square = if target == Some(step.from()) { step.to() } else { target? };
        let is_lost = board.captured_by(step).is_some_and(|(_, trap)| trap == square);
        (!is_lost).then_some(square)
    }

    fn key(target: Option<Square>) -> u64 {
        let number = target.map_or(0, |square| square.index() as u64 + 1);
        number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// The squares on which a goal of the other side depends, if it has one after `side` ends its turn here.
pub(super) fn goal_line(board: &Board, side: Side) -> Option<Bitboard> {
    if has_goal(board, side) {
        return None;
    }
    let other = side.other();
    let relative = RelativeBoard::new(board, other);
    // A rabbit that was displaced onto its goal rank must be displaced again.
    let arrived = relative.rabbits() & GOAL;
    let footprint = if arrived == 0 { any_goal(&relative)?.footprint() } else { arrived };
    Some(absolute(footprint, other))
}

fn has_goal(board: &Board, side: Side) -> bool {
    !(board.rabbits(side) & side.goal()).is_empty()
}

/// A set of squares of a board relative to a side.
fn absolute(squares: u64, side: Side) -> Bitboard {
    Bitboard(if side == Side::Gold { squares } else { squares.swap_bytes() })
}
