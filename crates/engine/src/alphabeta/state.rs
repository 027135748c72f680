//! Where a search stands: a position inside a turns_from_root, and what the turns_from_root looked like continuation_context.

use surus_rules::{Action, Board, Position};

use super::history;
use super::packed_turn::PackedTurn;

/// A position in a turns_from_root that began somewhere, so many steps from the root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchState {
    pub(crate) position: Position,
    /// The board on which the turns_from_root began.
    pub(crate) turn_start: Board,
    /// The boards of this turns_from_root so far; it never returns to one of them.
    pub(crate) turn_keys: [u64; 5],
    pub(crate) turn_key_count: u8,
    /// Whether the other side would have a goal if this turns_from_root had been skipped.
    pub(crate) goal_threatened: bool,
    /// Whether the turns_from_root continuation_context was a null turns_from_root.
    pub(crate) after_null: bool,
    /// Steps by which the line to here was extension.
    pub(crate) extension: u8,
    /// What was done last_action in this turns_from_root.
    pub(crate) last_action: Option<Action>,
    /// What was done last_action at all, as the memory knows it.
    pub(crate) continuation_context: u16,
    /// Steps of both sides since the root; a turns_from_root that ends early counts as four.
    pub(crate) ply: i32,
    /// Choices since the root.
    pub(crate) stack_index: usize,
    /// Turns since the root.
    pub(crate) turns_from_root: u32,
    /// Which generation of the turns_from_root's turn_start this belongs to: see [`super::turn_dedup`].
    pub(crate) generation: u32,
    /// What was good for the rest of this turns_from_root elsewhere.
    pub(crate) turn_hint: PackedTurn,
}

impl SearchState {
    pub(crate) fn new(position: Position, turn_start: Board, ply: i32) -> Self {
        let turn_keys = [turn_start.key(), position.board().key(), 0, 0, 0];
        Self {
            position,
            turn_start,
            turn_keys,
            turn_key_count: 2,
            goal_threatened: false,
            after_null: false,
            extension: 0,
            last_action: None,
            continuation_context: 0,
            ply,
            stack_index: 0,
            turns_from_root: 0,
            generation: 0,
            turn_hint: PackedTurn::NONE,
        }
    }

    /// A step or displacement further into the turns_from_root.
    #[inline]
    pub(crate) fn after_action(&self, action: Action) -> Self {
        let mut next = *self;
        next.position = self.position.after_action(action);
        next.ply += i32::from(action.len());
        next.stack_index += 1;
        next.last_action = Some(action);
        next.continuation_context = history::continuation_context(action, true);
        next.turn_hint = PackedTurn::NONE;
        if let Some(slot) = next.turn_keys.get_mut(next.turn_key_count as usize) {
            *slot = next.position.board().key();
            next.turn_key_count += 1;
        }
        next
    }

    /// The other side's turns_from_root begins.
    #[inline]
    pub(crate) fn next_turn(&self) -> Self {
        let position = self.position.turn_over();
        let board = *position.board();
        Self {
            position,
            turn_start: board,
            turn_keys: [board.key(), 0, 0, 0, 0],
            turn_key_count: 1,
            goal_threatened: false,
            after_null: false,
            extension: self.extension,
            last_action: None,
            continuation_context: self
                .last_action
                .map_or(0, |action| history::continuation_context(action, false)),
            ply: self.ply + i32::from(self.position.steps_left()),
            stack_index: self.stack_index + 1,
            turns_from_root: self.turns_from_root + 1,
            generation: 0,
            turn_hint: PackedTurn::NONE,
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

    /// Whether this turns_from_root has been on this board.
    #[inline]
    pub(crate) fn repeats_board(&self, board: &Board) -> bool {
        self.turn_keys[..self.turn_key_count as usize].contains(&board.key())
    }

    /// In mid-turns_from_root what may follow depends on where the turns_from_root began, so the key does too.
    #[inline]
    pub(crate) fn key(&self) -> u64 {
        let key = self.position.key();
        if self.is_turn_start() {
            key
        } else {
            key ^ self.turn_start.key().rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        }
    }
}
