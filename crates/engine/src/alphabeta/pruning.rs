//! Pruning, reductions and extensions, and the history updates after a cutoff.

use surus_rules::{Board, Side};
use surus_tactics::Defences;

use super::features::FeatureSet;
use super::history::{self, HistoryIndex};
use super::ordering::{ActionKind, ScoredAction};
use super::packed_turn::PackedTurn;
use super::pvs::Node;
use super::search::{ActionOrPass, Search};
use super::state::SearchState;
use super::tt::Bound;
use crate::common::score::{Score, is_proven, loss_in};
use crate::eval::Evaluate;

impl<E: Evaluate, F: FeatureSet> Search<'_, E, F> {
    /// The static evaluation of a board for the side to move: at the start of a turn with that side to start, in mid-turn
    /// as if the turn ended here.
    pub(crate) fn static_eval(&mut self, state: &SearchState) -> Score {
        let (board, side) = (state.board(), state.position.side());
        if state.is_turn_start() {
            self.evaluate_turn_start(board, side)
        } else {
            -self.evaluate_turn_start(board, side.other())
        }
    }

    /// The static evaluation of a board on which `side` starts its turn.
    #[inline]
    pub(crate) fn evaluate_turn_start(&mut self, board: &Board, side: Side) -> Score {
        self.eval.evaluate(board, side) + self.correction(board, side)
    }

    #[inline]
    fn correction(&self, board: &Board, side: Side) -> Score {
        if !self.features.correction_history() {
            return 0;
        }
        self.history.correction.correction(board, side, &self.params)
    }

    /// The static evaluation of a node, computed once.
    pub(crate) fn node_static_eval(&mut self, node: &mut Node) -> Score {
        *node.static_eval.get_or_insert_with(|| self.static_eval(&node.state))
    }

    /// Records how far the search of a node differed from its static evaluation, if the difference says something about the
    /// board: not where a capture or a goal decides, nor where the score is only a bound on the other side.
    pub(crate) fn update_correction(&mut self, node: &Node, score: Score, bound: Bound) {
        let state = &node.state;
        let Some(static_eval) = node.static_eval else { return };
        let is_informative = match bound {
            Bound::Exact => true,
            Bound::Lower => score > static_eval,
            Bound::Upper => score < static_eval,
        };
        if !is_informative
            || !self.features.correction_history()
            || !state.is_turn_start()
            || state.goal_threatened
            || node.depth < self.params.correction_min_depth()
            || is_proven(score)
            || node.best_turn.captures(state.board())
        {
            return;
        }
        let (board, side) = (state.board(), state.position.side());
        let uncorrected = static_eval - self.correction(board, side);
        self.history.correction.update(board, side, score - uncorrected, node.depth, &self.params);
    }

    /// Prunes a whole node: returns its score if its actions need not be searched.
    pub(crate) fn prune_node(&mut self, node: &mut Node) -> Option<Score> {
        if node.is_pv || !node.state.is_turn_start() || is_proven(node.beta) {
            return None;
        }
        let static_eval = self.node_static_eval(node);
        self.null_turn(node, static_eval).or_else(|| self.razor(node, static_eval))
    }

    /// Null-turn pruning, at low depth decided by quiescence with a margin (reverse futility).
    fn null_turn(&mut self, node: &Node, static_eval: Score) -> Option<Score> {
        let reduction = self.params.null_turn_reduction();
        let (enabled, margin) = if node.depth >= reduction {
            (self.features.null_turn(), 0)
        } else {
            (self.features.reverse_futility(), self.params.reverse_futility_margin())
        };
        if !enabled || node.state.after_null || static_eval < node.beta + margin {
            return None;
        }
        let next = node.state.after_null_turn();
        self.repetitions.push(node.state.board(), node.state.position.side());
        let score = -self.search(&next, node.depth - reduction, -node.beta, 1 - node.beta);
        self.repetitions.pop();
        (!self.aborted && score >= node.beta).then_some(node.beta)
    }

    /// Razoring: far below alpha only captures and goals can help, which quiescence finds.
    fn razor(&mut self, node: &Node, static_eval: Score) -> Option<Score> {
        let margin = self.params.razor_margin(node.depth)?;
        if !self.features.razoring() || static_eval + margin > node.alpha {
            return None;
        }
        let score = self.qsearch(&node.state, node.alpha, node.beta);
        (!self.aborted && score <= node.alpha).then_some(score)
    }

    /// Extends a node where a goal must be stopped; returns its score if nothing stops it.
    pub(crate) fn extend(&mut self, node: &mut Node) -> Option<Score> {
        let is_root = node.state.stack_index == 0;
        if !self.features.goal_extensions()
            || !node.state.is_turn_start()
            || node.depth < self.params.extension_min_depth() && !is_root
        {
            return None;
        }
        let goal_steps = self.enemy_goal(&node.state)?;
        let defence_steps = match self.goal_defences(&node.state) {
            Defences::Turns(turns) => {
                let first = turns.first()?;
                if node.hash_turn == PackedTurn::NONE {
                    node.hash_turn = PackedTurn::from_turn(first);
                }
                first.len()
            }
            Defences::Unstoppable if !is_root => {
                return Some(loss_in(node.state.ply + 4 + i32::from(goal_steps)));
            }
            _ => return None,
        };
        let room = (self.params.extension_max() - node.state.extension).max(0);
        let extension = self.params.extension(defence_steps, goal_steps).min(room);
        node.state.extension += extension;
        node.depth += extension;
        None
    }

    /// Whether a quiet action is pruned by late move pruning or futility.
    pub(crate) fn should_prune(&mut self, node: &mut Node, action: &ScoredAction) -> bool {
        if node.is_pv
            || self.multi_pv && node.state.turns_from_root == 0
            || node.state.goal_threatened
            || node.searched_count == 0
            || action.kind != ActionKind::Quiet
            || is_proven(node.alpha)
            || is_proven(node.best_score)
        {
            return false;
        }
        let lmp_count = self.params.lmp_count(node.depth);
        if self.features.lmp() && lmp_count.is_some_and(|count| node.searched_count >= count) {
            return true;
        }
        match self.params.futility_margin(node.depth) {
            Some(margin) if self.features.futility() => self.node_static_eval(node) + margin <= node.alpha,
            _ => false,
        }
    }

    fn history_score(&self, node: &Node, action: &ScoredAction) -> i32 {
        action.action.map_or(0, |action| {
            let index = HistoryIndex::new(action, node.state.continuation_context);
            self.history.score(index, self.features)
        })
    }

    /// The late action reduction in steps.
    pub(crate) fn reduction(&mut self, node: &mut Node, action: &ScoredAction) -> i32 {
        if !self.features.lmr() || node.depth < self.params.lmr_min_depth() {
            return 0;
        }
        // In hundredths of a step.
        let mut reduction = self.params.lmr(node.depth, node.searched_count);
        if self.features.behind_reductions()
            && self.node_static_eval(node) + self.params.behind_margin() <= node.alpha
        {
            reduction += self.params.behind_reduction();
        }
        reduction -= match action.kind {
            ActionKind::Quiet => self.history_score(node, action) / self.params.lmr_history_divisor(),
            ActionKind::Tactical => self.params.lmr_tactical(),
            ActionKind::Losing => 0,
            ActionKind::Hash | ActionKind::EndTurn | ActionKind::Capture | ActionKind::Killer => reduction,
        };
        if matches!(action.kind, ActionKind::Quiet | ActionKind::Tactical) {
            let unlikely = -action.policy * self.params.policy_reduction() / 100;
            reduction += unlikely.min(self.params.policy_reduction_max());
        }
        reduction.max(0) / 100
    }

    /// Rewards an action that caused a cutoff, and penalises those tried before it.
    pub(crate) fn update_history(
        &mut self,
        node: &Node,
        action: &ScoredAction,
        turn: PackedTurn,
        tried: &[ScoredAction],
    ) {
        let Some(best) = action.action.filter(|_| action.kind != ActionKind::Capture) else { return };
        let context = node.state.continuation_context;
        let bonus = self.params.history_bonus(node.depth);
        self.history.add_killer(node.state.ply, turn);
        self.history.update(best, context, bonus);
        for other in tried.iter().filter_map(|action| action.action) {
            self.history.update(other, context, -bonus / self.params.history_malus_divisor());
        }
    }

    /// Rewards the actions of a stored turn that caused a cutoff.
    pub(crate) fn update_turn_history(&mut self, node: &Node, turn: PackedTurn, actions: &[ActionOrPass]) {
        self.history.add_killer(node.state.ply, turn);
        let bonus = self.params.history_bonus(node.depth) / self.params.history_turn_divisor();
        let mut context = node.state.continuation_context;
        for action in actions.iter().copied().flatten() {
            self.history.update(action, context, bonus);
            context = history::continuation_context(action, true);
        }
    }
}
