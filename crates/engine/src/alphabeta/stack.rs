//! Storage for each level of the tree, indexed by [`SearchState::stack_index`](super::state::SearchState::stack_index).

use std::ops::{Index, IndexMut};

use super::ordering::ScoredAction;
use super::packed_turn::PackedTurn;
use super::search::ActionOrPass;

/// The entry of one level.
#[derive(Clone, Debug, Default)]
pub(crate) struct StackEntry {
    /// The principal variation from here.
    pub(crate) pv: Vec<ActionOrPass>,
    /// The best continuation of the current turn.
    pub(crate) best_turn: PackedTurn,
    /// An allocation for the list of actions, reused by the nodes of this level.
    pub(crate) actions: Vec<ScoredAction>,
}

/// The entries of one thread; it grows with the tree.
#[derive(Debug, Default)]
pub(crate) struct Stack(Vec<StackEntry>);

impl Stack {
    /// Clears the results of a level and of the next one.
    #[inline]
    pub(crate) fn enter(&mut self, index: usize) {
        if self.0.len() < index + 2 {
            self.0.resize_with(index + 2, StackEntry::default);
        }
        for entry in &mut self.0[index..index + 2] {
            entry.pv.clear();
            entry.best_turn = PackedTurn::NONE;
        }
    }

    /// Sets the principal variation of a level to some actions followed by that of the next level.
    pub(crate) fn update_pv(&mut self, index: usize, actions: impl Iterator<Item = ActionOrPass>) {
        if let [entry, next, ..] = &mut self.0[index..] {
            entry.pv.clear();
            entry.pv.extend(actions);
            entry.pv.extend_from_slice(&next.pv);
        }
    }

    /// The principal variation of the root, empty before the first search.
    pub(crate) fn root_pv(&self) -> &[ActionOrPass] {
        self.0.first().map_or(&[], |entry| entry.pv.as_slice())
    }
}

impl Index<usize> for Stack {
    type Output = StackEntry;

    #[inline]
    fn index(&self, index: usize) -> &StackEntry {
        &self.0[index]
    }
}

impl IndexMut<usize> for Stack {
    #[inline]
    fn index_mut(&mut self, index: usize) -> &mut StackEntry {
        &mut self.0[index]
    }
}
