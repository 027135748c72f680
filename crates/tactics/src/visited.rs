//! The boards visited by a search.

use surus_rules::KeyMap;

/// The minimum number of steps with which each board was reached, by key.
#[derive(Clone, Default, Debug)]
pub(crate) struct MinStepsVisited(KeyMap<u8>);

impl MinStepsVisited {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Records a board; returns whether it is new or was reached only with more steps.
    pub(crate) fn visit(&mut self, key: u64, steps_taken: u8) -> bool {
        let min_steps = self.0.entry(key).or_insert(u8::MAX);
        let is_better = steps_taken < *min_steps;
        *min_steps = steps_taken.min(*min_steps);
        is_better
    }

    /// The minimum number of steps so far.
    pub(crate) fn min_steps(&self, key: u64) -> Option<u8> {
        self.0.get(&key).copied()
    }
}
