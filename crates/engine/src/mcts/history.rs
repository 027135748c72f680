//! The history heuristic at the tree-tree level [Akimot §4.7.1]: the mean value of an action anywhere in the tree.

use surus_rules::PackedAction;

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI64, AtomicU32};

use crate::common::math::ONE;

#[derive(Debug, Default)]
struct Entry {
    sum: AtomicI64,
    count: AtomicU32,
    mean: AtomicU32,
}

/// The mean result of every action for the side that plays it.
#[derive(Debug)]
pub(crate) struct History {
    entries: Vec<Entry>,
}

/// The memory of a history.
pub(crate) const BYTES: usize = PackedAction::COUNT * size_of::<Entry>();

impl History {
    /// A disabled history has no entries.
    pub(crate) fn new(wanted: bool) -> Self {
        Self {
            entries: (0..if wanted { PackedAction::COUNT } else { 0 }).map(|_| Entry::default()).collect(),
        }
    }

    /// The memory of this history.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>()
    }

    #[inline]
    pub(crate) fn mean(&self, action: PackedAction) -> f32 {
        self.entries.get(action.index()).map_or(0.0, |entry| f32::from_bits(entry.mean.load(Relaxed)))
    }

    /// Adds a result for the side that played the action.
    #[inline]
    pub(crate) fn add(&self, action: PackedAction, result: i64) {
        if let Some(entry) = self.entries.get(action.index()) {
            let sum = entry.sum.fetch_add(result, Relaxed) + result;
            let count = entry.count.fetch_add(1, Relaxed) + 1;
            entry.mean.store((sum as f32 / (count as f32 * ONE)).to_bits(), Relaxed);
        }
    }

    pub(crate) fn clear(&self) {
        for entry in &self.entries {
            entry.sum.store(0, Relaxed);
            entry.count.store(0, Relaxed);
            entry.mean.store(0, Relaxed);
        }
    }
}
