//! The history heuristic: the mean value of an action anywhere in the tree, used in the tree [Akimot §4.7.1] and in
//! playouts, there also as a reply to the preceding action [Akimot §3.3.4].

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

impl Entry {
    #[inline]
    fn mean(&self) -> f32 {
        f32::from_bits(self.mean.load(Relaxed))
    }

    #[inline]
    fn add(&self, result: i64) {
        let sum = self.sum.fetch_add(result, Relaxed) + result;
        let count = self.count.fetch_add(1, Relaxed) + 1;
        self.mean.store((sum as f32 / (count as f32 * ONE)).to_bits(), Relaxed);
    }
}

#[inline]
fn reply_index(previous: PackedAction, action: PackedAction) -> usize {
    let mixed = (u32::from(previous.0) << 16 | u32::from(action.0)).wrapping_mul(0x9e37_79b1);
    (mixed >> 16) as usize
}

/// The mean result of every action for the side that plays it.
#[derive(Debug)]
pub(crate) struct History {
    entries: Vec<Entry>,
    /// By the preceding action and the action, hashed.
    replies: Vec<Entry>,
}

/// The memory of a history.
pub(crate) const BYTES: usize = PackedAction::COUNT * size_of::<Entry>();

impl History {
    /// A disabled history has no entries.
    pub(crate) fn new(wanted: bool, replies: bool) -> Self {
        let table =
            |wanted| (0..if wanted { PackedAction::COUNT } else { 0 }).map(|_| Entry::default()).collect();
        Self { entries: table(wanted), replies: table(wanted && replies) }
    }

    #[inline]
    pub(crate) fn is_enabled(&self) -> bool {
        !self.entries.is_empty()
    }

    /// The memory of this history.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        (self.entries.len() + self.replies.len()) * size_of::<Entry>()
    }

    #[inline]
    pub(crate) fn mean(&self, action: PackedAction) -> f32 {
        self.entries.get(action.index()).map_or(0.0, Entry::mean)
    }

    /// The mean of an action as the reply to another.
    #[inline]
    pub(crate) fn reply_mean(&self, previous: PackedAction, action: PackedAction) -> f32 {
        self.replies.get(reply_index(previous, action)).map_or(0.0, Entry::mean)
    }

    /// Adds a result for the side that played the action.
    #[inline]
    pub(crate) fn add(&self, previous: PackedAction, action: PackedAction, result: i64) {
        if let Some(entry) = self.entries.get(action.index()) {
            entry.add(result);
        }
        if let Some(entry) = self.replies.get(reply_index(previous, action)) {
            entry.add(result);
        }
    }

    pub(crate) fn clear(&self) {
        for entry in self.entries.iter().chain(&self.replies) {
            entry.sum.store(0, Relaxed);
            entry.count.store(0, Relaxed);
            entry.mean.store(0, Relaxed);
        }
    }
}
