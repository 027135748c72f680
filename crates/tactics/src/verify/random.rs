//! Random numbers for [`super::positions`].

use surus_rules::SplitMix;

#[derive(Clone, Debug)]
pub(crate) struct Rng(SplitMix);

impl Rng {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(SplitMix::new(seed))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number less than `below`, which must not be 0.
    pub(crate) fn below(&mut self, below: usize) -> usize {
        (self.next() >> 11) as usize % below.max(1)
    }

    pub(crate) fn choose<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        items.get(self.below(items.len())).copied()
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}
