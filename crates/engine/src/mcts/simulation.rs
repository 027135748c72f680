//! One simulation: down the tree, a playout, and back up with its result.

use std::sync::atomic::Ordering::Relaxed;

use surus_rules::Side;

use super::history::History;
use super::params::Config;
use super::playout::{Playouts, Run};
use super::tree::Tree;
use super::worker::Worker;
use crate::common::packed_action::Way;
use crate::common::rng::fixed;
use crate::common::turn_state::{Root, State};

/// A virtual loss means nothing to a node with so many visits, and writing it there makes threads wait.
const SETTLED: u32 = 200;

/// All that threads share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search<'a> {
    pub(crate) config: &'a Config,
    pub(crate) playouts: &'a Playouts,
    pub(crate) tree: &'a Tree,
    pub(crate) history: &'a History,
    pub(crate) root: &'a Root,
    /// The tree between islands.
    pub(crate) master: Option<&'a Tree>,
    /// Virtual loss, where several threads work in the same tree.
    pub(crate) loss: u32,
}

impl Search<'_> {
    /// A simulation of one thread.
    pub(crate) fn simulate(&self, worker: &mut Worker) {
        let (state, proved) = self.descend(worker);
        let result = match proved {
            Some(winner) => worth(winner),
            None => self.playout(&state, worker),
        };
        self.finish(worker, result, proved.is_some());
    }

    /// Down to a leaf; says who has won if that is known there.
    pub(crate) fn descend(&self, worker: &mut Worker) -> (State, Option<Side>) {
        let mut state = self.root.state;
        let mut index = 0;
        let mut grown = false;
        worker.path.clear();
        worker.path.push(0);
        worker.marked = 0;
        worker.hand.forget();
        worker.grown = None;
        loop {
            let node = self.tree.node(index);
            if let Some(winner) = node.proof() {
                return (state, Some(winner));
            }
            if node.children().is_empty() && !self.adopt(index) {
                let depth = worker.path.len() as u64 - 1;
                let needed = self.config.maturity + if self.config.maturitydepth { depth } else { 0 };
                // One simulation makes one node a parent, however little is needed for that.
                let mature = !grown && (index == 0 || needed <= u64::from(node.visits()));
                if !mature || !self.expand(index, &state, worker) {
                    return (state, None);
                }
                grown = true;
                continue;
            }
            let side = state.position.side();
            self.maybe_sync(index, worker);
            let child = self.select(index, side);
            self.enter(&mut state, index, child);
            let node = self.tree.node(child);
            if self.loss != 0 && (worker.marked != 0 || node.visits() < SETTLED) {
                node.below.fetch_add(1, Relaxed);
                worker.marked += 1;
            }
            worker.path.push(child);
            index = child;
        }
    }

    /// Takes the children that another node with the same position has.
    pub(crate) fn adopt(&self, index: u32) -> bool {
        let head = self.tree.head(index);
        if head == index {
            return false;
        }
        let children = self.tree.node(head).children();
        if children.is_empty() {
            return false;
        }
        self.tree.node(index).set_children(children.start, children.len() as u32);
        true
    }

    /// The state at a child.
    #[inline]
    pub(crate) fn enter(&self, state: &mut State, parent: u32, child: u32) {
        let way = self.tree.node(child).way();
        if parent == 0
            && let Some((_, board)) = self.root.turns.get(way.0 as usize)
        {
            if let Ok(position) = surus_rules::Position::new(*board, state.position.side()) {
                state.position = position;
            }
            state.last = Way(0);
            state.end_turn();
        } else {
            state.play(way);
        }
    }

    /// A playout from a leaf on.
    pub(crate) fn playout(&self, state: &State, worker: &mut Worker) -> f32 {
        let run = Run {
            board: *state.position.board(),
            side: state.position.side(),
            left: state.position.steps_left(),
            last: state.last,
        };
        self.playouts.play(run, &mut worker.hand)
    }

    /// Back up with a result, seen by gold.
    pub(crate) fn finish(&self, worker: &mut Worker, result: f32, proved: bool) {
        worker.playouts += 1;
        worker.descents += worker.path.len() as u64 - 1;
        let unmarked = worker.path.len() - worker.marked;
        for (level, &index) in worker.path.iter().enumerate() {
            if level != 0 {
                let mover = self.mover(index, level);
                if unmarked <= level {
                    self.tree.node(index).below.fetch_sub(1, Relaxed);
                }
                if self.config.history && self.has_ways(worker.path[level - 1]) {
                    self.history.add(self.tree.node(index).way(), fixed(result * worth(mover)));
                }
            }
            if self.loss != 0 && self.tree.is_plain() {
                worker.delayed.count(self.tree, index, fixed(result));
            } else {
                self.tree.update(index, result);
            }
        }
        if self.config.rave {
            self.update_rave(worker, result);
        }
        if self.solves() && proved {
            self.prove_upwards(&worker.path);
        }
    }

    /// Whether proofs count. Where the side to move has lost whatever it does, averages know better what is hard to see.
    #[inline]
    pub(crate) fn solves(&self) -> bool {
        self.config.solver && !self.root.lost
    }

    /// Who went to a node of the path.
    #[inline]
    pub(crate) fn mover(&self, index: u32, level: usize) -> Side {
        if level == 1 {
            return self.root.state.position.side();
        }
        if self.tree.node(index).way().0 >> 15 == 0 { Side::Gold } else { Side::Silver }
    }

    /// A proved child proves its parent if it is a win for the side to move there, or the last of its losses.
    fn prove_upwards(&self, path: &[u32]) {
        for level in (1..path.len()).rev() {
            let (parent, child) = (path[level - 1], path[level]);
            let mover = self.mover(child, level);
            let Some(winner) = self.tree.node(child).proof() else { return };
            let lost = |index: u32| self.tree.node(index).proof() == Some(mover.other());
            if winner == mover || self.tree.node(parent).children().all(lost) {
                self.tree.prove(parent, winner);
            } else {
                return;
            }
        }
    }

    /// Every child of the path whose way was taken later by the same side counts as if it had been taken first.
    fn update_rave(&self, worker: &mut Worker, result: f32) {
        let Worker { path, taken, hand, .. } = worker;
        taken.fill(0);
        let mark = |taken: &mut Vec<u64>, way: Way| taken[way.0 as usize / 64] |= 1 << (way.0 % 64);
        for &way in hand.played.iter().flatten() {
            mark(taken, way);
        }
        let sum = fixed(result);
        for level in (0..path.len()).rev() {
            let parent = path[level];
            if !self.has_ways(parent) {
                continue;
            }
            if let Some(rave) = self.tree.rave.get(parent as usize) {
                // The visits of a node are those that its children share.
                rave.visits.fetch_add(u32::from(level == 0), Relaxed);
            }
            if let Some(&child) = path.get(level + 1) {
                mark(taken, self.tree.node(child).way());
            }
            for child in self.tree.node(parent).children() {
                let way = self.tree.node(child).way();
                if taken[way.0 as usize / 64] >> (way.0 % 64) & 1 == 1
                    && let Some(rave) = self.tree.rave.get(child as usize)
                {
                    rave.sum.fetch_add(sum, Relaxed);
                    rave.visits.fetch_add(1, Relaxed);
                }
            }
        }
    }
}

/// A win as a result, seen by gold.
#[inline]
pub(crate) const fn worth(winner: Side) -> f32 {
    match winner {
        Side::Gold => 1.0,
        Side::Silver => -1.0,
    }
}
