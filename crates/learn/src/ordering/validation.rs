//! Cross-validation by game.

use surus_engine::ordering::Model;

use super::OrderingError;
use super::choices::ChoiceSet;
use super::dataset::DecisionGame;
use super::evaluation::{Outcome, evaluate};
use super::parallel::{Workload, parallel_map};
use super::splits::folds;
use super::trainer::ModelSpec;

/// Settings of a cross-validation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CrossValidation {
    /// The number of folds.
    pub folds: usize,
    /// Random seed of the split.
    pub seed: u64,
    /// One decision in this many is evaluated.
    pub one_in: usize,
}

/// Ranks the turns of each game with models trained on the other folds. The outcomes have one rank for each
/// specification, all of the same kind.
pub fn cross_validate(
    games: &[DecisionGame],
    choices: &ChoiceSet,
    specs: &[ModelSpec],
    config: &CrossValidation,
    work: &Workload<'_>,
) -> Result<Vec<Outcome>, OrderingError> {
    let fold_of = folds(games.len(), config.folds, config.seed)?;
    let selected: Vec<Vec<u32>> =
        (0..config.folds).map(|fold| choices.of_games(|game| fold_of[game] != fold)).collect();
    let tasks: Vec<(usize, usize)> =
        (0..config.folds).flat_map(|fold| (0..specs.len()).map(move |spec| (fold, spec))).collect();
    let trained = parallel_map(&tasks, work, |&(fold, spec)| {
        // One training is one item of the progress.
        let inner = Workload { threads: 1, stop: work.stop, progress: &|_, _| {} };
        let training = format!("fold {} of {}", fold + 1, config.folds);
        specs[spec].train(games, choices, &selected[fold], &training, &inner)
    })?;
    let trained: Vec<Model> = trained.into_iter().collect::<Result<_, _>>()?;
    let models =
        |game: usize| trained.chunks(specs.len()).nth(fold_of[game]).unwrap_or_default().iter().collect();
    evaluate(games, &models, config.one_in, work)
}
