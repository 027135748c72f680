//! Principal variation search over steps, pushes and pulls; depth is counted in steps.

use super::features::FeatureSet;
use super::ordering::{ActionKind, ActionPicker, ScoredAction};
use super::packed_turn::PackedTurn;
use super::search::{ActionOrPass, Search};
use super::state::SearchState;
use super::tt::{Bound, TtEntry};
use crate::common::score::{INFINITE, Score, from_tt, is_proven, loss_in, to_tt};
use crate::eval::Evaluate;

/// A node being searched.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) state: SearchState,
    pub(crate) depth: i32,
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
    pub(crate) is_pv: bool,
    /// The continuation of the turn to try first.
    pub(crate) hash_turn: PackedTurn,
    pub(crate) best_score: Score,
    pub(crate) best_turn: PackedTurn,
    /// The number of actions searched.
    pub(crate) searched_count: usize,
    /// An upper bound of the scores of pruned actions.
    pruned_bound: Score,
    /// The static evaluation, once it was computed.
    pub(crate) static_eval: Option<Score>,
}

impl Node {
    #[inline]
    pub(crate) const fn is_cutoff(&self) -> bool {
        self.best_score >= self.beta
    }

    /// Records that an action is not searched, because its score is at most `bound`.
    #[inline]
    fn prune(&mut self, bound: Score) {
        self.pruned_bound = self.pruned_bound.max(bound);
    }
}

/// A state that an action or a full turn leads to.
#[derive(Debug)]
pub(crate) struct Successor {
    pub(crate) state: SearchState,
    /// Whether the other side is to move there.
    pub(crate) ends_turn: bool,
    /// The cost of the turn, see [`Search::turn_penalty`].
    pub(crate) penalty: Score,
}

impl<E: Evaluate, F: FeatureSet> Search<'_, E, F> {
    /// The score of a state for its side to move.
    pub(crate) fn search(&mut self, state: &SearchState, depth: i32, alpha: Score, beta: Score) -> Score {
        self.stack.enter(state.stack_index);
        if depth <= 0 {
            return self.qsearch(state, alpha, beta);
        }
        if !self.count_node() {
            return 0;
        }
        let key = self.key(state);
        let entry = self.tt.probe(key);
        let tt_turn = entry.map_or(PackedTurn::NONE, |entry| PackedTurn(entry.best_turn));
        let is_pv = beta - alpha > 1;
        if let Some(entry) = entry
            && !is_pv
        {
            let score = from_tt(entry.score, state.ply);
            if entry.allows_cutoff(depth, score, alpha, beta) {
                self.stack[state.stack_index].best_turn = tt_turn;
                return score;
            }
        }
        // At the root a proven win would lack its turn.
        if state.is_turn_start()
            && state.turns_from_root > 0
            && let Some(score) = self.terminal_score(state)
        {
            return score;
        }
        let mut node = self.new_node(state, tt_turn, depth, alpha, beta);
        let early =
            if node.state.goal_threatened { self.extend(&mut node) } else { self.prune_node(&mut node) };
        if let Some(score) = early {
            if node.state.goal_threatened && !self.aborted {
                // An unstoppable goal is exact at any depth, and expensive to find.
                let (score, bound) = (to_tt(score, state.ply), Bound::Exact);
                self.tt.store(key, TtEntry { best_turn: tt_turn.0, score, depth: i32::MAX, bound });
            }
            return score;
        }
        if state.is_turn_start() && self.features.stored_turns() {
            self.search_stored_turns(&mut node);
        }
        if !self.aborted && !node.is_cutoff() {
            self.search_actions(&mut node);
        }
        self.store_result(&node, key, depth, alpha)
    }

    fn new_node(
        &mut self,
        state: &SearchState,
        tt_turn: PackedTurn,
        depth: i32,
        alpha: Score,
        beta: Score,
    ) -> Node {
        let starts = state.is_turn_start();
        let goal_threatened = if starts || state.stack_index == 0 {
            (self.features.goal_defence_filter() || self.features.goal_extensions())
                && self.enemy_goal(state).is_some()
        } else {
            state.goal_threatened
        };
        let generation = if starts || state.generation == 0 {
            self.history.turn_dedup.next_generation()
        } else {
            state.generation
        };
        Node {
            state: SearchState { goal_threatened, generation, ..*state },
            depth,
            alpha,
            beta,
            is_pv: beta - alpha > 1,
            hash_turn: if tt_turn == PackedTurn::NONE { state.turn_hint } else { tt_turn },
            best_score: -INFINITE,
            best_turn: PackedTurn::NONE,
            searched_count: 0,
            pruned_bound: -INFINITE,
            static_eval: None,
        }
    }

    /// Stores and returns the result of a node; `depth` and `alpha` are those it was called with.
    fn store_result(&mut self, node: &Node, key: u64, depth: i32, alpha: Score) -> Score {
        if self.aborted {
            return 0;
        }
        let score = node.best_score.max(node.pruned_bound);
        if score == -INFINITE {
            // No legal end of the turn is left.
            return loss_in(node.state.ply);
        }
        self.stack[node.state.stack_index].best_turn = node.best_turn;
        let bound = Bound::new(score, alpha, node.beta);
        self.update_correction(node, score, bound);
        let entry =
            TtEntry { best_turn: node.best_turn.0, score: to_tt(score, node.state.ply), depth, bound };
        self.tt.store(key, entry);
        score
    }

    /// Searches the actions of a node in the order of its picker.
    fn search_actions(&mut self, node: &mut Node) {
        let index = node.state.stack_index;
        let mut picker = ActionPicker::new(node, std::mem::take(&mut self.stack[index].actions));
        let mut defence_area = None;
        while let Some(action) = self.next_action(node, &mut picker) {
            if action.kind == ActionKind::Hash {
                let rest = node.hash_turn.skip_steps(action.len());
                self.search_action(node, &action, rest, picker.tried());
            } else {
                let area = *defence_area.get_or_insert_with(|| self.defence_area(node));
                let steps_left = node.state.position.steps_left();
                if area.is_some_and(|area| action.misses_defence(area, steps_left)) {
                    node.prune(loss_in(node.state.ply + i32::from(steps_left) + 4));
                } else if self.should_prune(node, &action) {
                    node.prune(node.alpha);
                } else {
                    self.search_action(node, &action, PackedTurn::NONE, picker.tried());
                }
            }
            if self.aborted || node.is_cutoff() {
                break;
            }
        }
        self.stack[index].actions = picker.into_list();
    }

    /// Searches one action; those of `tried` caused no cutoff.
    fn search_action(
        &mut self,
        node: &mut Node,
        action: &ScoredAction,
        turn_hint: PackedTurn,
        tried: &[ScoredAction],
    ) {
        let Some(next) = self.apply_action(node, action.action, turn_hint) else { return };
        self.tt.prefetch(self.key(&next.state));
        let depth = node.depth - (next.state.ply - node.state.ply);
        let reduction = if node.searched_count == 0 { 0 } else { self.reduction(node, action) };
        if self.features.turn_dedup() && !next.ends_turn {
            let state = &next.state;
            let (turn, generation) = (state.turns_from_root, state.generation);
            let (key, steps_taken) = (state.board().key(), state.position.steps_taken());
            let dedup = &mut self.history.turn_dedup;
            if dedup.seen_or_insert(turn, generation, key, steps_taken, depth - reduction) {
                node.prune(node.alpha);
                return;
            }
        }
        let (index, ends_turn) = (next.state.stack_index, next.ends_turn);
        let score = self.search_pvs(node, next, depth, reduction);
        if self.aborted {
            return;
        }
        let rest = if ends_turn { PackedTurn::NONE } else { self.stack[index].best_turn };
        let turn = PackedTurn::prepend(action.action, rest);
        self.update_best(node, score, turn, std::iter::once(action.action));
        if node.is_cutoff() {
            self.history.cutoffs.add(node.searched_count);
            self.update_history(node, action, turn, tried);
        }
    }

    /// PVS: full window for the first successor, null window and perhaps a reduction for the others.
    pub(crate) fn search_pvs(
        &mut self,
        node: &mut Node,
        mut next: Successor,
        depth: i32,
        reduction: i32,
    ) -> Score {
        let (alpha, beta) = (node.alpha, node.beta);
        if next.ends_turn {
            self.repetitions.push(next.state.board(), node.state.position.side());
        }
        let is_first = node.searched_count == 0;
        node.searched_count += 1;
        let score = if is_first {
            self.search_child(&next, depth, alpha, beta)
        } else {
            let mut score = self.search_child(&next, depth - reduction, alpha, alpha + 1);
            if score > alpha && reduction > 0 {
                next.state.generation = self.history.turn_dedup.next_generation();
                score = self.search_child(&next, depth, alpha, alpha + 1);
            }
            if score > alpha && score < beta {
                next.state.generation = self.history.turn_dedup.next_generation();
                score = self.search_child(&next, depth, alpha, beta);
            }
            score
        };
        if next.ends_turn {
            self.repetitions.pop();
        }
        score
    }

    /// The score of a successor for the side that leads to it.
    pub(crate) fn search_child(&mut self, next: &Successor, depth: i32, alpha: Score, beta: Score) -> Score {
        if !next.ends_turn {
            return self.search(&next.state, depth, alpha, beta);
        }
        // Proven scores are not changed by the penalty, and the window must stay within the range of scores.
        let penalty = if is_proven(alpha) && alpha != -INFINITE { 0 } else { next.penalty };
        let score = -self.search(&next.state, depth, (-beta - penalty).max(-INFINITE), -alpha - penalty);
        if is_proven(score) { score } else { score - penalty }
    }

    /// Updates the best score of a node, and its principal variation with the actions that lead to it.
    pub(crate) fn update_best(
        &mut self,
        node: &mut Node,
        score: Score,
        turn: PackedTurn,
        actions: impl Iterator<Item = ActionOrPass>,
    ) {
        if score <= node.best_score {
            return;
        }
        node.best_score = score;
        let index = node.state.stack_index;
        if index == 0 {
            self.use_soft_limit = score >= self.score_drop_limit;
        }
        if score > node.alpha {
            node.alpha = score;
            node.best_turn = turn;
            if node.is_pv {
                self.stack.update_pv(index, actions);
            }
        }
    }

    /// The state that an action leads to, if it is legal.
    fn apply_action(&self, node: &Node, action: ActionOrPass, turn_hint: PackedTurn) -> Option<Successor> {
        let Some(action) = action else { return self.end_turn(node, &node.state) };
        let state = node.state.after_action(action, turn_hint);
        if node.state.repeats_board(state.board()) {
            return None;
        }
        if state.position.steps_left() == 0 {
            return self.end_turn(node, &state);
        }
        Some(Successor { state, ends_turn: false, penalty: 0 })
    }

    /// The start of the other side's turn if this turn may end in state `last`.
    pub(crate) fn end_turn(&self, node: &Node, last: &SearchState) -> Option<Successor> {
        let (start, end, side) = (&node.state.turn_start, last.board(), node.state.position.side());
        if end == start || self.is_illegal_end(end, side) {
            return None;
        }
        let penalty = self.turn_penalty(start, end, side);
        // Actions that end the turn, and full turns, take one entry of the stack.
        let state = SearchState { stack_index: node.state.stack_index + 1, ..last.next_turn() };
        Some(Successor { state, ends_turn: true, penalty })
    }
}
