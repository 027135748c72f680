//! Choice of the final turn [Akimot §4.3.1], principal variations and the tree dump.

use surus_rules::{Board, Side, Turn};

use super::params::TreePolicy;
use super::simulation::{Search, win_value};
use crate::common::turn_state::TurnState;

/// A principal variation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PvLine {
    /// The turn and its continuation.
    pub(crate) turns: Vec<Turn>,
    /// Visits of the node where the turn ends.
    pub(crate) visits: u32,
    /// The win probability of the side to move.
    pub(crate) win: f64,
    /// The proven winner.
    pub(crate) proof: Option<Side>,
}

impl Search<'_> {
    /// The variations through the best children of the root, best first.
    pub(crate) fn pv_lines(&self, most: usize) -> Vec<PvLine> {
        let side = self.root.state.position.side();
        self.sorted_children(0, side)
            .into_iter()
            .take(most.max(1))
            .filter_map(|child| self.line(child))
            .collect()
    }

    /// The children of a node, best first: proven wins, then by visits, proven losses last.
    pub(crate) fn sorted_children(&self, index: u32, side: Side) -> Vec<u32> {
        let mut children: Vec<u32> = self.tree.node(index).children().collect();
        let rank = |child: &u32| {
            let node = self.tree.node(*child);
            let proof = node.proven_winner().map_or(0, |winner| if winner == side { 1 } else { -1 });
            let proof = if self.config.solver { proof } else { 0 };
            let mean = win_value(side) * node.mean();
            // A flat search visits all children equally often.
            let flat = self.config.tree_policy == TreePolicy::Flat;
            let visits = if flat { node.visits().min(1) } else { node.visits() };
            (proof, visits, (mean * 1e6) as i32)
        };
        // Keys are computed once, because other threads may be updating the nodes. The sort is stable, so that the
        // choice is reproducible.
        children.sort_by_cached_key(|child| std::cmp::Reverse(rank(child)));
        children
    }

    /// The best variation that starts with a child of the root.
    fn line(&self, child: u32) -> Option<PvLine> {
        let mut state = self.root.state;
        let (mut parent, mut index) = (0, child);
        let side = state.position.side();
        let mut turns = Vec::new();
        let mut turn = Turn::EMPTY;
        let mut end = None;
        loop {
            let (before, ply) = (state, state.turn_number);
            self.apply_child(&mut state, parent, index);
            self.append_steps(&before, parent, index, &mut turn);
            if state.turn_number != ply {
                turns.push(std::mem::take(&mut turn));
                end.get_or_insert(index);
            }
            let next = self.sorted_children(index, state.position.side()).first().copied();
            match next.filter(|&next| {
                self.tree.node(next).visits() > 0 || self.tree.node(next).proven_winner().is_some()
            }) {
                Some(next) => (parent, index) = (index, next),
                None => break,
            }
        }
        if turns.is_empty() {
            // The tree ends in mid-turn: the turn ends there, if that is legal.
            let board = state.position.board();
            if *board == state.turn_start || self.root.forbids_repetition(board, side) {
                return None;
            }
            turns.push(turn);
        }
        let node = self.tree.node(end.unwrap_or(index));
        let proof = node.proven_winner();
        let mean = proof.map_or(node.mean(), win_value);
        let win = f64::from(1.0 + win_value(side) * mean) / 2.0;
        Some(PvLine { turns, visits: node.visits(), win, proof })
    }

    /// Appends the steps that lead to a child.
    fn append_steps(&self, before: &TurnState, parent: u32, child: u32, turn: &mut Turn) {
        let action = self.tree.node(child).action();
        if parent == 0
            && let Some((whole, _)) = self.root.turns.get(action.index())
        {
            *turn = *whole;
        } else if let Some(action) = action.action(before.position.board()) {
            for step in action.steps() {
                turn.push(step);
            }
        }
    }

    /// The most visited node where the turn that starts at a node ends on a board, and the state there.
    pub(crate) fn ends_on(&self, index: u32, state: TurnState, board: &Board) -> Option<(u32, TurnState)> {
        let mut best: Option<(u32, TurnState)> = None;
        let mut seen = vec![false; self.tree.len()];
        let mut waiting = vec![(index, state)];
        while let Some((parent, before)) = waiting.pop() {
            for child in self.tree.node(parent).children() {
                // Nodes with the same position share their children.
                if std::mem::replace(&mut seen[child as usize], true) {
                    continue;
                }
                let mut after = before;
                self.apply_child(&mut after, parent, child);
                if after.turn_number == state.turn_number {
                    waiting.push((child, after));
                    continue;
                }
                let visits = |node: u32| self.tree.node(node).visits();
                if after.position.board() == board
                    && best.is_none_or(|(known, _)| visits(known) < visits(child))
                {
                    best = Some((child, after));
                }
            }
        }
        best
    }

    /// Whether the search can stop after this fraction of its time: there is no other turn, or none can overtake the
    /// best one in the remaining time.
    pub(crate) fn can_stop_early(&self, gone: f64) -> bool {
        if !self.config.early_stop {
            return false;
        }
        // The expected number of future visits per visit so far.
        let rest = (1.0 - gone) / gone.max(1e-9);
        let visits = |index: u32| f64::from(self.tree.node(index).visits());
        let side = self.root.state.position.side();
        let mut index = 0;
        let mut state = self.root.state;
        // Every action of the turn must be decided, not only the first.
        while state.turn_number == self.root.state.turn_number {
            let sorted_children = self.sorted_children(index, side);
            let Some(&best) = sorted_children.first() else { return false };
            if sorted_children.get(1).is_some_and(|&next| visits(best) - visits(next) < rest * visits(index))
            {
                return false;
            }
            self.apply_child(&mut state, index, best);
            index = best;
        }
        true
    }

    /// A dump of the tree, `levels` deep, with the best `width` children of each node.
    pub(crate) fn dump(&self, levels: usize, width: usize) -> Vec<String> {
        let mut lines = Vec::new();
        self.dump_below(0, self.root.state, levels, width, &mut lines);
        lines
    }

    fn dump_below(&self, index: u32, state: TurnState, levels: usize, width: usize, lines: &mut Vec<String>) {
        if levels == 0 {
            return;
        }
        let side = state.position.side();
        let depth = 4 - levels.min(4);
        for child in self.sorted_children(index, side).into_iter().take(width) {
            let node = self.tree.node(child);
            if node.visits() == 0 && node.proven_winner().is_none() {
                continue;
            }
            let mut turn = Turn::EMPTY;
            self.append_steps(&state, index, child, &mut turn);
            let action = if turn.is_empty() { "pass".into() } else { turn.to_string() };
            let proof = node.proven_winner().map_or(String::new(), |winner| format!(", {winner} wins"));
            lines.push(format!(
                "{:indent$}{} {action}: {} visits, value {:+.4}{proof}",
                "",
                side.letter(),
                node.visits(),
                win_value(side) * node.mean(),
                indent = 2 * depth
            ));
            let mut below = state;
            self.apply_child(&mut below, index, child);
            self.dump_below(child, below, levels - 1, width, lines);
        }
    }
}
