//! What one thread has for itself.

use surus_rules::Board;

use super::expansion::ChildSpec;
use super::params::Config;
use super::playout::PlayoutContext;
use super::update_buffer::UpdateBuffer;
use crate::common::packed_action::PackedAction;

/// Memory and chance of one thread, and what it has done; no other thread's lies on its lines of the cache.
#[derive(Clone, Debug)]
#[repr(align(128))]
pub(crate) struct Worker {
    pub(crate) playout: PlayoutContext,
    pub(crate) child_specs: Vec<ChildSpec>,
    /// The board of the node that the running simulation has made a parent, for advisors that were not there.
    pub(crate) expanded_board: Option<Board>,
    /// The nodes of the running simulation, from the root on.
    pub(crate) path: Vec<u32>,
    /// How many nodes at its end hold a virtual loss of this thread.
    pub(crate) virtual_loss_count: usize,
    /// Results of this thread that wait to be counted.
    pub(crate) updates: UpdateBuffer,
    /// Which ways the running simulation has rave_actions, for RAVE.
    pub(crate) rave_actions: Vec<u64>,
    /// How often an island was synchronised.
    pub(crate) syncs: u64,
    pub(crate) playouts: u64,
    /// Steps down the tree of all simulations.
    pub(crate) descents: u64,
}

impl Worker {
    pub(crate) fn new(config: &Config, seed: u64) -> Self {
        Self {
            playout: PlayoutContext::new(config, seed),
            child_specs: Vec::new(),
            expanded_board: None,
            path: Vec::new(),
            virtual_loss_count: 0,
            updates: UpdateBuffer::new(),
            rave_actions: vec![0; if config.rave { PackedAction::COUNT / 64 } else { 0 }],
            syncs: 0,
            playouts: 0,
            descents: 0,
        }
    }
}
