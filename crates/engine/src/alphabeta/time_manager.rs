//! How much of the soft time limit to use: less for an easy turn, more for a hard one.

use surus_rules::Turn;

use super::params::{INSTABILITY_DECAY, Params};
use crate::common::score::Score;

/// The results of the depths searched so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeManager {
    params: Params,
    last: Option<(Turn, Score)>,
    /// The number of depths for which the best turn has not changed.
    stability: i32,
    /// How often the best turn has changed lately, in tenths; it decays.
    instability: i32,
}

impl TimeManager {
    pub(crate) const fn new(params: Params) -> Self {
        Self { params, last: None, stability: 0, instability: 0 }
    }

    /// Records the result of a depth; returns the percentage of the soft time limit to use.
    pub(crate) fn update(&mut self, turn: Turn, score: Score) -> u32 {
        let (unchanged, drop) =
            self.last.map_or((true, 0), |(last, previous)| (last == turn, (previous - score).max(0)));
        self.stability = if unchanged { self.stability + 1 } else { 0 };
        let params = &self.params;
        let [numerator, denominator] = INSTABILITY_DECAY;
        let gain = if unchanged { 0 } else { params.time_instability_gain() };
        self.instability = self.instability * numerator / denominator + gain;
        self.last = Some((turn, score));
        let for_drop = (drop / params.time_drop_divisor()).min(params.time_drop_max());
        let for_instability =
            (params.time_instability_weight() * self.instability).min(params.time_instability_max());
        let saving = if for_drop == 0 { self.saving(score) } else { 0 };
        (100 + for_drop + for_instability - saving).max(0) as u32
    }

    /// The percentage that a stable best turn saves.
    const fn saving(&self, score: Score) -> i32 {
        let params = &self.params;
        if self.stability < params.time_stable_depths() {
            0
        } else if self.stability < params.time_very_stable_depths() {
            params.time_stable_saving()
        } else if score >= params.time_winning_score() {
            params.time_winning_saving()
        } else {
            params.time_very_stable_saving()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(text: &str) -> Turn {
        text.split(' ').map(|step| step.parse::<surus_rules::Step>().unwrap()).collect()
    }

    #[test]
    fn stable_turns_save_time_and_score_drops_or_changes_add_time() {
        let (one, other) = (turn("Ee2n"), turn("Md2n Md3n"));
        let mut manager = TimeManager::new(Params::default());
        let percents: Vec<u32> = (0..9).map(|_| manager.update(one, 500)).collect();
        assert!(percents.is_sorted_by(|a, b| a >= b), "{percents:?}");
        assert!(percents[8] < 70 && percents[8] > 50, "{percents:?}");
        let changed = manager.update(other, 500);
        assert!(changed > 100, "{changed}");
        let fallen = manager.update(other, -500);
        assert!(fallen > 130 && fallen <= 200, "{fallen}");
        let mut winning = TimeManager::new(Params::default());
        let percents: Vec<u32> = (0..9).map(|_| winning.update(one, 9_000)).collect();
        assert!(percents[8] < 40, "{percents:?}");
    }
}
