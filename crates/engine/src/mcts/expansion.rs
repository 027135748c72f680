//! Giving a node children.

use std::sync::atomic::Ordering::Relaxed;

use surus_rules::Side;
use surus_tactics::{Defence, goal, goal_defences};

use super::node::Node;
use super::params::{Formula, Urgency};
use super::simulation::Search;
use super::worker::Worker;
use crate::common::packed_action::{Way, Ways};
use crate::common::rng::{exp, fixed};
use crate::common::turn_state::{Root, State};

/// A child to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seed {
    way: Way,
    key: u64,
    bias: f32,
    winner: Option<Side>,
}

impl Search<'_> {
    /// Makes the children of a node; says whether it has some now, or is decided. Only one thread does so.
    pub(crate) fn expand(&self, index: u32, state: &State, worker: &mut Worker) -> bool {
        let node = self.tree.node(index);
        if !node.claim() {
            return false;
        }
        let side = state.position.side();
        if self.solves()
            && index != 0
            && let Some(winner) = proved(state)
        {
            self.tree.prove(index, winner);
            return true;
        }
        let mut seeds = std::mem::take(&mut worker.seeds);
        seeds.clear();
        if index == 0 && !self.root.turns.is_empty() {
            self.seed_turns(&mut seeds);
        } else {
            self.seed_ways(state, index == 0, &mut seeds);
        }
        if self.config.formula == Formula::Puct {
            make_priors(&mut seeds, self.config.prior);
        }
        let done = self.plant(index, side, &seeds);
        self.link_children(index);
        worker.seeds = seeds;
        if done && self.config.advisor {
            worker.hand.advisor.learn(state.position.board());
            worker.grown = Some(*state.position.board());
        }
        done
    }

    fn seed_ways(&self, state: &State, root: bool, seeds: &mut Vec<Seed>) {
        let mut ways = Ways::new();
        let (board, side) = (state.position.board(), state.position.side());
        if !root || Root::openings(&state.position, |way| ways.push(way)) {
            ways.add_all(board, side, state.position.steps_left());
            if state.position.steps_taken() != 0 {
                ways.push(Way::pass(side));
            }
        }
        let mut pruned = 0;
        for &way in ways.as_mut().iter() {
            let mut after = *state;
            after.play(way);
            let next = after.position.board();
            let ends = after.ply != state.ply;
            let key = after.key();
            // Back to the turn's beginning is illegal at its end and senseless before; a third repetition is illegal;
            // and a push and a pull can be the same.
            if *next == state.start
                || ends && self.root.forbids(next, side)
                || seeds.iter().any(|known| known.key == key)
            {
                pruned += 1;
                continue;
            }
            let winner = if ends { self.root.winner(next, side) } else { None };
            seeds.push(Seed { way, key, bias: self.bias(state, way, &after), winner });
        }
        self.tree.counts.pruned.fetch_add(pruned, Relaxed);
    }

    fn bias(&self, state: &State, way: Way, after: &State) -> f32 {
        if !self.config.treeknowledge && self.config.formula != Formula::Puct {
            return 0.0;
        }
        let left = state.position.steps_left().saturating_sub(way.len());
        let (board, side) = (state.position.board(), state.position.side());
        let value = self.playouts.knowledge.value(board, way, after.position.board(), state.last, side, left);
        if self.config.formula == Formula::Puct { value } else { self.config.treeweight * value }
    }

    fn seed_turns(&self, seeds: &mut Vec<Seed>) {
        let side = self.root.state.position.side();
        for (number, (_, board)) in (0..u16::MAX).zip(&self.root.turns) {
            let winner = self.root.winner(board, side);
            seeds.push(Seed { way: Way(number), key: board.key(), bias: 0.0, winner });
        }
    }

    /// What the virtual visits of a node's children are worth: their sum, and the mean.
    pub(crate) fn start(&self, node: &Node) -> (i64, f32) {
        match self.config.virtualvalue {
            Urgency::Zero => (0, 0.0),
            Urgency::Parent => (self.config.virtualvisits as i64 * fixed(node.mean()), node.mean()),
        }
    }

    /// Puts the children into the tree.
    fn plant(&self, index: u32, side: Side, seeds: &[Seed]) -> bool {
        if seeds.is_empty() {
            // Who can't go on has lost.
            self.tree.prove(index, side.other());
            return true;
        }
        let node = self.tree.node(index);
        let count = seeds.len() as u32;
        // Children of an island that find no room in the master tree would stay without their like.
        let ready = self.master.is_none_or(|master| master.is_ready_for(count));
        let Some(first) = ready.then(|| self.tree.take(count)).flatten() else {
            node.release();
            return false;
        };
        let start = self.start(node);
        for (child, seed) in (first..).zip(seeds) {
            let node = self.tree.node(child);
            node.begin(seed.way, seed.bias, start);
            if let Some(winner) = seed.winner {
                node.prove(winner);
            }
            if index != 0 || self.root.turns.is_empty() {
                self.tree.share(child, seed.key);
            }
        }
        node.set_children(first, count);
        let head = self.tree.head(index);
        if head != index && self.tree.node(head).claim() {
            self.tree.node(head).set_children(first, count);
        }
        self.tree.counts.expanded.fetch_add(1, Relaxed);
        true
    }
}

/// Who wins by a goal in this turn, or in the next one because nothing stops it.
pub(crate) fn proved(state: &State) -> Option<Side> {
    let (board, side) = (state.position.board(), state.position.side());
    if goal(board, side, state.position.steps_left()).is_some() {
        return Some(side);
    }
    (goal_defences(&state.position, &state.start) == Defence::None).then_some(side.other())
}

/// Values become shares of one.
fn make_priors(seeds: &mut [Seed], temperature: f32) {
    let best = seeds.iter().map(|seed| seed.bias).fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for seed in seeds.iter_mut() {
        seed.bias = exp((seed.bias - best) / temperature);
        sum += seed.bias;
    }
    seeds.iter_mut().for_each(|seed| seed.bias /= sum);
}
