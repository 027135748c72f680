//! Action-ordering statistics: history, continuation history and killer turns.

use surus_rules::Action;

use super::correction::CorrectionHistory;
use super::features::FeatureSet;
use super::packed_turn::PackedTurn;
use super::params::{HISTORY_MAX, Params};
use super::turn_dedup::TurnDedup;

/// History entries of single steps, by piece, square and direction; there are as many for pushes and pulls.
const HISTORY_SIZE: usize = 1 << 12;
/// Contexts of the continuation history: the preceding action by square and direction, of the same turn or of the other
/// side's.
const CONTEXTS: usize = 1 << 9;
/// Continuations of each context: steps and displacements by square and direction.
const CONTINUATIONS: usize = 1 << 9;

/// The tables of one thread.
#[derive(Clone, Debug)]
pub(crate) struct HistoryTables {
    history: Vec<i16>,
    continuation: Vec<i16>,
    /// Turns that caused a cutoff, by the steps from the root.
    killers: Vec<[PackedTurn; 2]>,
    pub(crate) correction: CorrectionHistory,
    /// The boards of the turns being searched.
    pub(crate) turn_dedup: TurnDedup,
    pub(crate) cutoffs: Cutoffs,
}

/// How often a node of the main search failed high, and how often the first action or turn was enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cutoffs {
    /// All cutoffs.
    pub all: u64,
    /// Cutoffs by the first action or turn.
    pub first: u64,
}

impl Cutoffs {
    /// Records a cutoff by an action after which `searched_count` had been searched.
    #[inline]
    pub(crate) fn add(&mut self, searched_count: usize) {
        self.all += 1;
        self.first += u64::from(searched_count == 1);
    }
}

/// The entries of an action.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HistoryIndex {
    history: usize,
    continuation: usize,
}

impl HistoryIndex {
    #[inline]
    pub(crate) fn new(action: Action, continuation_context: u16) -> Self {
        let code = usize::from(action.first.code());
        let piece = action.first.piece().code();
        let displaces = usize::from(action.displaces());
        let mixed = (PackedTurn::from_action(action).0 as usize).wrapping_mul(0x9e37_79b1) >> 7 & 0xff;
        Self {
            history: displaces * HISTORY_SIZE + (piece << 8 | if displaces == 0 { code } else { mixed }),
            continuation: usize::from(continuation_context) * CONTINUATIONS + (displaces << 8 | code),
        }
    }
}

/// The context that an action of the same turn, or of the other side's, is for the next action.
#[inline]
pub(crate) fn continuation_context(action: Action, same_turn: bool) -> u16 {
    u16::from(same_turn) << 8 | u16::from(action.first.code())
}

impl HistoryTables {
    pub(crate) fn new() -> Self {
        Self {
            history: vec![0; 2 * HISTORY_SIZE],
            continuation: vec![0; CONTEXTS * CONTINUATIONS],
            killers: Vec::new(),
            correction: CorrectionHistory::new(),
            turn_dedup: TurnDedup::default(),
            cutoffs: Cutoffs::default(),
        }
    }

    /// Ages the histories for a new search and removes the killers.
    pub(crate) fn age(&mut self, params: &Params) {
        let divide = |table: &mut [i16], divisor: i32| {
            table.iter_mut().for_each(|entry| *entry = (i32::from(*entry) / divisor) as i16);
        };
        divide(&mut self.history, params.history_age_divisor());
        divide(&mut self.continuation, params.continuation_age_divisor());
        self.killers.clear();
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::new();
    }

    /// The history score of an action, within twice [`HISTORY_MAX`].
    #[inline]
    pub(crate) fn score(&self, index: HistoryIndex, features: impl FeatureSet) -> i32 {
        let mut score = 0;
        if features.history() {
            score += i32::from(self.history[index.history]);
        }
        if features.continuation_history() {
            score += i32::from(self.continuation[index.continuation]);
        }
        score
    }

    pub(crate) fn killers(&self, ply: i32) -> [PackedTurn; 2] {
        self.killers.get(ply as usize).copied().unwrap_or_default()
    }

    /// Adds a turn that caused a cutoff.
    pub(crate) fn add_killer(&mut self, ply: i32, turn: PackedTurn) {
        let ply = ply as usize;
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [PackedTurn::NONE; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != turn {
            *killers = [turn, killers[0]];
        }
    }

    /// Adds a bonus or malus, with gravity towards the bounds.
    pub(crate) fn update(&mut self, action: Action, continuation_context: u16, bonus: i32) {
        let index = HistoryIndex::new(action, continuation_context);
        for entry in [&mut self.history[index.history], &mut self.continuation[index.continuation]] {
            let old = i32::from(*entry);
            *entry = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alphabeta::features::AllFeatures;

    #[test]
    fn scores_are_bounded_and_depend_on_the_context() {
        let position: surus_rules::Position =
            "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
        let mut tables = HistoryTables::new();
        let mut actions = Vec::new();
        position.board().for_each_action(surus_rules::Side::Gold, 4, |action| actions.push(action));
        let [a, b] = [actions[0], actions[1]];
        let bonus = Params::default().history_bonus(12);
        for _ in 0..10_000 {
            tables.update(a, 0, bonus);
            tables.update(b, 0, -bonus);
        }
        let score = |action, context| tables.score(HistoryIndex::new(action, context), AllFeatures);
        assert!(score(a, 0) > HISTORY_MAX && score(a, 0) <= 2 * HISTORY_MAX);
        assert!(score(b, 0) >= -2 * HISTORY_MAX && score(b, 0) < -HISTORY_MAX);
        assert!(score(a, 3) < score(a, 0));
    }
}
