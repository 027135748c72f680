//! What was good elsewhere in the tree.

use surus_rules::Action;

use super::features::Features;
use super::packed_turn::{Plan, code};
use super::turn_dedup::TurnSet;

/// Entries for single steps by piece, square and direction, and as many for pushes and pulls.
const STEPS: usize = 1 << 12;
/// What came before by square and direction, in the same turn or in the other side's; what follows likewise, steps
/// apart from displacements.
const BEFORE: usize = 1 << 9;
const AFTER: usize = 1 << 9;
/// No value gets higher than this.
pub(crate) const HIGHEST: i32 = 1 << 14;

/// Which actions and turns were good elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    history: Vec<i16>,
    continuation: Vec<i16>,
    /// By the steps since the root: what ended a node there.
    killers: Vec<[Plan; 2]>,
    /// The boards of the turns that are being searched.
    pub(crate) turn_set: TurnSet,
}

/// What an action is remembered by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    history: usize,
    continuation: usize,
}

impl Marks {
    #[inline]
    pub(crate) fn of(action: Action, before: u16) -> Self {
        let code = usize::from(code(action));
        let piece = action.first.piece().code();
        let displaces = usize::from(action.second.is_some());
        let mixed = code.wrapping_mul(0x9e37_79b1) >> 7 & 0xff;
        Self {
            history: displaces * STEPS + (piece << 8 | if displaces == 0 { code & 0xff } else { mixed }),
            continuation: usize::from(before) * AFTER + (displaces << 8 | code & 0xff),
        }
    }
}

/// What the next action is remembered to have followed: this action of the same turn, or of the other side's.
#[inline]
pub(crate) fn before(action: Action, same_turn: bool) -> u16 {
    u16::from(same_turn) << 8 | code(action) & 0xff
}

impl Memory {
    pub(crate) fn new() -> Self {
        Self {
            history: vec![0; 2 * STEPS],
            continuation: vec![0; BEFORE * AFTER],
            killers: Vec::new(),
            turn_set: TurnSet::default(),
        }
    }

    /// What was good in the search before is still a little good.
    pub(crate) fn fade(&mut self) {
        self.history.iter_mut().for_each(|value| *value /= 8);
        self.continuation.iter_mut().for_each(|value| *value /= 2);
        self.killers.clear();
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::new();
    }

    /// How good an action was, from -2 to 2 times [`HIGHEST`].
    #[inline]
    pub(crate) fn value(&self, marks: Marks, features: &Features) -> i32 {
        let mut value = 0;
        if features.history {
            value += i32::from(self.history[marks.history]);
        }
        if features.continuation {
            value += i32::from(self.continuation[marks.continuation]);
        }
        value
    }

    pub(crate) fn killers(&self, ply: i32) -> [Plan; 2] {
        self.killers.get(ply as usize).copied().unwrap_or_default()
    }

    /// A plan that ended a node so many steps from the root.
    pub(crate) fn kill(&mut self, ply: i32, plan: Plan) {
        let ply = ply as usize;
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [Plan::NONE; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != plan {
            *killers = [plan, killers[0]];
        }
    }

    /// An action ended a node, or was tried in vain.
    pub(crate) fn teach(&mut self, action: Action, before: u16, by: i32) {
        let marks = Marks::of(action, before);
        for value in [&mut self.history[marks.history], &mut self.continuation[marks.continuation]] {
            let old = i32::from(*value);
            *value = (old + by - old * by.abs() / HIGHEST) as i16;
        }
    }
}

/// How much an action that ended a node of this depth is praised; those before it are blamed by a part of that.
pub(crate) const fn praise(depth: i32) -> i32 {
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
        let mut memory = Memory::new();
        let features = Features::default();
        let mut actions = Vec::new();
        position.board().for_each_action(surus_rules::Side::Gold, 4, |action| actions.push(action));
        let [a, b] = [actions[0], actions[1]];
        for _ in 0..10_000 {
            memory.teach(a, 0, praise(12));
            memory.teach(b, 0, -praise(12));
        }
        let value = |action, before| memory.value(Marks::of(action, before), &features);
        assert!(HIGHEST < value(a, 0) && value(a, 0) <= 2 * HIGHEST);
        assert!(-2 * HIGHEST <= value(b, 0) && value(b, 0) < -HIGHEST);
        assert!(value(a, 3) < value(a, 0), "what came before counts");
    }
}
