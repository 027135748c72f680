//! Figures of an evaluation.

use serde::{Deserialize, Serialize};

use super::evaluation::{Outcome, PlayedRank};

/// A mean with the half width of its 95 % interval, estimated from the differences between games.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean over all decisions.
    pub mean: f64,
    /// To add and subtract for the interval.
    pub error: f64,
}

/// The ranks of played turns in the ranking of a model, in percent where not stated otherwise.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    /// Decisions.
    pub decisions: usize,
    /// Games with decisions.
    pub games: usize,
    /// Mean number of alternatives.
    pub alternatives: f64,
    /// Mean percentile of the played turn.
    pub percentile: Estimate,
    /// Share of played turns among the best 1, 5, 10 and 20 %.
    pub top: [Estimate; 4],
    /// Share of played turns at rank 1.
    pub first: Estimate,
    /// Share of played turns at ranks 1 to 10.
    pub first_ten: Estimate,
}

/// The percentages of [`Summary::top`].
pub(super) const TOP: [f64; 4] = [1.0, 5.0, 10.0, 20.0];

impl Summary {
    /// Of one model's ranks in the selected outcomes.
    pub fn of(outcomes: &[Outcome], model: usize, mut selects: impl FnMut(&Outcome) -> bool) -> Self {
        let selected: Vec<(usize, PlayedRank)> = outcomes
            .iter()
            .filter(|outcome| selects(outcome))
            .filter_map(|outcome| Some((outcome.game, *outcome.ranks.get(model)?)))
            .collect();
        let mean = |value: &dyn Fn(PlayedRank) -> f64| {
            estimate(&selected.iter().map(|&(game, rank)| (game, value(rank))).collect::<Vec<_>>())
        };
        let share = |holds: &dyn Fn(PlayedRank) -> bool| mean(&|rank| if holds(rank) { 100.0 } else { 0.0 });
        let mut games: Vec<usize> = selected.iter().map(|&(game, _)| game).collect();
        games.dedup();
        Self {
            decisions: selected.len(),
            games: games.len(),
            alternatives: mean(&|rank| f64::from(rank.alternatives)).mean,
            percentile: mean(&|rank| 100.0 * rank.percentile()),
            top: TOP.map(|top| share(&|rank| rank.percentile() >= 1.0 - top / 100.0 - 1e-12)),
            first: share(&|rank| rank.rank() <= 1.0),
            first_ten: share(&|rank| rank.rank() <= 10.0),
        }
    }
}

/// The mean of values, each with its game. Decisions of a game are not independent, so the error is that of a mean of
/// clusters. Values of a game must be adjacent.
fn estimate(values: &[(usize, f64)]) -> Estimate {
    let count = values.len() as f64;
    if values.is_empty() {
        return Estimate::default();
    }
    let mean = values.iter().map(|(_, value)| value).sum::<f64>() / count;
    let sums: Vec<f64> = values
        .chunk_by(|a, b| a.0 == b.0)
        .map(|game| game.iter().map(|(_, value)| value - mean).sum::<f64>())
        .collect();
    let games = sums.len() as f64;
    let squares: f64 = sums.iter().map(|sum| sum * sum).sum();
    let variance = if games > 1.0 { squares * games / (games - 1.0) / (count * count) } else { 0.0 };
    Estimate { mean, error: 1.96 * variance.sqrt() }
}

/// Shares of played turns by percentile, for ranges of turn numbers.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Histogram {
    /// For turns 1 to 10, 11 to 20 and so on: the number of decisions and their shares in the percentiles from 0, 10, … 90.
    pub rows: Vec<(usize, [f64; 10])>,
}

impl Histogram {
    /// Of one model's ranks. Turns beyond the last range are not counted.
    #[must_use]
    pub fn of(outcomes: &[Outcome], model: usize, ranges: usize) -> Self {
        let mut counts = vec![[0usize; 10]; ranges];
        for outcome in outcomes {
            let range = outcome.number.saturating_sub(1) as usize / 10;
            if let (Some(counts), Some(rank)) = (counts.get_mut(range), outcome.ranks.get(model)) {
                counts[((rank.percentile() * 10.0) as usize).min(9)] += 1;
            }
        }
        let row = |counts: [usize; 10]| {
            let total: usize = counts.iter().sum();
            (total, counts.map(|count| count as f64 / total.max(1) as f64))
        };
        Self { rows: counts.into_iter().map(row).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(game: usize, number: u32, better: u32, equal: u32) -> Outcome {
        let ranks = vec![PlayedRank { better, equal, alternatives: 100 }];
        Outcome { game, group: 0, number, phase: 0, ranks }
    }

    #[test]
    fn equal_scores_count_half() {
        let rank = PlayedRank { better: 2, equal: 4, alternatives: 100 };
        assert!((rank.percentile() - 0.96).abs() < 1e-12);
        assert_eq!(rank.rank(), 5.0);
    }

    #[test]
    fn shares_and_means_are_those_of_a_hand_count() {
        let outcomes =
            [outcome(0, 2, 0, 0), outcome(0, 3, 5, 0), outcome(1, 12, 10, 0), outcome(1, 99, 50, 0)];
        let summary = Summary::of(&outcomes, 0, |_| true);
        assert_eq!((summary.decisions, summary.games), (4, 2));
        assert!((summary.percentile.mean - (100.0 + 95.0 + 90.0 + 50.0) / 4.0).abs() < 1e-9);
        assert_eq!(summary.top.map(|top| top.mean), [25.0, 50.0, 75.0, 75.0]);
        assert_eq!((summary.first.mean, summary.first_ten.mean), (25.0, 50.0));
        let late = Summary::of(&outcomes, 0, |outcome| outcome.number > 10);
        assert_eq!((late.decisions, late.games, late.percentile.mean), (2, 1, 70.0));
        let histogram = Histogram::of(&outcomes, 0, 2);
        assert_eq!(histogram.rows[0].0, 2);
        assert_eq!((histogram.rows[0].1[9], histogram.rows[1].1[9], histogram.rows[1].0), (1.0, 1.0, 1));
    }

    #[test]
    fn interval_follows_the_games_and_not_the_decisions() {
        let spread: Vec<(usize, f64)> = (0..40).map(|index| (index, f64::from(index as u32 % 2))).collect();
        let clustered: Vec<(usize, f64)> =
            (0..40).map(|index| (index / 20, f64::from(index as u32 / 20))).collect();
        let [spread, clustered] = [spread, clustered].map(|values| estimate(&values));
        assert_eq!((spread.mean, clustered.mean), (0.5, 0.5));
        assert!((spread.error - 1.96 * (0.25 / 39.0f64).sqrt()).abs() < 1e-9, "{spread:?}");
        assert!((clustered.error - 1.96 * 0.5).abs() < 1e-9, "{clustered:?}");
    }
}
