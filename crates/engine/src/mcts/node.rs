//! A node of the tree.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64};

use surus_rules::{PackedAction, Side};

use crate::common::math::ONE;

/// The index of no node.
pub(crate) const NONE: u32 = u32::MAX;

/// Set while a thread is expanding the node; only that thread may add children.
const BUSY: u32 = 1 << 20;
/// The proven winner: 1 for gold, 2 for silver.
const PROOF: u32 = 3 << 16;

/// What the virtual visits of a node start with.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StartValue {
    pub(crate) sum: i64,
    pub(crate) mean: f32,
}

/// All fields are atomic, so that threads share the tree without locks. A node occupies one cache line, so that
/// writes to one do not slow down reads of the next.
#[derive(Debug)]
#[repr(align(64))]
pub(crate) struct Node {
    /// The sum of results from gold's view; the canonical node has the sum of all nodes with its position.
    pub(crate) sum: AtomicI64,
    /// The child cache: offsets of children in seven bits each, above them four bits of the square root of the visits
    /// at the time it was filled, and in the highest four bits their number; 0 if it is empty.
    pub(crate) cache: AtomicU64,
    /// Simulations through this node.
    pub(crate) visits: AtomicU32,
    /// Simulations included in `sum`.
    pub(crate) sum_count: AtomicU32,
    /// The mean of `sum` including virtual visits, copied to all nodes with the position.
    mean: AtomicU32,
    /// The progressive bias or the prior of the action.
    bias: AtomicU32,
    /// The action that leads here, and the number of children in the upper half.
    action: AtomicU32,
    /// The first child; the others follow it.
    first_child: AtomicU32,
    /// The canonical node of this position, if it is another one.
    pub(crate) canonical: AtomicU32,
    /// The next node with this position.
    pub(crate) next_transposition: AtomicU32,
    flags: AtomicU32,
    /// Threads below this node, which count as losses.
    pub(crate) virtual_losses: AtomicU32,
}

impl Default for Node {
    fn default() -> Self {
        Self {
            sum: AtomicI64::new(0),
            cache: AtomicU64::new(0),
            visits: AtomicU32::new(0),
            sum_count: AtomicU32::new(0),
            mean: AtomicU32::new(0),
            bias: AtomicU32::new(0),
            action: AtomicU32::new(0),
            first_child: AtomicU32::new(NONE),
            canonical: AtomicU32::new(NONE),
            next_transposition: AtomicU32::new(NONE),
            flags: AtomicU32::new(0),
            virtual_losses: AtomicU32::new(0),
        }
    }
}

impl Node {
    /// Initialises a node.
    ///
    /// `start` is the value of its virtual visits.
    pub(crate) fn init(&self, action: PackedAction, bias: f32, start: StartValue) {
        self.sum.store(start.sum, Relaxed);
        self.cache.store(0, Relaxed);
        self.visits.store(0, Relaxed);
        self.sum_count.store(0, Relaxed);
        self.set_mean(start.mean);
        self.bias.store(bias.to_bits(), Relaxed);
        self.action.store(u32::from(action.0), Relaxed);
        self.first_child.store(NONE, Relaxed);
        self.canonical.store(NONE, Relaxed);
        self.next_transposition.store(NONE, Relaxed);
        self.flags.store(0, Relaxed);
        self.virtual_losses.store(0, Relaxed);
    }

    #[inline]
    pub(crate) fn action(&self) -> PackedAction {
        PackedAction(self.action.load(Relaxed) as u16)
    }

    #[inline]
    pub(crate) fn mean(&self) -> f32 {
        f32::from_bits(self.mean.load(Relaxed))
    }

    #[inline]
    pub(crate) fn set_mean(&self, mean: f32) {
        self.mean.store(mean.to_bits(), Relaxed);
    }

    #[inline]
    pub(crate) fn bias(&self) -> f32 {
        f32::from_bits(self.bias.load(Relaxed))
    }

    #[inline]
    pub(crate) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// The indices of the children.
    #[inline]
    pub(crate) fn children(&self) -> std::ops::Range<u32> {
        // The count is written last, so that a thread that sees it also sees the children.
        let count = self.action.load(std::sync::atomic::Ordering::Acquire) >> 16;
        if count == 0 {
            return 0..0;
        }
        let first = self.first_child.load(Relaxed);
        first..first + count
    }

    pub(crate) fn set_children(&self, first: u32, count: u32) {
        debug_assert!(count <= u32::from(u16::MAX), "{count} children do not fit next to the action");
        self.first_child.store(first, Relaxed);
        let action = self.action.load(Relaxed) & 0xffff;
        self.action.store(action | count << 16, std::sync::atomic::Ordering::Release);
    }

    /// Changes the location of the children, with exclusive access.
    pub(crate) fn move_children(&self, first: u32) {
        self.first_child.store(first, Relaxed);
    }

    /// Claims the right to expand the node, once.
    pub(crate) fn try_claim_expansion(&self) -> bool {
        self.flags.fetch_or(BUSY, std::sync::atomic::Ordering::AcqRel) & BUSY == 0
    }

    /// Gives up the claim.
    pub(crate) fn release(&self) {
        self.flags.fetch_and(!BUSY, Relaxed);
    }

    /// The proven winner.
    #[inline]
    pub(crate) fn proven_winner(&self) -> Option<Side> {
        match (self.flags.load(Relaxed) & PROOF) >> 16 {
            1 => Some(Side::Gold),
            2 => Some(Side::Silver),
            _ => None,
        }
    }

    pub(crate) fn prove(&self, winner: Side) {
        self.flags.fetch_or((1 + winner as u32) << 16, Relaxed);
    }

    /// Adds results; returns the mean including virtual visits.
    #[inline]
    pub(crate) fn add(&self, sum: i64, weight: u32, virtual_visits: u32) -> f32 {
        let sum = self.sum.fetch_add(sum, Relaxed).wrapping_add(sum);
        let weight = self.sum_count.fetch_add(weight, Relaxed).wrapping_add(weight);
        let games = weight.wrapping_add(virtual_visits);
        let mean = if games == 0 { 0.0 } else { sum as f32 / (games as f32 * ONE) };
        self.set_mean(mean);
        mean
    }

    /// Copies a node, with exclusive access.
    pub(crate) fn copy_from(&self, other: &Self) {
        let pairs = [
            (&self.visits, &other.visits),
            (&self.sum_count, &other.sum_count),
            (&self.mean, &other.mean),
            (&self.bias, &other.bias),
            (&self.action, &other.action),
            (&self.first_child, &other.first_child),
            (&self.canonical, &other.canonical),
            (&self.next_transposition, &other.next_transposition),
            (&self.flags, &other.flags),
        ];
        for (to, from) in pairs {
            to.store(from.load(Relaxed), Relaxed);
        }
        self.sum.store(other.sum.load(Relaxed), Relaxed);
        self.cache.store(other.cache.load(Relaxed), Relaxed);
    }

    /// Removes the children, with exclusive access.
    pub(crate) fn remove_children(&self) {
        self.action.fetch_and(0xffff, Relaxed);
        self.first_child.store(NONE, Relaxed);
        self.cache.store(0, Relaxed);
        self.release();
    }
}

const _: () = assert!(size_of::<Node>() == 64);
