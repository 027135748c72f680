//! The goal search without zones: lower bounds of distances, the yardstick of the zones.

use surus_rules::{Action, Bitboard, Board, Direction, Side, Square, Step};

use super::goal::ranks;
use super::moves::displaced;
use crate::abg::manhattan;

/// The run of a rabbit, as distances see it.
#[derive(Clone, Copy)]
pub(super) struct GoalDistances {
    pub(super) side: Side,
    pub(super) rabbit: Square,
}

impl GoalDistances {
    const fn ahead(&self) -> Direction {
        self.side.backward().opposite()
    }

    /// The rabbit and the squares straight ahead of it.
    fn path(&self) -> Bitboard {
        let mut path = Bitboard::from(self.rabbit);
        let mut next = path.shifted(self.ahead());
        while !next.is_empty() {
            path |= next;
            next = next.shifted(self.ahead());
        }
        path
    }

    /// The distance in ranks; one more if the rabbit is frozen or blocked, so that it cannot start with a step ahead.
    pub(super) fn lower_bound(&self, board: &Board) -> u8 {
        if !board.rabbits(self.side).contains(self.rabbit) {
            return u8::MAX;
        }
        let frozen = board.frozen(self.side).contains(self.rabbit);
        let front = self.rabbit.neighbour(self.ahead());
        let blocked = front.is_some_and(|front| board.piece_at(front).is_some());
        ranks(self.side, self.rabbit) + u8::from(frozen || blocked)
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
        // Without spare steps only the rabbit may step.
        let spare = left - ranks(self.side, self.rabbit);
        let (rabbit, step) = (self.rabbit, action.first);
        let front = Bitboard::from(rabbit).shifted(self.ahead());
        if let Some(moved) = displaced(action, self.side) {
            if spare < 2 || action.steps().any(|own| own.from() == rabbit) {
                return None;
            }
            let near = front.contains(moved.from()) || manhattan(moved.from(), rabbit) == 1;
            return Some(if near { 2 } else { 4 });
        }
        if step.from() == rabbit {
            return match step.direction() == self.ahead() {
                true => Some(0),
                false => (spare >= 1).then_some(3),
            };
        }
        if spare < 1 {
            return None;
        }
        let frozen = board.frozen(self.side).contains(rabbit);
        let covers = |step: Step| self.path().neighbours().contains(step.to());
        match () {
            () if front.contains(step.from()) => Some(1),
            () if frozen && manhattan(step.to(), rabbit) == 1 => Some(1),
            () if covers(step) => Some(2),
            () if manhattan(step.to(), rabbit) <= slack + 3 => Some(4),
            () => None,
        }
    }
}
