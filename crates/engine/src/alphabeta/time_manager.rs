//! How much of the time that is wanted for a turn to use: less for an easy one, more for a hard one.

use surus_rules::Turn;

use crate::common::score::Score;

/// A score that falls by this much is a reason to think on.
pub(crate) const SCORE_DROP: Score = 400;

/// With this lead any sound turn wins, so that an easy one needs little time.
const WINNING_SCORE: Score = 6_000;

/// What the depths so far have said about the turn.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TimeManager {
    last: Option<(Turn, Score)>,
    /// For how many depths the same turn has been the best.
    stability: u32,
    /// How often the best turn has changed lately, in tenths; it fades.
    instability: u32,
}

impl TimeManager {
    /// A depth is finished; says how many hundredths of the time the next ones may have been used by.
    pub(crate) fn update(&mut self, turn: Turn, score: Score) -> u32 {
        let (same, fall) =
            self.last.map_or((true, 0), |(last, before)| (last == turn, (before - score).max(0)));
        self.stability = if same { self.stability + 1 } else { 0 };
        self.instability = self.instability * 2 / 3 + if same { 0 } else { 10 };
        self.last = Some((turn, score));
        let score_drop_limit = (fall / 20).clamp(0, 60) as u32;
        let hard = 100 + score_drop_limit + (2 * self.instability).min(40);
        let easy = match self.stability {
            0..3 => 0,
            3..6 => 20,
            6.. if WINNING_SCORE <= score => 65,
            6.. => 40,
        };
        hard.saturating_sub(if score_drop_limit == 0 { easy } else { 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(text: &str) -> Turn {
        text.split(' ').map(|step| step.parse::<surus_rules::Step>().unwrap()).collect()
    }

    #[test]
    fn a_stable_turn_is_easy_and_a_falling_score_or_another_turn_is_hard() {
        let (one, other) = (turn("Ee2n"), turn("Md2n Md3n"));
        let mut manager = TimeManager::default();
        let shares: Vec<u32> = (0..9).map(|_| manager.update(one, 500)).collect();
        assert!(shares.is_sorted_by(|a, b| b <= a) && shares[8] < 70 && 50 < shares[8], "{shares:?}");
        let changed = manager.update(other, 500);
        assert!(100 < changed, "{changed}");
        let fallen = manager.update(other, -500);
        assert!(130 < fallen && fallen <= 200, "{fallen}");
        let mut ahead = TimeManager::default();
        let shares: Vec<u32> = (0..9).map(|_| ahead.update(one, 9_000)).collect();
        assert!(shares[8] < 40, "{shares:?}");
    }
}
