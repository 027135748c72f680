//! What can be done next in a turn, and in which order to try it.
//!
//! First what the table knows, then captures, killers, what happens around traps, and the rest by what was good
//! elsewhere; own losses come last.

use std::cmp::Reverse;

use surus_rules::{Action, Board, Direction, Kind, Side, Squares};

use super::features::Features;
use super::history::{HistoryIndex, HistoryTables};
use super::packed_turn::{PackedTurn, action_code};

/// One way to go on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoredAction {
    /// Nothing ends the turn here.
    pub(crate) action: Option<Action>,
    pub(crate) score: i32,
    pub(crate) class: ActionClass,
}

/// What kind of way it is, as far as depth is concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ActionClass {
    /// It captures, or ended nodes elsewhere, or ends the turn.
    Noisy,
    /// Around a trap, or it freezes something, or brings a rabbit near its goal.
    Tactical,
    /// The rest.
    Quiet,
    /// It loses an own piece.
    Losing,
}

/// Whether an action after another one leads to what the two in the other order lead to as well, and that order is
/// the one to look at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CanonicalOrder {
    near: Squares,
    code: u16,
}

impl CanonicalOrder {
    pub(crate) fn after(last: Option<Action>) -> Self {
        last.map_or(Self { near: Squares::ALL, code: 0 }, |last| Self {
            near: last.reach(),
            code: action_code(last),
        })
    }

    #[inline]
    pub(crate) fn is_redundant(&self, action: Action) -> bool {
        action_code(action) < self.code && (action.touched() & self.near).is_empty()
    }
}

/// The traps and the squares next to them.
const AROUND_TRAPS: Squares = {
    let traps = Squares::TRAPS;
    Squares(traps.0 | traps.neighbours().0)
};

/// What scorer needs to know of a node, looked up once.
#[derive(Debug)]
pub(crate) struct ActionScorer<'a> {
    board: &'a Board,
    side: Side,
    history: &'a HistoryTables,
    features: &'a Features,
    before: u16,
    killers: [Option<Action>; 2],
    /// Enemies that a stronger piece next to them would freeze.
    lonely: Squares,
}

impl<'a> ActionScorer<'a> {
    pub(crate) fn new(
        (board, side, steps_left): (&'a Board, Side, u8),
        history: &'a HistoryTables,
        features: &'a Features,
        (before, killers): (u16, [PackedTurn; 2]),
    ) -> Self {
        let killers = if features.killers {
            killers.map(|plan| plan.first_action(board, side, steps_left))
        } else {
            [None; 2]
        };
        let enemies = board.side(side.other());
        let lonely = enemies & !enemies.neighbours() & !board.frozen(side.other());
        Self { board, side, history, features, before, killers, lonely }
    }

    /// A way with its score and class.
    #[inline]
    pub(crate) fn score_action(&self, action: Action) -> ScoredAction {
        let touched = action.touched();
        let mut score = self.history.score(HistoryIndex::new(action, self.before), self.features)
            + likely(action, self.side);
        let mut class = ActionClass::Quiet;
        // Only there can anything be captured.
        if !(touched & AROUND_TRAPS).is_empty() {
            let next = self.board.after_action(action);
            let lost = |side: Side| (self.board.side(side).len() - next.side(side).len()) as i32;
            let (taken, given) = (lost(self.side.other()), lost(self.side));
            if given != 0 {
                return ScoredAction {
                    action: Some(action),
                    score: score + 1_000_000 * (taken - given) - 200_000,
                    class: ActionClass::Losing,
                };
            }
            if taken != 0 {
                return ScoredAction {
                    action: Some(action),
                    score: score + 1_000_000,
                    class: ActionClass::Noisy,
                };
            }
        }
        if self.killers.contains(&Some(action)) {
            score += if self.killers[0] == Some(action) { 600_000 } else { 500_000 };
            class = ActionClass::Noisy;
        } else if self.features.tactical_ordering && self.is_tactical(action, touched) {
            score += 3_000;
            class = ActionClass::Tactical;
        }
        ScoredAction { action: Some(action), score, class }
    }

    /// A displacement on or beside a trap, a step that freezes, a rabbit that comes near its goal.
    fn is_tactical(&self, action: Action, touched: Squares) -> bool {
        if action.second.is_some() {
            return !(touched & AROUND_TRAPS).is_empty();
        }
        let (to, kind) = (action.first.to(), action.first.piece().kind());
        if kind == Kind::Rabbit {
            let near_goal = match self.side {
                Side::Gold => 4 <= to.rank(),
                Side::Silver => to.rank() <= 3,
            };
            return near_goal;
        }
        let freezes = self.lonely & Squares::from(to).neighbours();
        !freezes.is_empty() && !(freezes & self.board.weaker_than(kind)).is_empty()
    }
}

/// A push or pull does more than a step, and a step forward more than one back.
fn likely(action: Action, side: Side) -> i32 {
    if action.second.is_some() {
        400
    } else if action.first.direction() == side.backward() {
        -200
    } else if matches!(action.first.direction(), Direction::North | Direction::South) {
        100
    } else {
        0
    }
}

/// Brings the way of the highest score to the front; among equals the first.
pub(crate) fn pick_best(ways: &mut [ScoredAction]) {
    let best = (0..ways.len()).min_by_key(|&i| (Reverse(ways[i].score), i));
    if let Some(best) = best {
        ways.swap(0, best);
    }
}
