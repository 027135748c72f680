//! The order in which the actions of a node are searched.
//!
//! [`ActionPicker`] yields the hash action first, before any other is generated; then captures, killers, tactical and
//! quiet actions by their history and, at high depth, by a learned model ([`super::policy`]), and own losses last.

use std::cmp::Reverse;

use surus_rules::{Action, Bitboard, Board, Direction, PieceKind, Side};
use surus_tactics::goal_defence_squares;

use super::features::FeatureSet;
use super::history::{HistoryIndex, HistoryTables};
use super::packed_turn::PackedTurn;
use super::params::Params;
use super::pvs::Node;
use super::search::{ActionOrPass, Search};
use super::state::SearchState;
use crate::eval::Evaluate;

/// An action with its ordering score.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoredAction {
    pub(crate) action: ActionOrPass,
    pub(crate) score: i32,
    pub(crate) kind: ActionKind,
    /// How much less likely than the best action of the node the model finds it: hundredths of a logarithm, at most 0.
    pub(crate) policy: i32,
}

/// What an action does, which decides how it is pruned, reduced and recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ActionKind {
    /// The first action of the stored turn.
    Hash,
    /// Ends the turn early.
    EndTurn,
    /// Captures a piece and loses none.
    Capture,
    /// The first action of a killer turn.
    Killer,
    /// Displaces a piece near a trap, freezes a piece, or advances a rabbit.
    Tactical,
    Quiet,
    /// Loses an own piece.
    Losing,
}

impl ScoredAction {
    /// The steps it takes.
    pub(crate) fn len(&self) -> u8 {
        self.action.map_or(0, Action::len)
    }

    /// Whether the turn ends with this action although it touches no square that stops the opponent's goal.
    pub(crate) fn misses_defence(&self, area: Bitboard, steps_left: u8) -> bool {
        self.action.is_none_or(|action| action.len() == steps_left && (action.touched() & area).is_empty())
    }
}

/// Yields the actions of a node one by one, best first.
#[derive(Debug)]
pub(crate) struct ActionPicker {
    stage: Stage,
    hash_action: Option<Action>,
    list: Vec<ScoredAction>,
    /// The number of generated actions that were yielded; they are at the front of the list.
    yielded: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Hash,
    Generate,
    Generated,
}

impl ActionPicker {
    /// A picker for a node, with a list whose allocation is reused.
    pub(crate) fn new(node: &Node, mut list: Vec<ScoredAction>) -> Self {
        list.clear();
        let position = &node.state.position;
        let hash_action =
            node.hash_turn.first_action(position.board(), position.side(), position.steps_left());
        Self { stage: Stage::Hash, hash_action, list, yielded: 0 }
    }

    /// The generated actions that were yielded before the last one.
    pub(crate) fn tried(&self) -> &[ScoredAction] {
        &self.list[..self.yielded.saturating_sub(1)]
    }

    pub(crate) fn into_list(self) -> Vec<ScoredAction> {
        self.list
    }

    /// Moves the best of the remaining actions to the front; the first among equals.
    fn pick_best(&mut self) -> Option<ScoredAction> {
        let rest = &mut self.list[self.yielded..];
        let best = (0..rest.len()).min_by_key(|&i| (Reverse(rest[i].score), i))?;
        rest.swap(0, best);
        self.yielded += 1;
        Some(rest[0])
    }
}

impl<E: Evaluate, F: FeatureSet> Search<'_, E, F> {
    /// The next action of a node.
    #[inline]
    pub(crate) fn next_action(&mut self, node: &mut Node, picker: &mut ActionPicker) -> Option<ScoredAction> {
        if picker.stage == Stage::Hash {
            picker.stage = Stage::Generate;
            if let Some(action) = picker.hash_action {
                return Some(ScoredAction {
                    action: Some(action),
                    score: i32::MAX,
                    kind: ActionKind::Hash,
                    policy: 0,
                });
            }
        }
        if picker.stage == Stage::Generate {
            picker.stage = Stage::Generated;
            self.generate_actions(node, picker);
        }
        picker.pick_best()
    }

    /// Lists and scores all actions except the hash action.
    fn generate_actions(&mut self, node: &mut Node, picker: &mut ActionPicker) {
        if !node.state.is_turn_start() && *node.state.board() != node.state.turn_start {
            let fails_high = self.features.pass_first() && self.node_static_eval(node) >= node.beta;
            let score = if fails_high { self.params.order_end_turn() } else { 0 };
            picker.list.push(ScoredAction { action: None, score, kind: ActionKind::EndTurn, policy: 0 });
        }
        let state = &node.state;
        let last_action = state.last_action.filter(|_| self.features.canonical_order());
        let order = CanonicalOrder::after(last_action);
        let scorer = ActionScorer::new(state, self.history, self.features, &self.params);
        let (side, steps_left) = (state.position.side(), state.position.steps_left());
        state.board().for_each_action(side, steps_left, |action| {
            if Some(action) != picker.hash_action && !order.is_redundant(action) {
                picker.list.push(scorer.score_action(action));
            }
        });
        self.apply_policy(node, &mut picker.list);
    }

    /// The squares that the last action of the turn must touch to stop a goal of the other side, if it has one and this
    /// action may be the last.
    pub(crate) fn defence_area(&self, node: &Node) -> Option<Bitboard> {
        let state = &node.state;
        if !self.features.goal_defence_filter() || !state.goal_threatened || state.position.steps_left() > 2 {
            return None;
        }
        goal_defence_squares(state.board(), state.position.side())
    }
}

/// Two independent actions lead to the same board in either order; only one order is searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CanonicalOrder {
    near: Bitboard,
    last: PackedTurn,
}

impl CanonicalOrder {
    pub(crate) fn after(last_action: Option<Action>) -> Self {
        last_action.map_or(Self { near: Bitboard::ALL, last: PackedTurn::NONE }, |last| Self {
            near: last.interaction_zone(),
            last: PackedTurn::from_action(last),
        })
    }

    /// Whether the action is independent of the preceding one and should have come first.
    #[inline]
    pub(crate) fn is_redundant(&self, action: Action) -> bool {
        PackedTurn::from_action(action).0 < self.last.0 && (action.touched() & self.near).is_empty()
    }
}

/// The traps and the squares next to them.
const AROUND_TRAPS: Bitboard = {
    let traps = Bitboard::TRAPS;
    Bitboard(traps.0 | traps.neighbours().0)
};

/// Scores the actions of a node.
#[derive(Debug)]
struct ActionScorer<'a, F> {
    board: &'a Board,
    side: Side,
    continuation_context: u16,
    history: &'a HistoryTables,
    features: F,
    params: &'a Params,
    killers: [Option<Action>; 2],
    /// Enemies that a stronger piece next to them would freeze.
    freezable: Bitboard,
}

impl<'a, F: FeatureSet> ActionScorer<'a, F> {
    fn new(state: &'a SearchState, history: &'a HistoryTables, features: F, params: &'a Params) -> Self {
        let (board, side) = (state.board(), state.position.side());
        let killers = if features.killers() {
            let steps_left = state.position.steps_left();
            history.killers(state.ply).map(|turn| turn.first_action(board, side, steps_left))
        } else {
            [None; 2]
        };
        let enemies = board.by_side(side.other());
        let freezable = enemies & !enemies.neighbours() & !board.frozen(side.other());
        let continuation_context = state.continuation_context;
        Self { board, side, continuation_context, history, features, params, killers, freezable }
    }

    #[inline]
    fn score_action(&self, action: Action) -> ScoredAction {
        let touched = action.touched();
        let index = HistoryIndex::new(action, self.continuation_context);
        let quiet = self.history.score(index, self.features) + self.direction_score(action);
        let (kind, score) = self.classify(action, touched);
        ScoredAction { action: Some(action), score: quiet + score, kind, policy: 0 }
    }

    /// The kind of an action and what it adds to the ordering score.
    #[inline]
    fn classify(&self, action: Action, touched: Bitboard) -> (ActionKind, i32) {
        // Pieces are captured around traps only.
        if !(touched & AROUND_TRAPS).is_empty() {
            let next = self.board.after_action(action);
            let lost = |side: Side| (self.board.by_side(side).len() - next.by_side(side).len()) as i32;
            let (captured, own_losses) = (lost(self.side.other()), lost(self.side));
            if own_losses > 0 {
                let score = self.params.order_capture() * (captured - own_losses) - self.params.order_loss();
                return (ActionKind::Losing, score);
            }
            if captured > 0 {
                return (ActionKind::Capture, self.params.order_capture());
            }
        }
        if self.killers[0] == Some(action) {
            (ActionKind::Killer, self.params.order_killer_1())
        } else if self.killers[1] == Some(action) {
            (ActionKind::Killer, self.params.order_killer_2())
        } else if self.features.tactical_ordering() && self.is_tactical(action, touched) {
            (ActionKind::Tactical, self.params.order_tactical())
        } else {
            (ActionKind::Quiet, 0)
        }
    }

    /// A displacement near a trap, a step that freezes, a rabbit in the enemy's half.
    fn is_tactical(&self, action: Action, touched: Bitboard) -> bool {
        if action.second.is_some() {
            return !(touched & AROUND_TRAPS).is_empty();
        }
        let (to, kind) = (action.first.to(), action.first.piece().kind());
        if kind == PieceKind::Rabbit {
            let ranks_from_home = match self.side {
                Side::Gold => to.rank(),
                Side::Silver => 7 - to.rank(),
            };
            return i32::from(ranks_from_home) >= self.params.order_rabbit_rank();
        }
        let freezes = self.freezable & Bitboard::from(to).neighbours();
        !freezes.is_empty() && !(freezes & self.board.weaker_than(kind)).is_empty()
    }

    /// Pushes and pulls do more than steps, and steps forward more than steps backward.
    fn direction_score(&self, action: Action) -> i32 {
        if action.second.is_some() {
            self.params.order_displacement()
        } else if action.first.direction() == self.side.backward() {
            -self.params.order_backward()
        } else if matches!(action.first.direction(), Direction::North | Direction::South) {
            self.params.order_forward()
        } else {
            0
        }
    }
}
