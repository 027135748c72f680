//! What the threads of a search are looking at now, so that another one looks at something else first.
//!
//! Two threads that meet at a node in the same order of ways would do the same work twice. A way that somebody else is
//! busy with is put off to the end: by then the table mostly knows what came of it.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Far more than the ways that a few threads are in at once.
const SLOTS: usize = 4096;

/// Marks of ways, each in the slot that its lowest bits choose; a later mark takes the place of an earlier one.
#[derive(Debug)]
pub(crate) struct Busy(Box<[AtomicU64]>);

impl Busy {
    pub(crate) fn new() -> Self {
        Self(std::iter::repeat_with(AtomicU64::default).take(SLOTS).collect())
    }

    fn slot(&self, mark: u64) -> &AtomicU64 {
        &self.0[mark as usize % SLOTS]
    }

    /// Whether somebody looks at what has this mark.
    pub(crate) fn has(&self, mark: u64) -> bool {
        self.slot(mark).load(Relaxed) == mark
    }

    pub(crate) fn begin(&self, mark: u64) {
        self.slot(mark).store(mark, Relaxed);
    }

    pub(crate) fn end(&self, mark: u64) {
        if self.has(mark) {
            self.slot(mark).store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_there_from_its_beginning_to_its_end() {
        let busy = Busy::new();
        let (one, other) = (17, 17 + SLOTS as u64);
        busy.begin(one);
        assert!(busy.has(one) && !busy.has(other));
        busy.begin(other);
        assert!(!busy.has(one) && busy.has(other));
        busy.end(one);
        assert!(busy.has(other), "the end of a mark that is gone ends no other");
        busy.end(other);
        assert!(!busy.has(other));
    }
}
