//! The figures of a match, for people and for programs.

use std::fmt;

use serde::Serialize;

use crate::{Estimate, MatchStats, Pentanomial, Sprt, SprtModel, SprtState};

/// A match as it is told: its [`Display`](fmt::Display) is the block of lines that users of fastchess know.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchReport {
    /// Whose results these are.
    pub engine1: String,
    /// Against whom.
    pub engine2: String,
    /// What was the same for both, such as `nodes=10000, openings=standard`.
    pub conditions: String,
    /// The results.
    pub tally: MatchStats,
    /// The test that they are for.
    pub sprt: Option<Sprt>,
}

/// A match as JSON has it. Figures that are infinite or that nothing is known about are left empty (`null`).
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MatchSummary {
    /// Whose results these are.
    pub engine1: String,
    /// Against whom.
    pub engine2: String,
    /// What was the same for both.
    pub conditions: String,
    /// All games.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games of half a point.
    pub draws: u64,
    /// Points.
    pub points: f64,
    /// Points per game, from 0 to 1.
    pub score: Option<f64>,
    /// Pairs of 0, ½, 1, 1½ and 2 points.
    pub pairs: Pentanomial,
    /// The difference in Elo.
    pub elo: Option<f64>,
    /// Half the width of its 95% interval.
    pub error: Option<f64>,
    /// The difference in normalised Elo.
    pub normalized_elo: Option<f64>,
    /// Half the width of its 95% interval.
    pub normalized_error: Option<f64>,
    /// The likelihood that the first is better, from 0 to 1.
    pub los: Option<f64>,
    /// Pairs won over pairs lost.
    pub pairs_ratio: Option<f64>,
    /// The test.
    pub sprt: Option<SprtSummary>,
}

/// A test as JSON has it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SprtSummary {
    /// What elo0 and elo1 are measured in.
    pub model: SprtModel,
    /// The difference under H0.
    pub elo0: f64,
    /// The difference under H1.
    pub elo1: f64,
    /// How often a player of strength elo0 may pass.
    pub alpha: f64,
    /// How often a player of strength elo1 may fail.
    pub beta: f64,
    /// The log likelihood ratio.
    pub llr: f64,
    /// Where H0 is accepted.
    pub lower: f64,
    /// Where H1 is accepted.
    pub upper: f64,
    /// What is decided.
    pub state: SprtState,
}

impl MatchReport {
    /// The figures, for JSON.
    #[must_use]
    pub fn summary(&self) -> MatchSummary {
        let (tally, pairs) = (&self.tally, self.tally.pairs());
        let (elo, normalized) = (pairs.elo(), pairs.normalized_elo());
        let value = |estimate: Option<Estimate>| finite(estimate.map(|estimate| estimate.value));
        let error = |estimate: Option<Estimate>| finite(estimate.map(|estimate| estimate.error));
        MatchSummary {
            engine1: self.engine1.clone(),
            engine2: self.engine2.clone(),
            conditions: self.conditions.clone(),
            games: tally.games(),
            wins: tally.wins(),
            losses: tally.losses(),
            draws: tally.draws(),
            points: tally.points(),
            score: tally.score(),
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
        let (tally, pairs) = (&self.tally, self.tally.pairs());
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
        let (games, wins, losses, draws) = (tally.games(), tally.wins(), tally.losses(), tally.draws());
        write!(f, "Games: {games}, Wins: {wins}, Losses: {losses}, Draws: {draws}, ")?;
        writeln!(f, "Points: {:.1} ({})", tally.points(), percent(tally.score()))?;
        write!(f, "Ptnml(0-2): {:?}", pairs.0)?;
        let Some(sprt) = &self.sprt else {
            return Ok(());
        };
        let (llr, lower, upper, (elo0, elo1)) = (sprt.llr(pairs), sprt.lower(), sprt.upper(), sprt.bounds());
        // How far the test has come: −100% at H0, 100% at H1.
        let way = if llr < 0.0 { -llr / lower } else { llr / upper };
        write!(f, "\nLLR: {llr:.2} ({:.1}%) ({lower:.2}, {upper:.2}) [{elo0:.2}, {elo1:.2}]", 100.0 * way)?;
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
        let tally = MatchStats::default();
        MatchReport {
            engine1: "A".into(),
            engine2: "B".into(),
            conditions: "nodes=10000".into(),
            tally,
            sprt,
        }
    }

    #[test]
    fn result_block_has_the_form_of_fastchess() {
        let mut report = report(Sprt::new(0.0, 20.0, 0.05, 0.05, SprtModel::Normalized).ok());
        for (one, other, times) in [(Loss, Loss, 20), (Win, Loss, 49), (Draw, Draw, 1), (Win, Win, 30)] {
            (0..times).for_each(|_| report.tally.add_pair(one, other));
        }
        report.tally.add_single(Win);
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
    fn infinite_figures_have_no_error_and_unknown_ones_are_not_available() {
        let mut report = report(None);
        report.conditions.clear();
        let unknown = "Results of A vs B:\nElo: n/a, nElo: n/a\nLOS: n/a, PairsRatio: n/a\n\
            Games: 0, Wins: 0, Losses: 0, Draws: 0, Points: 0.0 (n/a)\nPtnml(0-2): [0, 0, 0, 0, 0]";
        assert_eq!(report.to_string(), unknown);
        report.tally.add_pair(Win, Win);
        let text = report.to_string();
        assert!(text.contains("Elo: inf, nElo: inf\nLOS: 92.14 %, PairsRatio: inf\n"), "{text}");
    }

    /// serde_json writes what is not finite as null, so the numbers themselves are looked at.
    #[test]
    fn json_has_no_number_that_is_none() {
        let sprt = Sprt::new(0.0, 20.0, 0.05, 0.05, SprtModel::Normalized).ok();
        let games = [Win, Draw, Loss];
        for kinds in 0..1 << 9 {
            let mut report = report(sprt);
            for i in (0..9).filter(|i| kinds >> i & 1 == 1) {
                report.tally.add_pair(games[i / 3], games[i % 3]);
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
        report.tally.add_pair(Win, Win);
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
