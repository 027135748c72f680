//! What some searches know of a node beside what stands in it.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64};

use super::node::NONE;

/// What simulations below a node say about a way, played at whatever time.
#[derive(Debug, Default)]
pub(crate) struct RaveStats {
    pub(crate) sum: AtomicI64,
    pub(crate) visits: AtomicU32,
}

/// What a node of an island knows of its like in the master tree.
#[derive(Debug)]
pub(crate) struct MasterLink {
    pub(crate) master: AtomicU32,
    /// What both had when they were synchronised last.
    pub(crate) visits: AtomicU32,
    pub(crate) sum: AtomicI64,
    pub(crate) sum_squares: AtomicU64,
}

impl MasterLink {
    /// Begins anew, with this node as its like.
    pub(crate) fn set(&self, master: u32) {
        self.master.store(master, Relaxed);
        self.visits.store(0, Relaxed);
        self.sum.store(0, Relaxed);
        self.sum_squares.store(0, Relaxed);
    }
}

impl Default for MasterLink {
    fn default() -> Self {
        Self {
            master: AtomicU32::new(NONE),
            visits: AtomicU32::new(0),
            sum: AtomicI64::new(0),
            sum_squares: AtomicU64::new(0),
        }
    }
}
