//! Fits a cluster model to a histogram.

use surus_engine::phase::{Cluster, FEATURE_COUNT, PhaseClusters, PhaseModelError};

use super::PhaseHistogram;
use super::k_means::WeightedPoint;
use super::x_means::{XMeansError, XMeansOptions, pooled_variance, x_means};

/// What the features are divided by before distances are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scaling {
    /// The range of each feature in the data, so that each has the range 1.
    #[default]
    Range,
    /// The standard deviation of each feature.
    Deviation,
    /// Nothing.
    None,
}

/// How to fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FitOptions {
    /// The smallest number of phases.
    pub min_k: usize,
    /// The largest one.
    pub max_k: usize,
    /// Random seed.
    pub seed: u64,
    /// The scales of the features.
    pub scaling: Scaling,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self { min_k: 1, max_k: 8, seed: 1, scaling: Scaling::Range }
    }
}

/// A fitted model.
#[derive(Clone, PartialEq, Debug)]
pub struct FittedPhases {
    /// The clusters.
    pub model: PhaseClusters,
    /// The numbers of clusters that were compared, with their Bayesian information criteria; more is better.
    pub compared: Vec<(usize, f64)>,
}

/// Why nothing was fitted.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// No boards.
    #[error("no boards to fit: choose other files, or a filter that some game passes")]
    Empty,
    /// The points cannot be clustered.
    #[error(transparent)]
    Clusters(#[from] XMeansError),
    /// The result is no model.
    #[error(transparent)]
    Model(#[from] PhaseModelError),
}

/// The variance of rounding to integers.
const ROUNDING: f64 = 1.0 / 12.0;

/// Clusters the boards of a histogram by X-means; with equal bounds of k that is k-means.
pub fn fit_clusters(
    histogram: &PhaseHistogram,
    options: &FitOptions,
    source: &str,
) -> Result<FittedPhases, FitError> {
    if histogram.boards == 0 {
        return Err(FitError::Empty);
    }
    let scales = scales(histogram, options.scaling);
    let points: Vec<WeightedPoint> = histogram
        .iter()
        .map(|(features, count)| {
            let vector = features.vector();
            let at = std::array::from_fn(|index| vector[index] / scales[index]);
            WeightedPoint { at, weight: count as f64 }
        })
        .collect();
    // The number of pieces and that of advanced ones are exact only to rounding; the threat is not rounded.
    let min_variance = ROUNDING * (scales[0].powi(-2) + scales[1].powi(-2)) / FEATURE_COUNT as f64;
    let FitOptions { min_k, max_k, seed, .. } = *options;
    let found = x_means(&points, &XMeansOptions { min_k, max_k, seed, min_variance })?;
    let clustering = &found.clustering;
    let cluster = |index: usize| {
        let centroid = clustering.centroids[index];
        let members = points.iter().zip(&clustering.assignment).filter(|&(_, &own)| own == index);
        Cluster {
            centroid: std::array::from_fn(|feature| centroid[feature] * scales[feature]),
            boards: members.map(|(point, _)| point.weight).sum::<f64>() as u64,
        }
    };
    let clusters = (0..clustering.centroids.len()).map(cluster).collect();
    let variance = pooled_variance(clustering, histogram.boards as f64).max(min_variance);
    let model = PhaseClusters::new(clusters, scales, variance, source)?;
    Ok(FittedPhases { model, compared: found.compared })
}

/// A feature that is always the same has the scale 1.
fn scales(histogram: &PhaseHistogram, scaling: Scaling) -> [f64; FEATURE_COUNT] {
    let boards = histogram.boards as f64;
    std::array::from_fn(|index| {
        let values = || histogram.iter().map(|(features, count)| (features.vector()[index], count as f64));
        let scale = match scaling {
            Scaling::None => 1.0,
            Scaling::Range => {
                let low = values().map(|(value, _)| value).fold(f64::INFINITY, f64::min);
                values().map(|(value, _)| value).fold(f64::NEG_INFINITY, f64::max) - low
            }
            Scaling::Deviation => {
                let mean = values().map(|(value, count)| value * count).sum::<f64>() / boards;
                (values().map(|(value, count)| count * (value - mean).powi(2)).sum::<f64>() / boards).sqrt()
            }
        };
        if scale > 0.0 { scale } else { 1.0 }
    })
}

#[cfg(test)]
mod tests {
    use surus_engine::phase::PhaseFeatures;

    use super::*;

    fn histogram() -> PhaseHistogram {
        let mut histogram = PhaseHistogram::default();
        for offset in 0..3 {
            let board = |min_pieces, max_advanced, goal_threat| PhaseFeatures {
                min_pieces,
                max_advanced,
                goal_threat,
            };
            histogram.extend([
                (board(16 - offset, 0, false), 100),
                (board(15, 1 + offset, false), 60),
                (board(9 - offset, 8, true), 50),
                (board(8, 7 + offset, true), 40),
            ]);
        }
        histogram
    }

    #[test]
    fn two_groups_of_boards_are_two_clusters() {
        let fitted =
            fit_clusters(&histogram(), &FitOptions { max_k: 2, ..FitOptions::default() }, "test").unwrap();
        let [first, last] = fitted.model.clusters() else { panic!("{:?}", fitted.compared) };
        assert_eq!((first.boards, last.boards), (480, 270));
        assert_eq!((first.centroid[2], last.centroid[2]), (0.0, 1.0));
        // (300 · 15 + 180 · 15) / 480 pieces.
        assert!((first.centroid[0] - 15.0).abs() < 1e-9, "{first:?}");
        assert_eq!(fitted.model.source(), "test");
    }

    #[test]
    fn fits_are_the_same_for_the_same_seed_in_every_order_of_the_games() {
        let histogram = histogram();
        let mut reversed = PhaseHistogram::default();
        let mut counts: Vec<_> = histogram.iter().collect();
        counts.reverse();
        reversed.extend(counts);
        let fit = |histogram: &PhaseHistogram| {
            fit_clusters(histogram, &FitOptions { min_k: 3, ..FitOptions::default() }, "").unwrap()
        };
        let one = fit(&histogram);
        assert_eq!(fit(&reversed), one);
        assert_eq!(PhaseClusters::parse(&one.model.to_toml()).unwrap(), one.model);
    }

    #[test]
    fn no_boards_and_too_many_clusters_are_errors() {
        let fit = |histogram: &PhaseHistogram, min_k| {
            fit_clusters(histogram, &FitOptions { min_k, max_k: min_k, ..FitOptions::default() }, "")
                .unwrap_err()
                .to_string()
        };
        assert!(fit(&PhaseHistogram::default(), 1).starts_with("no boards to fit"));
        assert!(
            fit(&histogram(), 60)
                .starts_with("the boards have 11 different feature vectors: expected at least 60")
        );
    }
}
