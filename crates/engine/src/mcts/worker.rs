//! What one thread has for itself.

use surus_rules::Board;

use super::expansion::Seed;
use super::params::Config;
use super::playout::Hand;
use super::update_buffer::Delayed;
use crate::common::packed_action::Way;

/// Memory and chance of one thread, and what it has done; no other thread's lies on its lines of the cache.
#[derive(Clone, Debug)]
#[repr(align(128))]
pub(crate) struct Worker {
    pub(crate) hand: Hand,
    pub(crate) seeds: Vec<Seed>,
    /// The board of the node that the running simulation has made a parent, for advisors that were not there.
    pub(crate) grown: Option<Board>,
    /// The nodes of the running simulation, from the root on.
    pub(crate) path: Vec<u32>,
    /// How many nodes at its end hold a virtual loss of this thread.
    pub(crate) marked: usize,
    /// Results of this thread that wait to be counted.
    pub(crate) delayed: Delayed,
    /// Which ways the running simulation has taken, for RAVE.
    pub(crate) taken: Vec<u64>,
    /// How often an island was synchronised.
    pub(crate) syncs: u64,
    pub(crate) playouts: u64,
    /// Steps down the tree of all simulations.
    pub(crate) descents: u64,
}

impl Worker {
    pub(crate) fn new(config: &Config, seed: u64) -> Self {
        Self {
            hand: Hand::new(config, seed),
            seeds: Vec::new(),
            grown: None,
            path: Vec::new(),
            marked: 0,
            delayed: Delayed::new(),
            taken: vec![0; if config.rave { Way::COUNT / 64 } else { 0 }],
            syncs: 0,
            playouts: 0,
            descents: 0,
        }
    }
}
