//! What is known about the strength of `alphabeta` without playing games: how well its evaluation predicts deep searches and
//! results, how well it orders, how fast it gets deep, and which test positions it solves.

mod report;

use surus_arena::suite::{self, SuiteOptions, Test};
use surus_engine::eval::Evaluation;
use surus_engine::{AlphaBeta, BENCH_POSITIONS, Cutoffs};
use surus_learn::network::usable_score;
use surus_learn::tune::{best_scale, log_loss, logistic};
use surus_play::{Engine, EngineError, Job, Limits, StopToken};
use surus_record::packed::PackedSample;
use surus_rules::{Game, Rules};

use crate::calibration::CalibrationData;

pub use report::strength_report;

/// A measurement of the strength.
#[derive(Debug)]
pub struct Strength<'a> {
    /// The options of `alphabeta`, by name.
    pub options: &'a [(String, String)],
    /// The evaluation that these options select.
    pub evaluation: Evaluation,
    /// The nodes of a test position.
    pub nodes: u64,
    /// The depth that the bench positions are searched to.
    pub depth: u32,
}

/// Labelled positions of one kind.
#[derive(Clone, Debug)]
pub struct ValidationPart {
    /// The name of the part.
    pub name: String,
    /// The positions.
    pub samples: Vec<PackedSample>,
    /// Whether the result of the game is predicted rather than the score of the search.
    pub by_result: bool,
}

/// How well the evaluation predicts a part.
#[derive(Clone, PartialEq, Debug)]
pub struct PartLoss {
    /// The name of the part.
    pub name: String,
    /// The number of positions that count: quiet ones that are not decided.
    pub positions: usize,
    /// The mean cross-entropy.
    pub loss: f64,
    /// The lowest possible value, because targets are probabilities.
    pub minimum: f64,
    /// The mean of predicted minus expected win probability of the side to move.
    pub bias: f64,
}

/// Positions with a larger absolute score, in centirabbits, are decided.
const MAX_ABS_SCORE: i32 = 1_200;

/// The results.
#[derive(Clone, Debug)]
pub struct StrengthResults {
    /// Losses by part.
    pub parts: Vec<PartLoss>,
    /// The predictions for the losers of games, if games were given.
    pub losers: Option<LoserPrediction>,
    /// Cutoffs of the main search in the bench positions.
    pub cutoffs: Cutoffs,
    /// Nodes of these searches.
    pub bench_nodes: u64,
    /// Solved and all tests of each suite.
    pub suites: Vec<(String, usize, usize)>,
}

/// What the evaluation said of the side that later lost, at turns 5 to 15.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LoserPrediction {
    /// Games with such positions.
    pub games: usize,
    /// The mean score in centirabbits.
    pub score: f64,
    /// The mean predicted win probability.
    pub probability: f64,
}

impl Strength<'_> {
    /// Measures everything that does not need the games of a match.
    pub fn measure(
        &self,
        parts: &[ValidationPart],
        games: &CalibrationData,
        tests: &[Test],
        stop: &StopToken,
        progress: &dyn Fn(usize, usize),
    ) -> Result<StrengthResults, EngineError> {
        let (bench_nodes, cutoffs) = self.bench(stop)?;
        Ok(StrengthResults {
            parts: parts.iter().map(|part| self.part_loss(part)).collect(),
            losers: self.losers(games),
            cutoffs,
            bench_nodes,
            suites: self.suites(tests, stop, progress)?,
        })
    }

    fn engine(&self) -> Result<AlphaBeta, EngineError> {
        let mut engine = AlphaBeta::default();
        for (name, value) in self.options {
            engine.set_option(name, value).map_err(|error| EngineError::Failed(error.to_string()))?;
        }
        Ok(engine)
    }

    /// The target of a score is its win probability by the scale that fits the results of the part.
    fn part_loss(&self, part: &ValidationPart) -> PartLoss {
        let used =
            part.samples.iter().filter_map(|sample| Some((sample, usable_score(sample, MAX_ABS_SCORE)?)));
        let used: Vec<_> = used.collect();
        let outcomes: Vec<(f64, f64)> =
            used.iter().map(|(sample, score)| (f64::from(*score), f64::from(sample.outcome()))).collect();
        let scale = best_scale(&outcomes);
        let target = |&(score, outcome): &(f64, f64)| {
            if part.by_result { outcome } else { logistic(score / scale) }
        };
        let targets: Vec<f64> = outcomes.iter().map(target).collect();
        let own_scale = f64::from(self.evaluation.scale());
        let predicted = used.iter().map(|(sample, _)| {
            f64::from(self.evaluation.evaluate(&sample.board(), sample.side())) / 10.0 / own_scale
        });
        let pairs: Vec<(f64, f64)> = predicted.zip(targets.iter().copied()).collect();
        let exact = targets.iter().map(|&target| ((target / (1.0 - target)).ln().clamp(-20.0, 20.0), target));
        let count = pairs.len().max(1) as f64;
        PartLoss {
            name: part.name.clone(),
            positions: pairs.len(),
            loss: log_loss(&pairs, 1.0),
            minimum: log_loss(&exact.collect::<Vec<_>>(), 1.0),
            bias: pairs.iter().map(|&(logit, target)| logistic(logit) - target).sum::<f64>() / count,
        }
    }

    fn losers(&self, data: &CalibrationData) -> Option<LoserPrediction> {
        let scale = f64::from(self.evaluation.scale());
        let of_game = |game: &crate::calibration::ObservedGame| {
            let opening = game.observations.iter().filter(|position| (5..=15).contains(&position.turn));
            let scores: Vec<f64> = opening
                .map(|position| if position.side == game.winner { -position.score } else { position.score })
                .collect();
            (game.loser_selected && !scores.is_empty()).then(|| {
                let count = scores.len() as f64;
                let probability = scores.iter().map(|score| logistic(score / scale)).sum::<f64>();
                (scores.iter().sum::<f64>() / count, probability / count)
            })
        };
        let games: Vec<(f64, f64)> = data.games.iter().filter_map(of_game).collect();
        let count = games.len() as f64;
        (!games.is_empty()).then(|| LoserPrediction {
            games: games.len(),
            score: games.iter().map(|game| game.0).sum::<f64>() / count,
            probability: games.iter().map(|game| game.1).sum::<f64>() / count,
        })
    }

    /// Searches the bench positions, each with a new engine.
    fn bench(&self, stop: &StopToken) -> Result<(u64, Cutoffs), EngineError> {
        let (mut all_nodes, mut all) = (0, Cutoffs::default());
        for text in BENCH_POSITIONS {
            let mut engine = self.engine()?;
            let game = Game::from_text(text, Rules::Official)
                .map_err(|error| EngineError::Failed(error.to_string()))?;
            let limits = Limits { depth: Some(self.depth), ..Limits::default() };
            let job = Job { stop: stop.clone(), ..Job::limited(game, limits) };
            let mut nodes = 0;
            engine.think(&job, &mut |info| nodes = info.nodes.unwrap_or(nodes))?;
            let cutoffs = engine.cutoffs();
            (all_nodes, all.all, all.first) =
                (all_nodes + nodes, all.all + cutoffs.all, all.first + cutoffs.first);
        }
        Ok((all_nodes, all))
    }

    /// Solved tests by file.
    fn suites(
        &self,
        tests: &[Test],
        stop: &StopToken,
        progress: &dyn Fn(usize, usize),
    ) -> Result<Vec<(String, usize, usize)>, EngineError> {
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let options = SuiteOptions { limits, cycles: 1, stop: stop.clone() };
        let mut done = 0;
        let results = suite::run(&mut self.engine()?, tests, &options, &mut |_| {
            done += 1;
            progress(done, tests.len());
        })?;
        let mut suites: Vec<(String, usize, usize)> = Vec::new();
        for result in &results {
            let file = &tests[result.test].file;
            let name = file.rsplit('/').next().unwrap_or(file);
            let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            if suites.last().is_none_or(|(last, ..)| last != name) {
                suites.push((name.to_string(), 0, 0));
            }
            if let Some((_, solved, all)) = suites.last_mut() {
                *solved += usize::from(result.points.solved());
                *all += 1;
            }
        }
        Ok(suites)
    }
}

#[cfg(test)]
mod tests {
    use surus_record::packed::{Flags, Sample, Score};
    use surus_rules::{Position, Side, Turn};

    use super::*;
    use crate::calibration::{Observation, ObservedGame};

    fn strength(options: &[(String, String)]) -> Strength<'_> {
        Strength { options, evaluation: Evaluation::default(), nodes: 200, depth: 3 }
    }

    fn sample(position: &str, score: i32, result: Side) -> PackedSample {
        let position: Position = position.parse().unwrap();
        let sample = Sample {
            board: *position.board(),
            side: position.side(),
            steps_left: 4,
            score: Score::Centirabbits(score),
            depth: 5,
            result: Some(result),
            turn_number: 9,
            flags: Flags::QUIET,
            best_turn: Turn::EMPTY,
        };
        PackedSample::encode(&sample).unwrap()
    }

    #[test]
    fn an_equal_position_that_is_lost_gives_a_bias_and_a_loss_of_one_bit() {
        const START: &str = "g [rrrrrrrrhdcemcdh                                HDCEMCDHRRRRRRRR]";
        let part = |by_result| ValidationPart {
            name: "lost".into(),
            samples: vec![sample(START, 0, Side::Silver), sample(START, 5_000, Side::Silver)],
            by_result,
        };
        let lost = strength(&[]).part_loss(&part(true));
        assert_eq!(lost.positions, 1, "a decided position does not count");
        // The side to move is slightly better.
        assert!(
            (lost.loss - std::f64::consts::LN_2).abs() < 0.1 && (lost.bias - 0.5).abs() < 0.05,
            "{lost:?}"
        );
        assert!(lost.minimum < 1e-6);
        let searched = strength(&[]).part_loss(&part(false));
        assert!(searched.bias.abs() < 0.05 && (searched.minimum - std::f64::consts::LN_2).abs() < 1e-3);
    }

    #[test]
    fn the_losers_view_is_averaged_by_game() {
        let position = |turn, side, score| Observation { turn, side, score, terms: Vec::new() };
        let game =
            |loser_selected, observations| ObservedGame { winner: Side::Gold, loser_selected, observations };
        let data = CalibrationData {
            games: vec![
                game(true, vec![position(6, Side::Gold, -300.0), position(7, Side::Silver, 100.0)]),
                game(true, vec![position(8, Side::Silver, -200.0), position(30, Side::Silver, 900.0)]),
                game(false, vec![position(8, Side::Silver, 900.0)]),
            ],
            skipped: 0,
        };
        let losers = strength(&[]).losers(&data).unwrap();
        assert_eq!((losers.games, losers.score), (2, 0.0));
        assert_eq!(strength(&[]).losers(&CalibrationData::default()), None);
    }

    #[test]
    fn searches_and_suites_are_counted() {
        let options = [("hash".to_string(), "1".to_string())];
        let stop = StopToken::default();
        let (nodes, cutoffs) = strength(&options).bench(&stop).unwrap();
        assert!(
            0 < cutoffs.first && cutoffs.first <= cutoffs.all && cutoffs.all < nodes,
            "{cutoffs:?} {nodes}"
        );
        let unknown = [("no".to_string(), "1".to_string())];
        assert!(strength(&unknown).bench(&stop).is_err());
    }
}
