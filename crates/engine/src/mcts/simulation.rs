//! A simulation: descent, playout and backpropagation.

use std::sync::atomic::Ordering::Relaxed;

use surus_rules::{PackedAction, Side};

use super::history::History;
use super::params::{Config, TreePolicy};
use super::playout::{PlayoutPolicy, PlayoutState};
use super::tree::Tree;
use super::worker::Worker;
use crate::common::math::fixed;
use crate::common::turn_state::{SearchRoot, TurnState};

/// From this number of visits a virtual loss has no effect, and writing it would only cause contention.
const VIRTUAL_LOSS_MAX_VISITS: u32 = 200;

/// The data that threads share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search<'a> {
    pub(crate) config: &'a Config,
    pub(crate) playouts: &'a PlayoutPolicy,
    pub(crate) tree: &'a Tree,
    pub(crate) history: &'a History,
    pub(crate) root: &'a SearchRoot,
    /// The master tree of islands.
    pub(crate) master: Option<&'a Tree>,
    /// The virtual loss, if several threads share a tree.
    pub(crate) virtual_loss: u32,
}

impl Search<'_> {
    /// Runs one simulation.
    pub(crate) fn simulate(&self, worker: &mut Worker) {
        let (state, winner) = self.descend(worker);
        let result = match winner {
            Some(winner) => win_value(winner),
            None => self.playout(&state, worker),
        };
        self.backpropagate(worker, result, winner.is_some());
    }

    /// Descends to a leaf; returns the winner if it is proven there.
    pub(crate) fn descend(&self, worker: &mut Worker) -> (TurnState, Option<Side>) {
        let mut state = self.root.state;
        let mut index = 0;
        let mut expanded = false;
        worker.path.clear();
        worker.path.push(0);
        worker.virtual_loss_count = 0;
        worker.playout.clear_played();
        worker.expanded_board = None;
        loop {
            let node = self.tree.node(index);
            if let Some(winner) = node.proven_winner() {
                return (state, Some(winner));
            }
            if node.children().is_empty() && !self.adopt_shared_children(index) {
                let depth = worker.path.len() as u64 - 1;
                let needed = self.config.maturity + if self.config.maturity_adds_depth { depth } else { 0 };
                // One simulation expands at most one node.
                let has_tree = self.config.tree_policy != TreePolicy::Flat;
                let mature = !expanded && (index == 0 || has_tree && u64::from(node.visits()) >= needed);
                if !mature || !self.expand(index, &state, worker) {
                    return (state, None);
                }
                expanded = true;
                continue;
            }
            let side = state.position.side();
            self.maybe_sync(index, worker);
            let child = self.select(index, side);
            self.apply_child(&mut state, index, child);
            let node = self.tree.node(child);
            if self.virtual_loss != 0
                && (worker.virtual_loss_count != 0 || node.visits() < VIRTUAL_LOSS_MAX_VISITS)
            {
                node.virtual_losses.fetch_add(1, Relaxed);
                worker.virtual_loss_count += 1;
            }
            worker.path.push(child);
            index = child;
        }
    }

    /// Adopts the children of another node with the same position.
    pub(crate) fn adopt_shared_children(&self, index: u32) -> bool {
        let head = self.tree.canonical(index);
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

    /// Applies the action or turn of a child to a state.
    #[inline]
    pub(crate) fn apply_child(&self, state: &mut TurnState, parent: u32, child: u32) {
        let action = self.tree.node(child).action();
        if parent == 0
            && let Some((_, board)) = self.root.turns.get(action.index())
        {
            if let Ok(position) = surus_rules::Position::new(*board, state.position.side()) {
                state.position = position;
            }
            state.last_action = PackedAction::NONE;
            state.end_turn();
        } else {
            state.play(action);
        }
    }

    /// Plays a playout from a leaf.
    pub(crate) fn playout(&self, state: &TurnState, worker: &mut Worker) -> f32 {
        let run = PlayoutState {
            board: *state.position.board(),
            side: state.position.side(),
            steps_left: state.position.steps_left(),
            last_action: state.last_action,
        };
        self.playouts.play(run, &mut worker.playout, self.history)
    }

    /// Adds a result, from gold's view, to the nodes of the path.
    pub(crate) fn backpropagate(&self, worker: &mut Worker, result: f32, proved: bool) {
        worker.playouts += 1;
        worker.descents += worker.path.len() as u64 - 1;
        let unmarked = worker.path.len() - worker.virtual_loss_count;
        for (level, &index) in worker.path.iter().enumerate() {
            if level != 0 {
                let mover = self.mover(index, level);
                if level >= unmarked {
                    self.tree.node(index).virtual_losses.fetch_sub(1, Relaxed);
                }
                if self.history.is_enabled() && self.has_action_children(worker.path[level - 1]) {
                    let previous = self.tree.node(worker.path[level - 1]).action();
                    let value = fixed(result * win_value(mover));
                    self.history.add(previous, self.tree.node(index).action(), value);
                }
            }
            if self.virtual_loss != 0 && self.tree.is_plain() {
                worker.updates.add_result(self.tree, index, fixed(result));
            } else {
                self.tree.record_result(index, result);
            }
        }
        if self.config.rave {
            self.update_rave(worker, result);
        }
        if self.solver_active() && proved {
            self.propagate_proof(&worker.path);
        }
    }

    /// Whether proofs are used. Where the root is lost anyway, mean values choose the turn that is hardest to refute.
    #[inline]
    pub(crate) fn solver_active(&self) -> bool {
        self.config.solver && !self.root.lost
    }

    /// The side that moved to a node of the path.
    #[inline]
    pub(crate) fn mover(&self, index: u32, level: usize) -> Side {
        if level == 1 {
            return self.root.state.position.side();
        }
        if self.tree.node(index).action().0 >> 15 == 0 { Side::Gold } else { Side::Silver }
    }

    /// Proves a parent by a win of its side to move, or if all of its children are losses.
    fn propagate_proof(&self, path: &[u32]) {
        for level in (1..path.len()).rev() {
            let (parent, child) = (path[level - 1], path[level]);
            let mover = self.mover(child, level);
            let Some(winner) = self.tree.node(child).proven_winner() else { return };
            let lost = |index: u32| self.tree.node(index).proven_winner() == Some(mover.other());
            if winner == mover || self.tree.node(parent).children().all(lost) {
                self.tree.prove(parent, winner);
            } else {
                return;
            }
        }
    }

    /// Updates the RAVE statistics of all children of the path whose action was played later by the same side.
    fn update_rave(&self, worker: &mut Worker, result: f32) {
        let Worker { path, rave_actions, playout, .. } = worker;
        rave_actions.fill(0);
        let mark = |rave_actions: &mut Vec<u64>, action: PackedAction| {
            rave_actions[action.index() / 64] |= 1 << (action.index() % 64);
        };
        for &action in playout.played.iter().flatten() {
            mark(rave_actions, action);
        }
        let sum = fixed(result);
        for level in (0..path.len()).rev() {
            let parent = path[level];
            if !self.has_action_children(parent) {
                continue;
            }
            if let Some(rave) = self.tree.rave.get(parent as usize) {
                // The visits of a node are those that its children share.
                rave.visits.fetch_add(u32::from(level == 0), Relaxed);
            }
            if let Some(&child) = path.get(level + 1) {
                mark(rave_actions, self.tree.node(child).action());
            }
            for child in self.tree.node(parent).children() {
                let action = self.tree.node(child).action();
                if rave_actions[action.index() / 64] >> (action.index() % 64) & 1 == 1
                    && let Some(rave) = self.tree.rave.get(child as usize)
                {
                    rave.sum.fetch_add(sum, Relaxed);
                    rave.visits.fetch_add(1, Relaxed);
                }
            }
        }
    }
}

/// The result of a win from gold's view.
#[inline]
pub(crate) const fn win_value(winner: Side) -> f32 {
    match winner {
        Side::Gold => 1.0,
        Side::Silver => -1.0,
    }
}
