//! Where the search looks less far, further, or not at all: every decision by itself.

use surus_tactics::{Defence, goal};

use super::history::{self, HistoryIndex, history_bonus};
use super::ordering::{ActionClass, ScoredAction};
use super::packed_turn::PackedTurn;
use super::pvs::Node;
use super::search::{ActionOrPass, Search, repetition_key};
use super::state::SearchState;
use crate::common::score::{Score, is_proven, loss_in};
use crate::eval::Evaluate;

/// How many steps less a null turn is looked at: the turn itself and one more.
const NULL_TURN_REDUCTION: i32 = 5;
/// Below that depth quiescence judges the null turn, and the score must be this much better.
const REVERSE_FUTILITY_MARGIN: Score = 200;

/// By depth: how far below alpha quiescence alone decides.
const RAZOR_MARGINS: [Score; 4] = [0, 1500, 2000, 2500];
/// By depth: what quiet ways can't add to a score.
const FUTILITY_MARGINS: [Score; 6] = [0, 300, 450, 600, 800, 1100];
/// By depth: after how many ways quiet ones are left out.
const LATE_PRUNING_COUNTS: [usize; 7] = [0, 6, 9, 14, 18, 26, 36];
/// Where the board is this far below alpha, late ways are reduced by more: so many hundredths of a step.
const BEHIND: (Score, i32) = (300, 60);

/// Natural logarithms of 0 to 63 in hundredths.
const LOG: [i32; 64] = [
    0, 0, 69, 110, 139, 161, 179, 195, 208, 220, 230, 240, 248, 256, 264, 271, 277, 283, 289, 294, 300, 304,
    309, 314, 318, 322, 326, 330, 333, 337, 340, 343, 347, 350, 353, 356, 358, 361, 364, 366, 369, 371, 374,
    376, 378, 381, 383, 385, 387, 389, 391, 393, 395, 397, 399, 401, 403, 404, 406, 408, 409, 411, 413, 414,
];

/// An extension ends where a line was extension by this much.
const MAX_EXTENSION: u8 = 8;

impl<E: Evaluate> Search<'_, E> {
    /// What the evaluation says if the board stayed as it is: at a turn's start for the side that begins, in mid-turn
    /// for the one that ends.
    pub(crate) fn static_eval(&mut self, at: &SearchState) -> Score {
        let (board, side) = (at.board(), at.position.side());
        if at.is_turn_start() {
            self.eval.evaluate(board, side)
        } else {
            -self.eval.evaluate(board, side.other())
        }
    }

    /// The same, asked once for a node.
    pub(crate) fn node_static_eval(&mut self, node: &mut Node) -> Score {
        *node.cached_eval.get_or_insert_with(|| self.static_eval(node.state))
    }

    /// The score of a node that needs no search of its ways.
    pub(crate) fn prune_node(&mut self, node: &mut Node) -> Option<Score> {
        if node.is_pv || !node.state.is_turn_start() || is_proven(node.beta) {
            return None;
        }
        let stand = self.node_static_eval(node);
        self.null_turn(node, stand).or_else(|| self.razor(node, stand))
    }

    /// A side that is content even without its turn is with it.
    fn null_turn(&mut self, node: &Node, stand: Score) -> Option<Score> {
        let deep = NULL_TURN_REDUCTION <= node.depth;
        let (on, margin) = if deep {
            (self.features.null_turn, 0)
        } else {
            (self.features.reverse_futility, REVERSE_FUTILITY_MARGIN)
        };
        if !on || node.state.after_null || stand < node.beta + margin {
            return None;
        }
        let mut next = node.state.next_turn();
        next.after_null = true;
        self.path_keys.push(repetition_key(node.state.board(), node.state.position.side(), self.rules));
        let score = -self.search(&next, node.depth - NULL_TURN_REDUCTION, -node.beta, 1 - node.beta);
        self.path_keys.pop();
        (!self.aborted && node.beta <= score).then_some(node.beta)
    }

    /// Far below alpha only captures and goals can help.
    fn razor(&mut self, node: &Node, stand: Score) -> Option<Score> {
        let margin = RAZOR_MARGINS.get(node.depth as usize)?;
        if !self.features.razoring || node.alpha < stand + margin {
            return None;
        }
        let score = self.qsearch(node.state, node.alpha, node.beta);
        (!self.aborted && score <= node.alpha).then_some(score)
    }

    /// Looks further where a goal must be stopped; the score if nothing stops it.
    pub(crate) fn extend(&mut self, node: &mut Node) -> Option<Score> {
        let at = node.state;
        if !self.features.goal_extensions || !at.is_turn_start() || node.depth < 3 && at.stack_index != 0 {
            return None;
        }
        let steps = goal(at.board(), at.position.side().other(), self.tactical_depth.goal_steps)?;
        let needed = match self.defences(at) {
            Defence::Turns(turns) => {
                let first = turns.first()?;
                // Something that stops it is a better branch than nothing.
                if node.hash_turn == PackedTurn::NONE {
                    node.hash_turn = PackedTurn::from_turn(first);
                }
                first.len()
            }
            Defence::None if at.stack_index != 0 => return Some(loss_in(at.ply + 4 + i32::from(steps))),
            _ => return None,
        };
        let more = match needed {
            0 | 1 => u8::from(steps <= 2),
            2 => 1,
            3 => 2,
            _ => 3,
        };
        let more = more.min(MAX_EXTENSION.saturating_sub(node.extension));
        node.extension += more;
        node.depth += i32::from(more);
        None
    }

    /// Whether a quiet way is not worth a search.
    pub(crate) fn should_prune(&mut self, node: &mut Node, way: &ScoredAction) -> bool {
        if node.is_pv
            || self.multi_pv && node.state.turns_from_root == 0
            || node.goal_threatened
            || node.searched_count == 0
            || way.class != ActionClass::Quiet
            || is_proven(node.alpha)
            || is_proven(node.best_score)
        {
            return false;
        }
        let depth = node.depth as usize;
        if self.features.lmp
            && LATE_PRUNING_COUNTS.get(depth).is_some_and(|&most| most <= node.searched_count)
        {
            return true;
        }
        match FUTILITY_MARGINS.get(depth) {
            Some(margin) if self.features.futility => self.node_static_eval(node) + margin <= node.alpha,
            _ => false,
        }
    }

    /// How good a way was elsewhere.
    fn history_score(&self, node: &Node, way: &ScoredAction) -> i32 {
        way.action.map_or(0, |action| {
            self.history.score(HistoryIndex::new(action, node.state.continuation_context), &self.features)
        })
    }

    /// Steps that a late way is looked at less.
    pub(crate) fn reduction(&mut self, node: &mut Node, way: &ScoredAction) -> i32 {
        if !self.features.lmr || node.depth < 2 {
            return 0;
        }
        let log = |n: usize| LOG[n.min(63)];
        // In hundredths of a step.
        let mut by = log(node.depth as usize) * log(node.searched_count) / 160;
        if self.features.behind_reductions && self.node_static_eval(node) + BEHIND.0 <= node.alpha {
            by += BEHIND.1;
        }
        by -= match way.class {
            ActionClass::Quiet => self.history_score(node, way) / 100,
            ActionClass::Tactical => 60,
            ActionClass::Losing => 0,
            ActionClass::Noisy => by,
        };
        by.max(0) / 100
    }

    /// Remembers a way that ended a node, and those that did not.
    pub(crate) fn update_history(
        &mut self,
        node: &Node,
        way: &ScoredAction,
        plan: PackedTurn,
        before: &[ScoredAction],
    ) {
        let Some(action) = way.action else { return };
        let captures = way.class == ActionClass::Noisy && 900_000 < way.score && way.score != i32::MAX;
        if captures {
            return;
        }
        let by = history_bonus(node.depth);
        self.history.add_killer(node.state.ply, plan);
        self.history.update(action, node.state.continuation_context, by);
        for other in before.iter().filter_map(|way| way.action) {
            self.history.update(other, node.state.continuation_context, -by / 8);
        }
    }

    /// Remembers a turn that ended a node.
    pub(crate) fn update_turn_history(&mut self, node: &Node, plan: PackedTurn, choices: &[ActionOrPass]) {
        self.history.add_killer(node.state.ply, plan);
        let mut context = node.state.continuation_context;
        for action in choices.iter().copied().flatten() {
            self.history.update(action, context, history_bonus(node.depth) / 2);
            context = history::continuation_context(action, true);
        }
    }
}
