//! The capture search without zones: lower bounds of distances, the yardstick of the zones.

use surus_rules::{Action, Bitboard, Board, Side, Square, Step};

use super::moves::displaced;
use crate::abg::manhattan;

/// The capture of a piece in a trap, as distances see it.
#[derive(Clone, Copy)]
pub(super) struct CaptureDistances {
    pub(super) side: Side,
    pub(super) victim: Square,
    pub(super) trap: Square,
}

/// More steps than a turn has.
const UNREACHABLE: u8 = 16;

impl CaptureDistances {
    /// The enemy pieces next to the trap, except for the victim.
    pub(super) fn guards(&self, board: &Board) -> Bitboard {
        board.by_side(self.side.other())
            & Bitboard::from(self.trap).neighbours()
            & !Bitboard::from(self.victim)
    }

    /// Own pieces strong enough to displace the piece on a square.
    fn captors(&self, board: &Board, square: Square) -> Bitboard {
        board
            .piece_at(square)
            .map_or(Bitboard::EMPTY, |piece| board.by_side(self.side) & board.stronger_than(piece.kind()))
    }

    /// A lower bound of the steps until an own piece can displace the piece on a square.
    fn approach(&self, board: &Board, square: Square) -> u8 {
        let steps = |captor: Square| manhattan(captor, square).saturating_sub(1);
        self.captors(board, square).into_iter().map(steps).min().unwrap_or(UNREACHABLE)
    }

    /// The pieces to displace: the victim, or its guards if it is on the trap.
    fn to_displace(self, board: &Board) -> Bitboard {
        if self.victim == self.trap { self.guards(board) } else { self.victim.into() }
    }

    /// A lower bound of the steps. Each guard, and each square between the victim and the trap, takes a push or pull. A
    /// captor must approach the victim first; displacing a guard may bring it one square nearer.
    pub(super) fn lower_bound(&self, board: &Board) -> u8 {
        let guards = self.guards(board);
        let count = guards.len() as u8;
        if self.victim == self.trap {
            let first = guards.into_iter().map(|guard| self.approach(board, guard)).min();
            return 2 * count + first.unwrap_or(UNREACHABLE);
        }
        let approach = self.approach(board, self.victim);
        2 * (manhattan(self.victim, self.trap) + count) + approach.saturating_sub(count)
    }

    pub(super) fn for_each_action(&self, board: &Board, left: u8, mut add: impl FnMut(u8, Action)) {
        let Some(slack) = left.checked_sub(self.lower_bound(board)) else { return };
        board.for_each_action(self.side, left, |action| {
            if let Some(priority) = self.priority(board, &action, left, slack) {
                add(priority, action);
            }
        });
    }

    /// `slack` is the number of remaining steps beyond the lower bound.
    pub(super) fn priority(&self, board: &Board, action: &Action, left: u8, slack: u8) -> Option<u8> {
        let (victim, trap, first) = (self.victim, self.trap, action.first);
        let to_displace = self.to_displace(board);
        let around = |step: Step, to: Square, radius: u8| {
            manhattan(step.from(), to) <= radius || manhattan(step.to(), to) <= radius
        };
        let Some(step) = displaced(action, self.side) else {
            let comes_nearer = to_displace.into_iter().any(|square| {
                let captor = self.captors(board, square).contains(first.from());
                captor && manhattan(first.to(), square) < manhattan(first.from(), square)
            });
            // A single step cannot complete a capture: two steps must remain for a push or pull.
            return match () {
                () if left < 3 => None,
                () if comes_nearer => Some(1),
                () if slack == 0 => None,
                () if around(first, victim, 2) || around(first, trap, 1) => Some(3),
                () if manhattan(first.to(), victim) <= 4 => Some(5),
                () => None,
            };
        };
        let nearer = manhattan(step.to(), trap) < manhattan(step.from(), trap);
        match () {
            () if to_displace.contains(step.from()) && (nearer || victim == trap) => Some(0),
            () if step.from() == victim => (slack >= 2).then_some(6),
            () if self.guards(board).contains(step.from()) => Some(2),
            // Displacing another piece takes two steps and gains at most one.
            () if slack == 0 => None,
            () if around(step, victim, 2) || around(step, trap, 1) => Some(4),
            () => Some(5),
        }
    }
}
