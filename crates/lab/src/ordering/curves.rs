//! Learning curves: the percentile of the played turn by the number of games.

use serde::{Deserialize, Serialize};
use surus_engine::ordering::Model;
use surus_learn::ordering::{
    ChoiceSet, Dataset, Estimate, OrderingError, Summary, Workload, evaluate, holdout,
};

use super::OrderingExperiment;
use super::models::{CANDIDATES, CURVES, Clusters};

/// A model at all sizes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct CurveRow {
    pub(super) name: String,
    /// The number of games, and the mean percentiles on training and test games; the error is that of the mean of the runs.
    pub(super) points: Vec<(usize, Estimate, Estimate)>,
}

/// Decisions to rank in each run, of training and of test games.
const DECISIONS: usize = 120;

/// The games that train the model of this size.
fn training_games(train: &[usize], size: usize) -> &[usize] {
    &train[..(size * 7).div_ceil(10).min(train.len())]
}

/// Trains on 70 % of 10, 20, … games and tests on 30 % of the largest number, which are the same games for all sizes of a run.
/// The training games that are ranked are those of the smallest size, which all models of a run have seen.
pub(super) fn learning_curve(
    experiment: &OrderingExperiment<'_>,
    data: &Dataset,
    clusters: &Clusters,
    choices: &ChoiceSet,
    work: &Workload<'_>,
) -> Result<Vec<CurveRow>, OrderingError> {
    let most = experiment.curve_games.min(data.games.len());
    let sizes: Vec<usize> = (1..=most / 10).map(|tens| 10 * tens).collect();
    // For each model and size, the percentiles of the runs on training and test games.
    let mut found = vec![vec![[const { Vec::new() }; 2]; sizes.len()]; CURVES.len()];
    for run in 0..experiment.curve_runs {
        let [train, test] = holdout(data.games.len(), most, 1 + run as u64)?;
        let mut models = Vec::new();
        for &size in &sizes {
            let games = training_games(&train, size);
            let selected = choices.of_games(|game| games.contains(&game));
            for &candidate in &CURVES {
                let spec = CANDIDATES[candidate].spec(clusters, experiment.epochs);
                models.push(spec.train(&data.games, choices, &selected, "learning curve", work)?);
            }
        }
        for (kind, games) in [training_games(&train, 10), &test].into_iter().enumerate() {
            for (index, percentile) in percentiles(data, &models, games, work)?.into_iter().enumerate() {
                found[index % CURVES.len()][index / CURVES.len()][kind].push(percentile);
            }
        }
    }
    let rows = CURVES.iter().zip(found).map(|(&candidate, found)| CurveRow {
        name: CANDIDATES[candidate].name.into(),
        points: sizes
            .iter()
            .zip(found)
            .map(|(&size, [train, test])| (size, mean(&train), mean(&test)))
            .collect(),
    });
    Ok(rows.collect())
}

/// The mean percentile of each model.
fn percentiles(
    data: &Dataset,
    models: &[Model],
    games: &[usize],
    work: &Workload<'_>,
) -> Result<Vec<f64>, OrderingError> {
    let decisions: usize = games.iter().map(|&game| data.games[game].decisions.len()).sum();
    let models_of = |game: usize| if games.contains(&game) { models.iter().collect() } else { Vec::new() };
    let outcomes = evaluate(&data.games, &models_of, (decisions / DECISIONS).max(1), work)?;
    let mean = |model: usize| Summary::of(&outcomes, model, |_| true).percentile.mean;
    Ok((0..models.len()).map(mean).collect())
}

/// The mean of runs with the half width of its 95 % interval.
fn mean(values: &[f64]) -> Estimate {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count.max(1.0);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let error = if count > 1.0 { 1.96 * (squares / (count - 1.0) / count).sqrt() } else { 0.0 };
    Estimate { mean, error }
}
