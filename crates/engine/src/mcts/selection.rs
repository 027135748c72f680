//! Selection of a child by the tree policy.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

use surus_rules::Side;

use super::node::Node;
use super::params::{ExplorationMode, TreePolicy};
use super::simulation::Search;
use crate::common::math::{ONE, ln};

/// The value of a proven loss, which is selected only if all children are lost.
const LOST: f32 = -1e9;

/// The bits of the square root of the visits that are stored in a child cache.
const CACHE_EPOCH_MASK: u64 = 15;

/// Values that all children of a node have in common.
#[derive(Clone, Copy, Debug)]
struct Parent {
    side: Side,
    sign: f32,
    /// The logarithm of its visits.
    log: f32,
    /// c times the square root of `log`, or of the visits for PUCT.
    scale: f32,
    /// The weight of RAVE values at this number of visits.
    rave: f32,
    rave_log: f32,
    /// Whether its children are actions, which history and RAVE have statistics of, rather than full turns.
    actions: bool,
}

/// The epoch of a child cache: the lowest bits of the integer square root of the visits.
#[inline]
fn cache_epoch(node: &Node) -> u64 {
    u64::from(node.visits()).isqrt() & CACHE_EPOCH_MASK
}

impl Search<'_> {
    /// The child with the highest value for the side to move.
    #[inline]
    pub(crate) fn select(&self, index: u32, side: Side) -> u32 {
        let node = self.tree.node(index);
        let all = node.children();
        if self.config.tree_policy == TreePolicy::Flat {
            return all.min_by_key(|&child| self.tree.node(child).visits()).unwrap_or(0);
        }
        let parent = self.parent(index, node, side);
        let children = self.unpruned(node, all.clone());
        if children.len() < all.len() {
            let (value, best) = self.best_of(children, &parent);
            return if value > LOST { best } else { self.best_of(all, &parent).1 };
        }
        if let Some(few) = self.cached(node) {
            let (value, best) = self.best_of(few, &parent);
            // If all cached children have become proven losses, another may not be.
            if value > LOST {
                return best;
            }
        }
        if self.caches(node) {
            self.fill_cache(node, children, &parent)
        } else {
            self.best_of(children, &parent).1
        }
    }

    /// The children that are considered at this number of visits; they are sorted by their values.
    #[inline]
    fn unpruned(&self, node: &Node, children: Range<u32>) -> Range<u32> {
        if self.config.unpruning == 0 {
            return children;
        }
        let further = ln(1.0 + node.visits() as f32) / ln(self.config.unpruning_growth);
        let count = (self.config.unpruning as u32).saturating_add(further as u32);
        children.start..children.end.min(children.start.saturating_add(count))
    }

    #[inline]
    fn caches(&self, node: &Node) -> bool {
        self.config.child_cache
            && u64::from(node.visits()) >= self.config.child_cache_visits
            && node.children().len() <= 127
    }

    /// The cached children of a node, unless the cache must be refreshed.
    ///
    /// The cache is refreshed whenever the integer square root of the visits changes: visits may be added several at
    /// a time, so that no single number of them is sure to be seen.
    #[inline]
    pub(crate) fn cached(&self, node: &Node) -> Option<impl Iterator<Item = u32> + use<>> {
        let cached = if self.caches(node) { node.cache.load(Relaxed) } else { 0 };
        if cached == 0 || cached >> 56 & CACHE_EPOCH_MASK != cache_epoch(node) {
            return None;
        }
        let first = node.children().start;
        Some((0..cached >> 60).map(move |slot| first + (cached >> (7 * slot) & 127) as u32))
    }

    fn parent(&self, index: u32, node: &Node, side: Side) -> Parent {
        let visits = node.visits();
        let games = (u64::from(visits) + self.config.virtual_visits).max(1) as f32;
        let log = ln(games);
        let c = match self.config.c_mode {
            ExplorationMode::Fixed => self.config.c,
            ExplorationMode::Decay => (self.config.c_decay / games.sqrt()).clamp(0.01, 0.25),
            ExplorationMode::Variance => {
                (self.config.c_variance * self.tree.variance(index)).clamp(0.01, 0.25)
            }
        };
        let scale = match self.config.tree_policy {
            TreePolicy::Ucb1 | TreePolicy::UcbTuned | TreePolicy::Flat => c * log.sqrt(),
            TreePolicy::Puct => c * games.sqrt(),
        };
        let k = self.config.rave_equivalence;
        let actions = self.has_action_children(index);
        let (rave, rave_log) = if self.config.rave && actions {
            let all = self.tree.rave.get(index as usize).map_or(0, |rave| rave.visits.load(Relaxed));
            ((k / (3.0 * visits as f32 + k)).sqrt(), ln(all.max(1) as f32))
        } else {
            (0.0, 0.0)
        };
        Parent {
            side,
            sign: if side == Side::Gold { 1.0 } else { -1.0 },
            log,
            scale,
            rave,
            rave_log,
            actions,
        }
    }

    /// Whether the children of a node are actions rather than indices of full turns.
    #[inline]
    pub(crate) fn has_action_children(&self, index: u32) -> bool {
        index != 0 || self.root.turns.is_empty()
    }

    #[inline]
    fn best_of(&self, children: impl Iterator<Item = u32>, parent: &Parent) -> (f32, u32) {
        let mut best = (f32::MIN, 0);
        for child in children {
            let value = self.uct_value(child, parent);
            if value > best.0 {
                best = (value, child);
            }
        }
        best
    }

    #[inline]
    fn uct_value(&self, index: u32, parent: &Parent) -> f32 {
        let node = self.tree.node(index);
        if let Some(winner) = node.proven_winner() {
            // Without the solver a proven result is an ordinary result.
            if self.config.solver {
                return if winner == parent.side { -LOST } else { LOST };
            }
        }
        let mut games = (u64::from(node.visits()) + self.config.virtual_visits) as f32;
        if games == 0.0 {
            return self.config.fpu + node.bias();
        }
        let mut x = parent.sign * node.mean();
        if self.virtual_loss != 0 {
            // Every thread below counts as losses of the side to move.
            let lost = (self.virtual_loss * node.virtual_losses.load(Relaxed)) as f32;
            x = (x * games - lost) / (games + lost);
            games += lost;
        }
        let r = 1.0 / games.sqrt();
        let value = match self.config.tree_policy {
            TreePolicy::Ucb1 | TreePolicy::Flat => x + parent.scale * r + node.bias() * r * r,
            TreePolicy::UcbTuned => x + self.tuned(index, games, parent.log) + node.bias() * r * r,
            TreePolicy::Puct => x + parent.scale * node.bias() / (1.0 + games),
        };
        if !parent.actions {
            return value;
        }
        let value = if self.config.history {
            value + self.config.history_weight * self.history.mean(node.action()) * r
        } else {
            value
        };
        if self.config.rave { self.with_rave(index, value, parent) } else { value }
    }

    /// The confidence width of UCB-tuned, whose results are in [0, 1] while ours are in [-1, 1].
    fn tuned(&self, index: u32, games: f32, log: f32) -> f32 {
        let v = self.tree.variance(index) / 4.0 + (2.0 * log / games).sqrt();
        2.0 * self.config.ucb_tuned_scale * (log / games * v.min(0.25)).sqrt()
    }

    fn with_rave(&self, index: u32, value: f32, parent: &Parent) -> f32 {
        let Some(rave) = self.tree.rave.get(index as usize) else { return value };
        let visits = rave.visits.load(Relaxed);
        if visits == 0 {
            return value;
        }
        let m = visits as f32;
        let mean = parent.sign * rave.sum.load(Relaxed) as f32 / (m * ONE);
        let early = mean + self.config.c * (parent.rave_log / m).sqrt();
        parent.rave * early + (1.0 - parent.rave) * value
    }

    /// Compares all children and caches the best few, best first.
    fn fill_cache(&self, node: &Node, children: Range<u32>, parent: &Parent) -> u32 {
        let start = children.start;
        let mut few = [(f32::MIN, 0u32); 8];
        let size = (self.config.child_cache_size as usize).min(few.len()).min(children.len());
        for child in children {
            let value = self.uct_value(child, parent);
            if value > few[size - 1].0 {
                few[size - 1] = (value, child);
                let mut slot = size - 1;
                while slot > 0 && few[slot].0 > few[slot - 1].0 {
                    few.swap(slot - 1, slot);
                    slot -= 1;
                }
            }
        }
        let slots = few[..size].iter().enumerate();
        let packed =
            slots.fold(0, |packed, (slot, &(_, child))| packed | u64::from(child - start) << (7 * slot));
        node.cache.store(packed | cache_epoch(node) << 56 | (size as u64) << 60, Relaxed);
        few[0].1
    }
}
