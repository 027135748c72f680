//! What was good elsewhere in the tree.

use surus_rules::Action;

use super::features::Features;
use super::packed_turn::{PackedTurn, action_code};
use super::turn_dedup::TurnDedup;

/// Entries for single steps by piece, square and direction, and as many for pushes and pulls.
const STEPS: usize = 1 << 12;
/// What came before by square and direction, in the same turn or in the other side's; what follows likewise, steps
/// apart from displacements.
const BEFORE: usize = 1 << 9;
const AFTER: usize = 1 << 9;
/// No value gets higher than this.
pub(crate) const HISTORY_MAX: i32 = 1 << 14;

/// Which actions and turns were good elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct HistoryTables {
    history: Vec<i16>,
    continuation: Vec<i16>,
    /// By the steps since the root: what ended a node there.
    killers: Vec<[PackedTurn; 2]>,
    /// The boards of the turns that are being searched.
    pub(crate) turn_dedup: TurnDedup,
}

/// What an action is history_score by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HistoryIndex {
    history: usize,
    continuation: usize,
}

impl HistoryIndex {
    #[inline]
    pub(crate) fn new(action: Action, before: u16) -> Self {
        let code = usize::from(action_code(action));
        let piece = action.first.piece().code();
        let displaces = usize::from(action.second.is_some());
        let mixed = code.wrapping_mul(0x9e37_79b1) >> 7 & 0xff;
        Self {
            history: displaces * STEPS + (piece << 8 | if displaces == 0 { code & 0xff } else { mixed }),
            continuation: usize::from(before) * AFTER + (displaces << 8 | code & 0xff),
        }
    }
}

/// What the next action is history_score to have followed: this action of the same turn, or of the other side's.
#[inline]
pub(crate) fn continuation_context(action: Action, same_turn: bool) -> u16 {
    u16::from(same_turn) << 8 | action_code(action) & 0xff
}

impl HistoryTables {
    pub(crate) fn new() -> Self {
        Self {
            history: vec![0; 2 * STEPS],
            continuation: vec![0; BEFORE * AFTER],
            killers: Vec::new(),
            turn_dedup: TurnDedup::default(),
        }
    }

    /// What was good in the search before is still a little good.
    pub(crate) fn age(&mut self) {
        self.history.iter_mut().for_each(|value| *value /= 8);
        self.continuation.iter_mut().for_each(|value| *value /= 2);
        self.killers.clear();
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::new();
    }

    /// How good an action was, from -2 to 2 times [`HISTORY_MAX`].
    #[inline]
    pub(crate) fn score(&self, index: HistoryIndex, features: &Features) -> i32 {
        let mut value = 0;
        if features.history {
            value += i32::from(self.history[index.history]);
        }
        if features.continuation_history {
            value += i32::from(self.continuation[index.continuation]);
        }
        value
    }

    pub(crate) fn killers(&self, ply: i32) -> [PackedTurn; 2] {
        self.killers.get(ply as usize).copied().unwrap_or_default()
    }

    /// A plan that ended a node so many steps from the root.
    pub(crate) fn add_killer(&mut self, ply: i32, plan: PackedTurn) {
        let ply = ply as usize;
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [PackedTurn::NONE; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != plan {
            *killers = [plan, killers[0]];
        }
    }

    /// An action ended a node, or was tried in vain.
    pub(crate) fn update(&mut self, action: Action, before: u16, by: i32) {
        let index = HistoryIndex::new(action, before);
        for value in [&mut self.history[index.history], &mut self.continuation[index.continuation]] {
            let old = i32::from(*value);
            *value = (old + by - old * by.abs() / HISTORY_MAX) as i16;
        }
    }
}

/// How much an action that ended a node of this depth is praised; those before it are blamed by a part of that.
pub(crate) const fn history_bonus(depth: i32) -> i32 {
    let depth = if depth < 12 { depth } else { 12 };
    12 * depth * depth + 20 * depth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_within_their_bounds_and_sides_apart() {
        let position: surus_rules::Position =
            "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
        let mut tables = HistoryTables::new();
        let features = Features::default();
        let mut actions = Vec::new();
        position.board().for_each_action(surus_rules::Side::Gold, 4, |action| actions.push(action));
        let [a, b] = [actions[0], actions[1]];
        for _ in 0..10_000 {
            tables.update(a, 0, history_bonus(12));
            tables.update(b, 0, -history_bonus(12));
        }
        let value = |action, before| tables.score(HistoryIndex::new(action, before), &features);
        assert!(HISTORY_MAX < value(a, 0) && value(a, 0) <= 2 * HISTORY_MAX);
        assert!(-2 * HISTORY_MAX <= value(b, 0) && value(b, 0) < -HISTORY_MAX);
        assert!(value(a, 3) < value(a, 0), "what came before counts");
    }
}
