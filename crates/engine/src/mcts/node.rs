//! One node of the tree: what leads to it, what came of it, and where its children are.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64};

use surus_rules::Side;

use crate::common::math::ONE;
use crate::common::packed_action::PackedAction;

/// No node.
pub(crate) const NONE: u32 = u32::MAX;

/// Whoever has this in `state` may give the node children.
const BUSY: u32 = 1 << 20;
/// Who has won here, if that is proved: 1 gold, 2 silver.
const PROOF: u32 = 3 << 16;

/// A node is only ever reached through atomics, so that threads share the tree without a lock. It has a line of the
/// processor's cache for itself: who writes into one must not slow down who reads the next.
#[derive(Debug)]
#[repr(align(64))]
pub(crate) struct Node {
    /// Results seen by gold, of all nodes with the same position if this is the first of them.
    pub(crate) sum: AtomicI64,
    /// Which children to look at, seven bits each; above them four bits of the root of the visits when it was filled, and
    /// in the highest four bits how many they are; 0 while there is no cache.
    pub(crate) cache: AtomicU64,
    /// Simulations that went through this node.
    pub(crate) visits: AtomicU32,
    /// Simulations behind `sum`.
    pub(crate) sum_count: AtomicU32,
    /// The mean of `sum`, virtual visits included, as it is told to all nodes with the position.
    mean: AtomicU32,
    /// What is known of the way here: the progressive bias or the prior.
    bias: AtomicU32,
    /// The way here, and in the upper half the number of children.
    action: AtomicU32,
    /// The first child; the others follow it.
    first_child: AtomicU32,
    /// The first node that had this position, if it is another.
    pub(crate) canonical: AtomicU32,
    /// The next node with the position.
    pub(crate) next_transposition: AtomicU32,
    /// Flags.
    flags: AtomicU32,
    /// Threads that are below this node now, where they count as lost games.
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
    /// Makes a fresh node of whatever was here.
    ///
    /// It begins with a sum of its own and the mean that this makes with the virtual visits.
    pub(crate) fn begin(&self, way: PackedAction, bias: f32, (sum, mean): (i64, f32)) {
        self.sum.store(sum, Relaxed);
        self.cache.store(0, Relaxed);
        self.visits.store(0, Relaxed);
        self.sum_count.store(0, Relaxed);
        self.set_mean(mean);
        self.bias.store(bias.to_bits(), Relaxed);
        self.action.store(u32::from(way.0), Relaxed);
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

    /// The numbers of the children.
    #[inline]
    pub(crate) fn children(&self) -> std::ops::Range<u32> {
        // The count is written last, so whoever sees it sees the children too.
        let count = self.action.load(std::sync::atomic::Ordering::Acquire) >> 16;
        if count == 0 {
            return 0..0;
        }
        let first = self.first_child.load(Relaxed);
        first..first + count
    }

    pub(crate) fn set_children(&self, first: u32, count: u32) {
        debug_assert!(count <= u32::from(u16::MAX), "{count} children have no room beside the way");
        self.first_child.store(first, Relaxed);
        let way = self.action.load(Relaxed) & 0xffff;
        self.action.store(way | count << 16, std::sync::atomic::Ordering::Release);
    }

    /// Moves the children without touching them, while nobody else is there.
    pub(crate) fn move_children(&self, first: u32) {
        self.first_child.store(first, Relaxed);
    }

    /// Takes the right to make children, once.
    pub(crate) fn try_claim_expansion(&self) -> bool {
        self.flags.fetch_or(BUSY, std::sync::atomic::Ordering::AcqRel) & BUSY == 0
    }

    /// Gives it back.
    pub(crate) fn release(&self) {
        self.flags.fetch_and(!BUSY, Relaxed);
    }

    /// Who has won here, if that is known.
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

    /// Counts a result, and tells the mean with so many virtual visits.
    #[inline]
    pub(crate) fn add(&self, sum: i64, weight: u32, virtual_visits: u32) -> f32 {
        let sum = self.sum.fetch_add(sum, Relaxed).wrapping_add(sum);
        let weight = self.sum_count.fetch_add(weight, Relaxed).wrapping_add(weight);
        let games = weight.wrapping_add(virtual_visits);
        let mean = if games == 0 { 0.0 } else { sum as f32 / (games as f32 * ONE) };
        self.set_mean(mean);
        mean
    }

    /// A copy, while nobody else is there.
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

    /// Takes the children away, while nobody else is there.
    pub(crate) fn forget_children(&self) {
        self.action.fetch_and(0xffff, Relaxed);
        self.first_child.store(NONE, Relaxed);
        self.cache.store(0, Relaxed);
        self.release();
    }
}

const _: () = assert!(size_of::<Node>() == 64);
