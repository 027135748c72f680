//! Ranks all alternatives of decisions.

use surus_engine::ordering::{Model, Phases, Scorer};

use super::OrderingError;
use super::choices::ChoiceSet;
use super::dataset::DecisionGame;
use super::parallel::{Workload, parallel_map};
use super::sampling::Generator;

/// Where a model ranks the played turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedRank {
    /// Alternatives with a higher score.
    pub better: u32,
    /// Alternatives with the same score.
    pub equal: u32,
    /// All alternatives.
    pub alternatives: u32,
}

impl PlayedRank {
    /// The share of alternatives ranked below the played turn; those with the same score count half.
    #[must_use]
    pub fn percentile(self) -> f64 {
        1.0 - (f64::from(self.better) + 0.5 * f64::from(self.equal)) / f64::from(self.alternatives.max(1))
    }

    /// The rank from 1, in the middle of those with the same score.
    #[must_use]
    pub fn rank(self) -> f64 {
        1.0 + f64::from(self.better) + 0.5 * f64::from(self.equal)
    }
}

/// A decision with its rank in the rankings of several models.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The index of the game.
    pub game: usize,
    /// The group of the game.
    pub group: usize,
    /// The number of the turn.
    pub number: u32,
    /// The phase by the number of pieces, from 0.
    pub phase: usize,
    /// One rank for each model.
    pub ranks: Vec<PlayedRank>,
}

/// Decisions of a task for one thread.
const DECISIONS_PER_TASK: usize = 8;

/// Ranks all distinct turns, or all actions of each turn, of one decision in `one_in`. `models` gives the models for a
/// game by its index, all of the same kind and always the same number; games without models are skipped.
pub fn evaluate<'m>(
    games: &[DecisionGame],
    models: &(dyn Fn(usize) -> Vec<&'m Model> + Sync),
    one_in: usize,
    work: &Workload<'_>,
) -> Result<Vec<Outcome>, OrderingError> {
    let used = |game: usize, decision: usize| (game + decision).is_multiple_of(one_in.max(1));
    let of_game = |game: usize| {
        let count = if models(game).is_empty() { 0 } else { games[game].decisions.len() };
        (0..count).filter(move |&decision| used(game, decision)).map(move |decision| (game, decision))
    };
    let decisions: Vec<(usize, usize)> = (0..games.len()).flat_map(of_game).collect();
    let tasks: Vec<&[(usize, usize)]> = decisions.chunks(DECISIONS_PER_TASK).collect();
    let found = parallel_map(&tasks, work, |task| {
        let mut outcomes = Vec::new();
        let mut choices = ChoiceSet::default();
        let mut generator = None;
        for &(game, decision) in *task {
            let models = models(game);
            let Some(first) = models.first() else { continue };
            choices.clear();
            let generator = generator.get_or_insert_with(|| Generator::new(first.kind()));
            generator.add(&games[game].decisions[decision], None, &mut choices);
            outcomes.extend(ranked(games, (game, decision), &models, &choices));
        }
        outcomes
    })?;
    Ok(found.into_iter().flatten().collect())
}

/// The outcomes of the choices of a decision.
fn ranked(
    games: &[DecisionGame],
    (game, index): (usize, usize),
    models: &[&Model],
    choices: &ChoiceSet,
) -> Vec<Outcome> {
    let decision = &games[game].decisions[index];
    let scorers: Vec<_> = models.iter().map(|model| model.scorer(&decision.board)).collect();
    let pieces = Phases::Pieces.shares(&decision.board);
    let phase = pieces.iter().position(|&share| share > 0.0).unwrap_or_default();
    let mut outcomes = Vec::with_capacity(choices.len());
    for choice in choices.choices() {
        let rank = |(model, scorer): (&&Model, &Scorer)| {
            let score = |row: usize| {
                let linear = scorer.logit(scorer.score(choices.features(row)));
                let board = choices.board(row);
                linear + board.map_or(0.0, |board| model.network_logit(board, decision.side))
            };
            let played = choice.rows().filter(|&row| choice.is_played(row));
            let best = played.map(score).fold(f32::MIN, f32::max);
            let mut rank = PlayedRank { better: 0, equal: 0, alternatives: 0 };
            for row in choice.rows().filter(|&row| !choice.is_played(row)) {
                let score = score(row);
                rank.better += u32::from(score > best);
                rank.equal += u32::from(score == best);
                rank.alternatives += 1;
            }
            rank
        };
        let ranks = models.iter().zip(&scorers).map(rank).collect();
        outcomes.push(Outcome { game, group: games[game].group, number: decision.number, phase, ranks });
    }
    outcomes
}
