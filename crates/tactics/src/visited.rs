//! Boards that a search has met, by their keys.

use surus_rules::KeyMap;

/// The fewest steps taken with which each was met.
#[derive(Clone, Default, Debug)]
pub(crate) struct MinStepsVisited(KeyMap<u8>);

impl MinStepsVisited {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether this one is new, or was met only with more steps taken.
    pub(crate) fn visit(&mut self, key: u64, taken: u8) -> bool {
        let least = self.0.entry(key).or_insert(u8::MAX);
        let better = taken < *least;
        *least = taken.min(*least);
        better
    }

    /// The fewest steps taken so far.
    pub(crate) fn least(&self, key: u64) -> Option<u8> {
        self.0.get(&key).copied()
    }
}
