//! Expansion of leaves.

use std::sync::atomic::Ordering::Relaxed;

use surus_rules::{Action, PackedAction, Side};

use super::node::{Node, StartValue};
use super::params::{StepValues, TreePolicy, VirtualVisitValue};
use super::simulation::Search;
use super::worker::Worker;
use crate::common::action_list::ActionList;
use crate::common::math::{exp, fixed};
use crate::common::root_turns::proven_winner;
use crate::common::turn_state::TurnState;

/// A child to be inserted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChildSpec {
    action: PackedAction,
    key: u64,
    bias: f32,
    winner: Option<Side>,
}

impl Search<'_> {
    /// Expands a node; returns whether it has children now or is decided. Only one thread succeeds.
    pub(crate) fn expand(&self, index: u32, state: &TurnState, worker: &mut Worker) -> bool {
        let node = self.tree.node(index);
        if !node.try_claim_expansion() {
            return false;
        }
        let side = state.position.side();
        if self.solver_active()
            && index != 0
            && let Some(winner) = proven_winner(state)
        {
            self.tree.prove(index, winner);
            return true;
        }
        let mut child_specs = std::mem::take(&mut worker.child_specs);
        child_specs.clear();
        if index == 0 && !self.root.turns.is_empty() {
            self.generate_turn_children(&mut child_specs);
        } else {
            self.generate_children(state, &mut child_specs);
        }
        if self.config.unpruning != 0 {
            child_specs.sort_by(|one, other| other.bias.total_cmp(&one.bias));
            if !self.uses_bias() {
                child_specs.iter_mut().for_each(|spec| spec.bias = 0.0);
            }
        }
        if self.config.tree_policy == TreePolicy::Puct {
            softmax_priors(&mut child_specs, self.config.prior_temperature);
        }
        let start = self.start_value(node, &worker.path);
        let done = self.insert_children(index, side, &child_specs, start);
        self.link_children(index);
        worker.child_specs = child_specs;
        if done && self.config.advisor {
            worker.playout.advisor.add_captures(state.position.board());
            worker.expanded_board = Some(*state.position.board());
        }
        done
    }

    fn generate_children(&self, state: &TurnState, child_specs: &mut Vec<ChildSpec>) {
        let mut actions = ActionList::new();
        let (board, side) = (state.position.board(), state.position.side());
        state.position.for_each_completion(|step| {
            actions.push(PackedAction::new(side, Action::single(step)));
        });
        if !state.position.is_mid_push() {
            actions.add_all(board, side, state.position.steps_left());
            if state.position.steps_taken() != 0 {
                actions.push(PackedAction::pass(side));
            }
        }
        let mut pruned = 0;
        for &action in actions.as_mut().iter() {
            let mut after = *state;
            after.play(action);
            let next = after.position.board();
            let ends = after.turn_number != state.turn_number;
            let key = after.key();
            // Returning to the start of the turn is illegal at its end and pointless before; a third repetition is
            // illegal; and a push can have the same result as a pull.
            if *next == state.turn_start
                || ends && self.root.forbids_repetition(next, side)
                || child_specs.iter().any(|known| known.key == key)
            {
                pruned += 1;
                continue;
            }
            let winner = if ends { self.root.winner(next, side) } else { None };
            child_specs.push(ChildSpec { action, key, bias: self.bias(state, action, &after), winner });
        }
        self.tree.counts.pruned.fetch_add(pruned, Relaxed);
        if let Some(learned) = &self.playouts.learned
            && self.config.tree_values == StepValues::Model
        {
            let boards = [&state.turn_start, board];
            let actions = child_specs.iter().map(|spec| spec.action);
            let values =
                learned.values(boards, side, state.position.steps_left(), state.last_action, actions);
            let weight = match self.config.tree_policy {
                TreePolicy::Puct => 1.0,
                _ => self.config.progressive_bias_weight,
            };
            child_specs.iter_mut().zip(values).for_each(|(spec, value)| spec.bias = weight * value);
        }
    }

    /// Whether the selection adds the values of actions to those of nodes.
    fn uses_bias(&self) -> bool {
        self.config.progressive_bias || self.config.tree_policy == TreePolicy::Puct
    }

    fn bias(&self, state: &TurnState, action: PackedAction, after: &TurnState) -> f32 {
        if !self.uses_bias() && self.config.unpruning == 0 || self.config.tree_values == StepValues::Model {
            return 0.0;
        }
        let left = state.position.steps_left().saturating_sub(action.len());
        let (board, side) = (state.position.board(), state.position.side());
        let value = self.playouts.knowledge.value(
            board,
            action,
            after.position.board(),
            state.last_action,
            side,
            left,
        );
        if self.config.tree_policy == TreePolicy::Puct {
            value
        } else {
            self.config.progressive_bias_weight * value
        }
    }

    fn generate_turn_children(&self, child_specs: &mut Vec<ChildSpec>) {
        let side = self.root.state.position.side();
        for (number, (_, board)) in (0..u16::MAX).zip(&self.root.turns) {
            let winner = self.root.winner(board, side);
            child_specs.push(ChildSpec { action: PackedAction(number), key: board.key(), bias: 0.0, winner });
        }
    }

    /// The sum and the mean that the virtual visits of the children of a node start with; `path` leads to the node.
    pub(crate) fn start_value(&self, node: &Node, path: &[u32]) -> StartValue {
        let mean = match (self.config.virtual_visit_value, path) {
            (VirtualVisitValue::Zero, _) => return StartValue::default(),
            (VirtualVisitValue::Grandfather, [.., grandfather, _]) => self.tree.node(*grandfather).mean(),
            _ => node.mean(),
        };
        StartValue { sum: self.config.virtual_visits as i64 * fixed(mean), mean }
    }

    /// Inserts the children into the tree.
    fn insert_children(&self, index: u32, side: Side, child_specs: &[ChildSpec], start: StartValue) -> bool {
        if child_specs.is_empty() {
            // A side without a legal action has lost.
            self.tree.prove(index, side.other());
            return true;
        }
        let node = self.tree.node(index);
        let count = child_specs.len() as u32;
        // Children of an island need room for their counterparts in the master tree.
        let ready = self.master.is_none_or(|master| master.is_ready_for(count));
        let Some(first) = ready.then(|| self.tree.alloc(count)).flatten() else {
            node.release();
            return false;
        };
        for (child, spec) in (first..).zip(child_specs) {
            let node = self.tree.node(child);
            node.init(spec.action, spec.bias, start);
            if let Some(winner) = spec.winner {
                node.prove(winner);
            }
            if index != 0 || self.root.turns.is_empty() {
                self.tree.link_transposition(child, spec.key);
            }
        }
        node.set_children(first, count);
        let head = self.tree.canonical(index);
        if head != index && self.tree.node(head).try_claim_expansion() {
            self.tree.node(head).set_children(first, count);
        }
        self.tree.counts.expanded.fetch_add(1, Relaxed);
        true
    }
}

/// Converts values to priors that sum to one.
fn softmax_priors(child_specs: &mut [ChildSpec], temperature: f32) {
    let best = child_specs.iter().map(|spec| spec.bias).fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for spec in child_specs.iter_mut() {
        spec.bias = exp((spec.bias - best) / temperature);
        sum += spec.bias;
    }
    child_specs.iter_mut().for_each(|spec| spec.bias /= sum);
}
