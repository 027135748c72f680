//! Statistics of a match between two players.
//!
//! Games come in pairs: the same opening twice, sides swapped. The two games of a pair are not independent (an opening
//! that favours Gold gives each player one point), so every statistic here is estimated from complete pairs. A pair
//! scores 0, ½, 1, 1½ or 2 points; in Arimaa, half points come only from adjudicated games.
//!
//! The formulas are those of fishtest and fastchess. With n pairs, x the mean and s² the variance of the pairs' scores
//! as a fraction of two points:
//!
//! | statistic | formula |
//! | --- | --- |
//! | Elo | −400·log₁₀(1/x − 1) |
//! | its error | 1.96·s/√n · 400 / (ln 10 · x(1 − x)): the slope of the formula above (delta method) |
//! | normalised Elo | 800/ln 10 · (x − ½)/(√2·s): √2·s is the standard deviation of one game if games are independent |
//! | its error | 1.96 · 800/ln 10 / √(2n): the standard error of the mean for known s |
//! | likelihood of superiority | Φ((x − ½)·√n/s) |
//! | pairs ratio | pairs with more than one point / pairs with less |
//!
//! For independent games without draws, normalised Elo and Elo agree near equality.

use std::fmt;
use std::iter::zip;

use serde::Serialize;

use crate::normal::{Z95, normal_cdf};

/// The five pair scores as a fraction of two points.
pub(crate) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Elo points in one unit of the natural logarithm of the odds.
pub(crate) const ELO_UNIT: f64 = 400.0 / std::f64::consts::LN_10;

/// Normalised Elo points in one standard deviation of a game.
pub(crate) const NELO_UNIT: f64 = 2.0 * ELO_UNIT;

/// The result of a game for the first of two players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// One point.
    Win,
    /// Half a point: the game was adjudicated without a winner.
    Draw,
    /// No point.
    Loss,
}

impl GameResult {
    const fn half_points(self) -> usize {
        match self {
            Self::Win => 2,
            Self::Draw => 1,
            Self::Loss => 0,
        }
    }

    /// The result for the other player.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }
}

/// The results of a match, for its first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MatchStats {
    wins: u64,
    draws: u64,
    losses: u64,
    pairs: Pentanomial,
}

impl MatchStats {
    /// Adds both games of a pair.
    ///
    /// Games without openings can be paired arbitrarily, in a fixed order.
    pub fn add_pair(&mut self, one: GameResult, other: GameResult) {
        self.add_single(one);
        self.add_single(other);
        self.pairs.0[one.half_points() + other.half_points()] += 1;
    }

    /// Adds a game without its pair: it counts for the points only.
    pub fn add_single(&mut self, outcome: GameResult) {
        match outcome {
            GameResult::Win => self.wins += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Loss => self.losses += 1,
        }
    }

    /// Games won.
    #[must_use]
    pub const fn wins(&self) -> u64 {
        self.wins
    }

    /// Drawn games.
    #[must_use]
    pub const fn draws(&self) -> u64 {
        self.draws
    }

    /// Games lost.
    #[must_use]
    pub const fn losses(&self) -> u64 {
        self.losses
    }

    /// All games, paired or not.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points of all games.
    #[must_use]
    pub const fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points per game; `None` without games.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// The complete pairs.
    #[must_use]
    pub const fn pairs(&self) -> &Pentanomial {
        &self.pairs
    }
}

/// The number of pairs with 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Pentanomial(pub [u64; 5]);

/// An estimate with half the width of its 95% interval; both infinite for a score of 0% or 100%.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The estimated value.
    pub value: f64,
    /// Half the width of the 95% interval.
    pub error: f64,
}

impl Pentanomial {
    /// The number of pairs.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The mean pair score from 0 to 1; `None` without pairs.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let sum: f64 = zip(self.0, SCORES).map(|(n, score)| n as f64 * score).sum();
        (self.count() > 0).then(|| sum / self.count() as f64)
    }

    /// The variance of the pair score.
    ///
    /// If all pairs have the same score, their variance is 0, which would make the result certain. They get the variance of
    /// two independent decisive games between equal players instead, 1/8.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        let mean = self.mean()?;
        let sum: f64 = zip(self.0, SCORES).map(|(n, score)| n as f64 * (score - mean).powi(2)).sum();
        let uniform = self.0.contains(&self.count());
        Some(if uniform { 0.125 } else { sum / self.count() as f64 })
    }

    /// The Elo difference.
    #[must_use]
    pub fn elo(&self) -> Option<Estimate> {
        let (mean, deviation) = (self.mean()?, self.standard_error()?);
        let slope = ELO_UNIT / (mean * (1.0 - mean));
        Some(Estimate { value: score_to_elo(mean), error: Z95 * deviation * slope })
    }

    /// The normalised Elo difference: the difference relative to the variance of the results.
    #[must_use]
    pub fn normalized_elo(&self) -> Option<Estimate> {
        let (mean, variance) = (self.mean()?, self.variance()?);
        if mean == 0.0 || mean == 1.0 {
            return self.elo();
        }
        let value = NELO_UNIT * (mean - 0.5) / (2.0 * variance).sqrt();
        Some(Estimate { value, error: Z95 * NELO_UNIT / (2.0 * self.count() as f64).sqrt() })
    }

    /// Likelihood of superiority of the first player.
    #[must_use]
    pub fn los(&self) -> Option<f64> {
        Some(normal_cdf((self.mean()? - 0.5) / self.standard_error()?))
    }

    /// Pairs won divided by pairs lost; infinite if none was lost, `None` if none was won either.
    #[must_use]
    pub fn pairs_ratio(&self) -> Option<f64> {
        let [lost, won] = [self.0[0] + self.0[1], self.0[3] + self.0[4]];
        (won + lost > 0).then(|| won as f64 / lost as f64)
    }

    fn standard_error(&self) -> Option<f64> {
        Some((self.variance()? / self.count() as f64).sqrt())
    }
}

/// The Elo difference with a given expected score.
#[must_use]
pub fn score_to_elo(score: f64) -> f64 {
    ELO_UNIT * (score / (1.0 - score)).ln()
}

/// The expected score at an Elo difference.
#[must_use]
pub fn elo_to_score(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_UNIT).exp())
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.value.is_finite() {
            return write!(f, "{}", self.value);
        }
        write!(f, "{:.2} +/- {:.2}", self.value, self.error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, expected: f64, within: f64) -> bool {
        (value - expected).abs() <= within
    }

    /// The two matches that introduced NNUE in Stockfish in 2020, published as 92.77 ± 2.1 and 89.47 ± 2.0 Elo.
    #[test]
    fn published_matches_are_reproduced() {
        for (pairs, points, elo, error) in [
            ([609, 3850, 9708, 10948, 4885], 24_193.0 + 27_264.0 / 2.0, 92.77, 2.1),
            ([74, 1583, 8550, 7776, 2017], 12_756.0 + 24_567.0 / 2.0, 89.47, 2.0),
        ] {
            let pairs = Pentanomial(pairs);
            assert!(near(pairs.mean().unwrap() * 2.0 * pairs.count() as f64, points, 1e-6));
            let estimate = pairs.elo().unwrap();
            assert!(near(estimate.value, elo, 0.011), "{estimate}");
            assert!(near(estimate.error, error, 0.05), "{estimate}");
            assert!(near(pairs.los().unwrap(), 1.0, 1e-12));
        }
    }

    /// Ten pairs: two lost, four shared, four won. x = 0.6, s² = (2·0.36 + 4·0.01 + 4·0.16)/10 = 0.14.
    #[test]
    fn statistics_match_a_calculation_by_hand() {
        let pairs = Pentanomial([2, 0, 4, 0, 4]);
        assert!(near(pairs.mean().unwrap(), 0.6, 1e-15));
        assert!(near(pairs.variance().unwrap(), 0.14, 1e-15));
        let elo = pairs.elo().unwrap();
        // 400·log₁₀(1.5), and 1.96·√0.014·173.7178/0.24.
        assert!(near(elo.value, 70.436_504, 1e-6) && near(elo.error, 167.859_208, 1e-5), "{elo:?}");
        let normalized = pairs.normalized_elo().unwrap();
        // 347.4356·0.1/√0.28, and 1.96·347.4356/√20.
        assert!(
            near(normalized.value, 65.659_154, 1e-6) && near(normalized.error, 152.267_561, 1e-6),
            "{normalized:?}"
        );
        // Φ(0.1/√0.014) = Φ(0.845154).
        assert!(near(pairs.los().unwrap(), 0.800_988, 1e-6), "{:?}", pairs.los());
        assert_eq!(pairs.pairs_ratio(), Some(2.0));
    }

    /// The 95% interval of 400 decisive games is ±34 Elo, that of 1,000 games ±22.
    #[test]
    fn independent_games_have_the_error_of_a_coin() {
        for (quarter, error) in [(50, 34.05), (125, 21.53)] {
            let estimate = Pentanomial([quarter, 0, 2 * quarter, 0, quarter]).elo().unwrap();
            assert!(near(estimate.value, 0.0, 1e-9) && near(estimate.error, error, 0.01), "{estimate}");
            let normalized = Pentanomial([quarter, 0, 2 * quarter, 0, quarter]).normalized_elo().unwrap();
            assert!(near(normalized.error, error, 0.01), "{normalized}");
        }
    }

    #[test]
    fn uniform_pairs_are_not_certain() {
        let even = Pentanomial([0, 0, 8, 0, 0]);
        assert!(near(even.elo().unwrap().error, 1.96 * (0.125_f64 / 8.0).sqrt() * ELO_UNIT * 4.0, 0.01));
        assert_eq!(even.los(), Some(0.5));
        assert_eq!(even.pairs_ratio(), None);
        let won = Pentanomial([0, 0, 0, 0, 1]);
        assert!(near(won.los().unwrap(), 0.921_35, 1e-5));
        assert_eq!(won.pairs_ratio(), Some(f64::INFINITY));
        for estimate in [won.elo().unwrap(), won.normalized_elo().unwrap()] {
            assert_eq!(estimate.to_string(), "inf");
        }
        assert_eq!(Pentanomial([3, 0, 0, 0, 0]).elo().unwrap().to_string(), "-inf");
        assert!(Pentanomial::default().elo().is_none() && Pentanomial::default().los().is_none());
    }

    #[test]
    fn single_games_count_for_points_only() {
        let mut stats = MatchStats::default();
        stats.add_pair(GameResult::Win, GameResult::Loss);
        stats.add_pair(GameResult::Win, GameResult::Draw);
        stats.add_pair(GameResult::Draw, GameResult::Draw);
        stats.add_single(GameResult::Win);
        assert_eq!((stats.wins(), stats.draws(), stats.losses(), stats.games()), (3, 3, 1, 7));
        assert_eq!(stats.pairs(), &Pentanomial([0, 0, 2, 1, 0]));
        assert!(near(stats.points(), 4.5, 0.0) && near(stats.score().unwrap(), 4.5 / 7.0, 1e-15));
    }

    #[test]
    fn scores_and_elo_are_inverse() {
        for elo in [-800.0, -20.0, 0.0, 35.0, 400.0] {
            assert!(near(score_to_elo(elo_to_score(elo)), elo, 1e-9));
        }
        assert!(near(elo_to_score(400.0), 10.0 / 11.0, 1e-15));
    }
}
