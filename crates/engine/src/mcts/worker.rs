//! The data of one thread.

use surus_rules::{Board, PackedAction};

use super::expansion::ChildSpec;
use super::params::Config;
use super::playout::PlayoutContext;
use super::update_buffer::UpdateBuffer;

/// Buffers, random numbers and statistics of one thread, on cache lines of their own.
#[derive(Clone, Debug)]
#[repr(align(128))]
pub(crate) struct Worker {
    pub(crate) playout: PlayoutContext,
    pub(crate) child_specs: Vec<ChildSpec>,
    /// The board of the node that the current simulation expanded, for the advisors of other threads.
    pub(crate) expanded_board: Option<Board>,
    /// The nodes of the current simulation, from the root.
    pub(crate) path: Vec<u32>,
    /// The number of nodes at its end that hold a virtual loss of this thread.
    pub(crate) virtual_loss_count: usize,
    /// Results of this thread that were not yet added to the tree.
    pub(crate) updates: UpdateBuffer,
    /// The set of actions of the current simulation, for RAVE.
    pub(crate) rave_actions: Vec<u64>,
    /// The number of synchronisations of an island.
    pub(crate) syncs: u64,
    pub(crate) playouts: u64,
    /// The sum of the depths of all simulations.
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
