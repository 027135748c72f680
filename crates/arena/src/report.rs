//! The statistics of a match as text and as JSON.

use std::fmt;

use serde::Serialize;

use crate::{Estimate, MatchStats, Pentanomial, Sprt, SprtModel, SprtState};

/// A match report; its [`Display`](fmt::Display) is a result block in the format of fastchess.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchReport {
    /// The first engine, whose results these are.
    pub engine1: String,
    /// The second engine.
    pub engine2: String,
    /// Common conditions, such as `nodes=10000, openings=standard`.
    pub conditions: String,
    /// The results.
    pub stats: MatchStats,
    /// The sequential test, if any.
    pub sprt: Option<Sprt>,
}

/// A match in JSON. Infinite and unknown numbers are `null`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MatchSummary {
    /// The first engine, whose results these are.
    pub engine1: String,
    /// The second engine.
    pub engine2: String,
    /// Common conditions.
    pub conditions: String,
    /// Number of games.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Drawn games.
    pub draws: u64,
    /// Points of the first engine.
    pub points: f64,
    /// Points per game, from 0 to 1.
    pub score: Option<f64>,
    /// Number of pairs with 0, ½, 1, 1½ and 2 points.
    pub pairs: Pentanomial,
    /// Elo difference.
    pub elo: Option<f64>,
    /// Half the width of the 95% interval.
    pub error: Option<f64>,
    /// Normalised Elo difference.
    pub normalized_elo: Option<f64>,
    /// Half the width of the 95% interval.
    pub normalized_error: Option<f64>,
    /// Likelihood of superiority of the first engine, from 0 to 1.
    pub los: Option<f64>,
    /// Pairs won over pairs lost.
    pub pairs_ratio: Option<f64>,
    /// The sequential test.
    pub sprt: Option<SprtSummary>,
}

/// A sequential test in JSON.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SprtSummary {
    /// Unit of `elo0` and `elo1`.
    pub model: SprtModel,
    /// The difference under H0.
    pub elo0: f64,
    /// The difference under H1.
    pub elo1: f64,
    /// Probability of accepting H1 at a difference of `elo0`.
    pub alpha: f64,
    /// Probability of accepting H0 at a difference of `elo1`.
    pub beta: f64,
    /// The log likelihood ratio.
    pub llr: f64,
    /// LLR at which H0 is accepted.
    pub lower: f64,
    /// LLR at which H1 is accepted.
    pub upper: f64,
    /// The decision.
    pub state: SprtState,
}

impl MatchReport {
    /// The statistics for JSON.
    #[must_use]
    pub fn summary(&self) -> MatchSummary {
        let (stats, pairs) = (&self.stats, self.stats.pairs());
        let (elo, normalized) = (pairs.elo(), pairs.normalized_elo());
        let value = |estimate: Option<Estimate>| finite(estimate.map(|estimate| estimate.value));
        let error = |estimate: Option<Estimate>| finite(estimate.map(|estimate| estimate.error));
        MatchSummary {
            engine1: self.engine1.clone(),
            engine2: self.engine2.clone(),
            conditions: self.conditions.clone(),
            games: stats.games(),
            wins: stats.wins(),
            losses: stats.losses(),
            draws: stats.draws(),
            points: stats.points(),
            score: stats.score(),
            pairs: *pairs,
            elo: value(elo),
            error: error(elo),
            normalized_elo: value(normalized),
            normalized_error: error(normalized),
            los: pairs.los(),
            pairs_ratio: finite(pairs.pairs_ratio()),
            sprt: self.sprt.map(|sprt| SprtSummary {
                model: sprt.model(),
                elo0: sprt.bounds().0,
                elo1: sprt.bounds().1,
                alpha: sprt.rates().0,
                beta: sprt.rates().1,
                llr: sprt.llr(pairs),
                lower: sprt.lower(),
                upper: sprt.upper(),
                state: sprt.state(pairs),
            }),
        }
    }
}

fn finite(figure: Option<f64>) -> Option<f64> {
    figure.filter(|figure| figure.is_finite())
}

impl fmt::Display for MatchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (stats, pairs) = (&self.stats, self.stats.pairs());
        let figure = |figure: Option<f64>| figure.map_or("n/a".into(), |figure| format!("{figure:.2}"));
        let estimate = |estimate: Option<Estimate>| estimate.map_or("n/a".into(), |it| it.to_string());
        let percent =
            |fraction: Option<f64>| fraction.map_or("n/a".into(), |it| format!("{:.2} %", 100.0 * it));
        write!(f, "Results of {} vs {}", self.engine1, self.engine2)?;
        if !self.conditions.is_empty() {
            write!(f, " ({})", self.conditions)?;
        }
        writeln!(f, ":")?;
        writeln!(f, "Elo: {}, nElo: {}", estimate(pairs.elo()), estimate(pairs.normalized_elo()))?;
        writeln!(f, "LOS: {}, PairsRatio: {}", percent(pairs.los()), figure(pairs.pairs_ratio()))?;
        let (games, wins, losses, draws) = (stats.games(), stats.wins(), stats.losses(), stats.draws());
        write!(f, "Games: {games}, Wins: {wins}, Losses: {losses}, Draws: {draws}, ")?;
        writeln!(f, "Points: {:.1} ({})", stats.points(), percent(stats.score()))?;
        write!(f, "Ptnml(0-2): {:?}", pairs.0)?;
        let Some(sprt) = &self.sprt else {
            return Ok(());
        };
        let (llr, lower, upper, (elo0, elo1)) = (sprt.llr(pairs), sprt.lower(), sprt.upper(), sprt.bounds());
        // Progress of the test: −100% at H0, 100% at H1.
        let progress = if llr < 0.0 { -llr / lower } else { llr / upper };
        write!(
            f,
            "\nLLR: {llr:.2} ({:.1}%) ({lower:.2}, {upper:.2}) [{elo0:.2}, {elo1:.2}]",
            100.0 * progress
        )?;
        if sprt.model() == SprtModel::Logistic {
            f.write_str(" logistic")?;
        }
        match sprt.state(pairs) {
            SprtState::Continue => Ok(()),
            SprtState::AcceptH0 => f.write_str("\nH0 was accepted"),
            SprtState::AcceptH1 => f.write_str("\nH1 was accepted"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameResult::{Draw, Loss, Win};

    fn report(sprt: Option<Sprt>) -> MatchReport {
        let stats = MatchStats::default();
        MatchReport {
            engine1: "A".into(),
            engine2: "B".into(),
            conditions: "nodes=10000".into(),
            stats,
            sprt,
        }
    }

    #[test]
    fn result_block_has_the_form_of_fastchess() {
        let mut report = report(Sprt::new(0.0, 20.0, 0.05, 0.05, SprtModel::Normalized).ok());
        for (one, other, times) in [(Loss, Loss, 20), (Win, Loss, 49), (Draw, Draw, 1), (Win, Win, 30)] {
            (0..times).for_each(|_| report.stats.add_pair(one, other));
        }
        report.stats.add_single(Win);
        assert_eq!(
            report.to_string(),
            "Results of A vs B (nodes=10000):\n\
             Elo: 34.86 +/- 48.15, nElo: 35.10 +/- 48.15\n\
             LOS: 92.34 %, PairsRatio: 1.50\n\
             Games: 201, Wins: 110, Losses: 89, Draws: 2, Points: 111.0 (55.22 %)\n\
             Ptnml(0-2): [20, 0, 50, 0, 30]\n\
             LLR: 0.82 (27.9%) (-2.94, 2.94) [0.00, 20.00]"
        );
        report.sprt = Sprt::new(-80.0, -30.0, 0.05, 0.05, SprtModel::Logistic).ok();
        let text = report.to_string();
        assert!(text.ends_with("[-80.00, -30.00] logistic\nH1 was accepted"), "{text}");
    }

    #[test]
    fn infinite_numbers_have_no_error_and_unknown_ones_are_n_a() {
        let mut report = report(None);
        report.conditions.clear();
        let unknown = "Results of A vs B:\nElo: n/a, nElo: n/a\nLOS: n/a, PairsRatio: n/a\n\
            Games: 0, Wins: 0, Losses: 0, Draws: 0, Points: 0.0 (n/a)\nPtnml(0-2): [0, 0, 0, 0, 0]";
        assert_eq!(report.to_string(), unknown);
        report.stats.add_pair(Win, Win);
        let text = report.to_string();
        assert!(text.contains("Elo: inf, nElo: inf\nLOS: 92.14 %, PairsRatio: inf\n"), "{text}");
    }

    /// `serde_json` writes non-finite numbers as `null`, so the test checks the numbers themselves.
    #[test]
    fn json_has_no_non_finite_numbers() {
        let sprt = Sprt::new(0.0, 20.0, 0.05, 0.05, SprtModel::Normalized).ok();
        let games = [Win, Draw, Loss];
        for kinds in 0..1 << 9 {
            let mut report = report(sprt);
            for i in (0..9).filter(|i| kinds >> i & 1 == 1) {
                report.stats.add_pair(games[i / 3], games[i % 3]);
            }
            let it = report.summary();
            let sprt = it.sprt.unwrap();
            let figures = [it.score, it.elo, it.error, it.normalized_elo, it.normalized_error, it.los];
            for figure in
                figures.into_iter().chain([it.pairs_ratio, Some(it.points), Some(sprt.llr)]).flatten()
            {
                assert!(figure.is_finite(), "{it:?}");
            }
        }
        let mut report = report(sprt);
        report.stats.add_pair(Win, Win);
        let json = serde_json::to_value(report.summary()).unwrap();
        assert!(json["elo"].is_null() && json["error"].is_null());
        assert_eq!((json["games"].as_u64(), json["points"].as_f64()), (Some(2), Some(2.0)));
        assert_eq!(json["pairs"], serde_json::json!([0, 0, 0, 0, 1]));
        assert_eq!(
            (&json["sprt"]["model"], &json["sprt"]["state"]),
            (&"normalized".into(), &"continue".into())
        );
    }
}
