//! Where a search stands: a position inside a turn, and what the turn looked like before.

use surus_rules::{Action, Board, Position};

use super::history;
use super::packed_turn::Plan;

/// A position in a turn that began somewhere, so many steps from the root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) position: Position,
    /// The board on which the turn began.
    pub(crate) start: Board,
    /// The boards of this turn so far; it never returns to one of them.
    pub(crate) seen: [u64; 5],
    pub(crate) seen_count: u8,
    /// Whether the other side would have a goal if this turn had been skipped.
    pub(crate) threatened: bool,
    /// Whether the turn before was a null turn.
    pub(crate) after_null: bool,
    /// Steps by which the line to here was extended.
    pub(crate) extended: u8,
    /// What was done last in this turn.
    pub(crate) last: Option<Action>,
    /// What was done last at all, as the memory knows it.
    pub(crate) before: u16,
    /// Steps of both sides since the root; a turn that ends early counts as four.
    pub(crate) ply: i32,
    /// Choices since the root.
    pub(crate) level: usize,
    /// Turns since the root.
    pub(crate) turn: u32,
    /// Which visit of the turn's start this belongs to: see [`super::turn_dedup`].
    pub(crate) visit: u32,
    /// What was good for the rest of this turn elsewhere.
    pub(crate) plan: Plan,
}

impl Place {
    pub(crate) fn new(position: Position, start: Board, ply: i32) -> Self {
        let seen = [start.key(), position.board().key(), 0, 0, 0];
        Self {
            position,
            start,
            seen,
            seen_count: 2,
            threatened: false,
            after_null: false,
            extended: 0,
            last: None,
            before: 0,
            ply,
            level: 0,
            turn: 0,
            visit: 0,
            plan: Plan::NONE,
        }
    }

    /// A step or displacement further into the turn.
    #[inline]
    pub(crate) fn after(&self, action: Action) -> Self {
        let mut next = *self;
        next.position = self.position.after_action(action);
        next.ply += i32::from(action.len());
        next.level += 1;
        next.last = Some(action);
        next.before = history::before(action, true);
        next.plan = Plan::NONE;
        if let Some(slot) = next.seen.get_mut(next.seen_count as usize) {
            *slot = next.position.board().key();
            next.seen_count += 1;
        }
        next
    }

    /// The other side's turn begins.
    #[inline]
    pub(crate) fn turn_over(&self) -> Self {
        let position = self.position.turn_over();
        let board = *position.board();
        Self {
            position,
            start: board,
            seen: [board.key(), 0, 0, 0, 0],
            seen_count: 1,
            threatened: false,
            after_null: false,
            extended: self.extended,
            last: None,
            before: self.last.map_or(0, |action| history::before(action, false)),
            ply: self.ply + i32::from(self.position.steps_left()),
            level: self.level + 1,
            turn: self.turn + 1,
            visit: 0,
            plan: Plan::NONE,
        }
    }

    #[inline]
    pub(crate) fn board(&self) -> &Board {
        self.position.board()
    }

    #[inline]
    pub(crate) fn is_turn_start(&self) -> bool {
        self.position.steps_taken() == 0
    }

    /// Whether this turn has been on this board.
    #[inline]
    pub(crate) fn has_seen(&self, board: &Board) -> bool {
        self.seen[..self.seen_count as usize].contains(&board.key())
    }

    /// In mid-turn what may follow depends on where the turn began, so the key does too.
    #[inline]
    pub(crate) fn key(&self) -> u64 {
        let key = self.position.key();
        if self.is_turn_start() {
            key
        } else {
            key ^ self.start.key().rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        }
    }
}
