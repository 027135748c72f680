//! The position of a search within a turn, with what is inherited along the line to it.

use surus_rules::{Action, Board, Position};

use super::history;
use super::packed_turn::PackedTurn;

/// A position inside a turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchState {
    pub(crate) position: Position,
    /// The board on which the turn started.
    pub(crate) turn_start: Board,
    /// Keys of the boards of this turn so far; a turn never returns to one of them.
    pub(crate) turn_keys: [u64; 5],
    pub(crate) turn_key_count: u8,
    /// Whether the other side would have a goal if this turn were skipped.
    pub(crate) goal_threatened: bool,
    /// Whether the preceding turn was a null turn.
    pub(crate) after_null: bool,
    /// Steps by which the line was extended.
    pub(crate) extension: i32,
    /// The preceding action of this turn.
    pub(crate) last_action: Option<Action>,
    /// The preceding action of either side, as an index of the continuation history.
    pub(crate) continuation_context: u16,
    /// Steps of both sides from the root; a turn that ends early counts as four.
    pub(crate) ply: i32,
    /// Actions and full turns from the root: the index of its entry in [`super::stack`].
    pub(crate) stack_index: usize,
    /// Turns from the root.
    pub(crate) turns_from_root: u32,
    /// The generation of its turn in [`super::turn_dedup`]; 0 until a node assigns one.
    pub(crate) generation: u32,
    /// A continuation of this turn that was good elsewhere.
    pub(crate) turn_hint: PackedTurn,
}

impl SearchState {
    pub(crate) fn new(position: Position, turn_start: Board, ply: i32) -> Self {
        Self {
            position,
            turn_start,
            turn_keys: [turn_start.key(), position.board().key(), 0, 0, 0],
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

    /// The state after an action of the same turn.
    #[inline]
    pub(crate) fn after_action(&self, action: Action, turn_hint: PackedTurn) -> Self {
        let mut next = Self {
            position: self.position.after_action(action),
            ply: self.ply + i32::from(action.len()),
            stack_index: self.stack_index + 1,
            last_action: Some(action),
            continuation_context: history::continuation_context(action, true),
            turn_hint,
            ..*self
        };
        if let Some(slot) = next.turn_keys.get_mut(usize::from(next.turn_key_count)) {
            *slot = next.position.board().key();
            next.turn_key_count += 1;
        }
        next
    }

    /// The state after some steps of the same turn that quiescence tries; they are not recorded as actions.
    #[inline]
    pub(crate) fn after_steps(&self, position: Position, steps: usize) -> Self {
        Self { position, ply: self.ply + steps as i32, last_action: None, ..*self }
    }

    /// The start of the other side's turn.
    #[inline]
    pub(crate) fn next_turn(&self) -> Self {
        let position = self.position.next_turn();
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

    /// The start of the other side's turn after a null turn.
    #[inline]
    pub(crate) fn after_null_turn(&self) -> Self {
        Self { after_null: true, ..self.next_turn() }
    }

    #[inline]
    pub(crate) fn board(&self) -> &Board {
        self.position.board()
    }

    #[inline]
    pub(crate) fn is_turn_start(&self) -> bool {
        self.position.steps_taken() == 0
    }

    /// Whether this turn has already been on a board.
    #[inline]
    pub(crate) fn repeats_board(&self, board: &Board) -> bool {
        self.turn_keys[..usize::from(self.turn_key_count)].contains(&board.key())
    }

    /// The key of the position. In mid-turn it depends on the start of the turn, because the legal continuations do.
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
