//! The history heuristic on the tree-tree level (4.7.1): how good a way has been anywhere in the tree.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI64, AtomicU32};

use crate::common::math::ONE;
use crate::common::packed_action::PackedAction;

#[derive(Debug, Default)]
struct Entry {
    sum: AtomicI64,
    count: AtomicU32,
    mean: AtomicU32,
}

/// The mean result of every way, seen by the side that takes it.
#[derive(Debug)]
pub(crate) struct History {
    entries: Vec<Entry>,
}

/// The memory it takes.
pub(crate) const BYTES: usize = PackedAction::COUNT * size_of::<Entry>();

impl History {
    /// One without a place for anything is never asked.
    pub(crate) fn new(wanted: bool) -> Self {
        Self {
            entries: (0..if wanted { PackedAction::COUNT } else { 0 }).map(|_| Entry::default()).collect(),
        }
    }

    /// The memory that this one takes.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>()
    }

    #[inline]
    pub(crate) fn mean(&self, way: PackedAction) -> f32 {
        self.entries.get(way.0 as usize).map_or(0.0, |entry| f32::from_bits(entry.mean.load(Relaxed)))
    }

    /// Counts a result of the side that took the way.
    #[inline]
    pub(crate) fn add(&self, way: PackedAction, result: i64) {
        if let Some(entry) = self.entries.get(way.0 as usize) {
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
