//! Optional data of a node that only some configurations need.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64};

use super::node::NONE;

/// RAVE statistics of an action.
#[derive(Debug, Default)]
pub(crate) struct RaveStats {
    pub(crate) sum: AtomicI64,
    pub(crate) visits: AtomicU32,
}

/// The link of an island's node to its counterpart in the master tree.
#[derive(Debug)]
pub(crate) struct MasterLink {
    pub(crate) master: AtomicU32,
    /// The values of both at the last synchronisation.
    pub(crate) visits: AtomicU32,
    pub(crate) sum: AtomicI64,
    pub(crate) sum_squares: AtomicU64,
}

impl MasterLink {
    /// Resets the link to another counterpart.
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
