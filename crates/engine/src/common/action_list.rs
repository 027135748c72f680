//! Lists of packed actions.

use surus_rules::{Bitboard, Board, PackedAction, Side};

/// A list of actions without allocation.
#[derive(Clone, Debug)]
pub(crate) struct ActionList {
    all: [PackedAction; Self::MAX_LEN],
    len: usize,
}

impl ActionList {
    /// More than any position has; further actions are dropped.
    pub(crate) const MAX_LEN: usize = 256;

    pub(crate) const fn new() -> Self {
        Self { all: [PackedAction(0); Self::MAX_LEN], len: 0 }
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    #[inline]
    pub(crate) fn push(&mut self, action: PackedAction) {
        if let Some(slot) = self.all.get_mut(self.len) {
            *slot = action;
            self.len += 1;
        }
    }

    #[inline]
    pub(crate) fn as_mut(&mut self) -> &mut [PackedAction] {
        &mut self.all[..self.len]
    }

    /// Adds all actions of a side.
    pub(crate) fn add_all(&mut self, board: &Board, side: Side, steps_left: u8) {
        board.for_each_action(side, steps_left, |action| self.push(PackedAction::new(side, action)));
    }

    /// Adds the actions of some pieces of a side.
    pub(crate) fn add_by(&mut self, board: &Board, side: Side, movers: Bitboard, steps_left: u8) {
        board.for_each_action_by(side, movers, steps_left, |action| {
            self.push(PackedAction::new(side, action));
        });
    }
}
