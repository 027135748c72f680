//! Deduplication of the boards of a turn, so that none is searched twice.
//!
//! Alpha only rises while a turn is searched, so a board that was searched before, with no more steps taken and at least
//! the same depth, cannot be better now. Together with [`super::ordering::CanonicalOrder`] no board is lost: see
//! [`surus_rules::DistinctTurns`] for the proof.

use super::params::TURN_DEDUP_SLOTS;

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    generation: u32,
    depth: i16,
    steps_taken: u8,
}

/// A small hash table for every turn from the root; colliding entries are overwritten.
#[derive(Clone, Debug, Default)]
pub(crate) struct TurnDedup {
    turns: Vec<Vec<Slot>>,
    generation: u32,
    /// Boards that actions led to, and how many of them were new in their turn.
    pub(crate) boards_generated: u64,
    pub(crate) boards_distinct: u64,
}

impl TurnDedup {
    /// A new generation, which shares no boards with others.
    pub(crate) fn next_generation(&mut self) -> u32 {
        self.generation = self.generation.wrapping_add(1);
        self.generation
    }

    /// Whether a board was reached in this generation with no more steps taken and at least the same depth; inserts it
    /// if not.
    #[inline]
    pub(crate) fn seen_or_insert(
        &mut self,
        turn: u32,
        generation: u32,
        key: u64,
        steps_taken: u8,
        depth: i32,
    ) -> bool {
        let turn = turn as usize;
        if self.turns.len() <= turn {
            self.turns.resize(turn + 1, Vec::new());
        }
        let slots = &mut self.turns[turn];
        if slots.is_empty() {
            slots.resize(TURN_DEDUP_SLOTS, Slot::default());
        }
        let slot = &mut slots[key as usize & (TURN_DEDUP_SLOTS - 1)];
        self.boards_generated += 1;
        let depth = depth as i16;
        if slot.key == key && slot.generation == generation {
            if slot.steps_taken <= steps_taken && slot.depth >= depth {
                return true;
            }
        } else {
            self.boards_distinct += 1;
        }
        *slot = Slot { key, generation, depth, steps_taken };
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alphabeta::ordering::CanonicalOrder;
    use crate::alphabeta::packed_turn::PackedTurn;
    use crate::alphabeta::state::SearchState;
    use std::collections::HashSet;
    use surus_rules::{DistinctTurns, Position};

    #[test]
    fn a_board_is_met_again_only_in_its_visit_with_as_many_steps_and_no_more_depth() {
        let mut set = TurnDedup::default();
        let (one, two) = (set.next_generation(), set.next_generation());
        assert!(!set.seen_or_insert(0, one, 77, 2, 5));
        assert!(set.seen_or_insert(0, one, 77, 2, 5));
        assert!(set.seen_or_insert(0, one, 77, 3, 4));
        assert!(!set.seen_or_insert(0, one, 77, 1, 5), "fewer steps leave more to do");
        assert!(!set.seen_or_insert(0, one, 77, 1, 6), "more depth sees more");
        assert!(!set.seen_or_insert(0, two, 77, 2, 1));
        assert!(!set.seen_or_insert(1, two, 77, 2, 1));
        assert_eq!((set.boards_generated, set.boards_distinct), (7, 3));
    }

    /// Generates all boards of a turn as the search does.
    fn walk(at: &SearchState, generation: u32, set: &mut TurnDedup, ends: &mut HashSet<u64>) {
        let (board, side, left) = (at.board(), at.position.side(), at.position.steps_left());
        if *board != at.turn_start {
            ends.insert(board.key());
        }
        let exchange = CanonicalOrder::after(at.last_action);
        board.for_each_action(side, left, |action| {
            let next = at.after_action(action, PackedTurn::NONE);
            let (key, taken) = (next.board().key(), next.position.steps_taken());
            if exchange.is_redundant(action) || at.repeats_board(next.board()) {
                return;
            }
            if !set.seen_or_insert(0, generation, key, taken, 4 - i32::from(taken)) {
                walk(&next, generation, set, ends);
            }
        });
    }

    #[test]
    fn no_board_is_lost_and_few_are_made_twice() {
        for text in [
            "g [rrr  rrrc  rrc  heHEm dh                    M H R DC DCRRRR RR R]",
            "s [rr rr    hr  cr   c e  r  d     E       d  M    HDC  CDHRRRRRRRR]",
            "g [rrrrrrrr           hc  e   ME                           RRRRRRRR]",
        ] {
            let position: Position = text.parse().unwrap();
            let at = SearchState::new(position, *position.board(), 0);
            let (mut set, mut ends) = (TurnDedup::default(), HashSet::new());
            let generation = set.next_generation();
            walk(&at, generation, &mut set, &mut ends);
            assert_eq!(
                ends.len(),
                DistinctTurns::new(&position, position.board(), 4).iter().count(),
                "{text}"
            );
            assert!(set.boards_generated < 5 * ends.len() as u64, "{} {}", set.boards_generated, ends.len());
        }
    }
}
