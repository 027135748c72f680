//! X-means: k-means that chooses the number of clusters by the Bayesian information criterion.
//!
//! D. Pelleg, A. Moore, *X-means: extending k-means with efficient estimation of the number of clusters*, ICML 2000. From
//! the smallest number of clusters on, each cluster is split in two where that raises the criterion of its own points;
//! when none is split, the best of all clusterings by the criterion of all points is the result. The variance is the
//! maximum likelihood estimate per dimension, which the paper prints without the number of dimensions.

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::k_means::{Clustering, DIMENSIONS, WeightedPoint, k_means, lloyd};

/// Runs of k-means of which the best is taken.
const RUNS: usize = 10;

/// How to choose the number of clusters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct XMeansOptions {
    /// The smallest number of clusters.
    pub min_k: usize,
    /// The largest one.
    pub max_k: usize,
    /// Random seed.
    pub seed: u64,
    /// The lowest variance that counts as more than rounding; it keeps clusters of equal points from being split off
    /// at any price.
    pub min_variance: f64,
}

/// The chosen clustering.
#[derive(Clone, PartialEq, Debug)]
pub struct XMeans {
    /// Its clusters.
    pub clustering: Clustering,
    /// Its criterion; more is better.
    pub bic: f64,
    /// All numbers of clusters that were compared, with their criteria.
    pub compared: Vec<(usize, f64)>,
}

/// Points or a range that cannot be clustered.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum XMeansError {
    /// The range of k is empty.
    #[error(
        "the number of clusters must be from {0} to {1}: expected at least 1, and no more than the maximum"
    )]
    Range(usize, usize),
    /// Too few different points.
    #[error(
        "the boards have {found} different feature vectors: expected at least {expected}, one for each cluster"
    )]
    TooFew {
        /// The different points.
        found: usize,
        /// The smallest number of clusters.
        expected: usize,
    },
}

/// Clusters points.
pub fn x_means(points: &[WeightedPoint], options: &XMeansOptions) -> Result<XMeans, XMeansError> {
    let XMeansOptions { min_k, max_k, seed, min_variance } = *options;
    if min_k == 0 || max_k < min_k {
        return Err(XMeansError::Range(min_k, max_k));
    }
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let too_few = || XMeansError::TooFew { found: distinct(points), expected: min_k };
    let mut current = k_means(points, min_k, RUNS, &mut rng).ok_or_else(too_few)?;
    let mut compared = Vec::new();
    let mut best: Option<(f64, Clustering)> = None;
    loop {
        let value = bic(points, &current, min_variance);
        compared.push((current.centroids.len(), value));
        if best.as_ref().is_none_or(|(highest, _)| value > *highest) {
            best = Some((value, current.clone()));
        }
        let room = max_k - current.centroids.len();
        let split = split_clusters(points, &current, room, min_variance, &mut rng);
        if split.len() == current.centroids.len() {
            break;
        }
        current = lloyd(points, split);
    }
    // There is one, since the loop ran at least once.
    let (bic, clustering) = best.ok_or_else(too_few)?;
    Ok(XMeans { clustering, bic, compared })
}

/// The centroids after splitting those clusters, at most `room`, that gain most by it.
fn split_clusters(
    points: &[WeightedPoint],
    clustering: &Clustering,
    room: usize,
    min_variance: f64,
    rng: &mut impl Rng,
) -> Vec<[f64; DIMENSIONS]> {
    let mut gains = Vec::new();
    for cluster in 0..clustering.centroids.len() {
        let own = clustering.members(points, cluster);
        let parent = lloyd(&own, vec![clustering.centroids[cluster]]);
        let Some(children) = k_means(&own, 2, RUNS, rng) else { continue };
        let gain = bic(&own, &children, min_variance) - bic(&own, &parent, min_variance);
        if gain > 0.0 {
            gains.push((gain, cluster, children.centroids));
        }
    }
    gains.sort_by(|a, b| b.0.total_cmp(&a.0));
    gains.truncate(room);
    let mut centroids = clustering.centroids.clone();
    for (_, cluster, children) in gains {
        centroids[cluster] = children[0];
        centroids.push(children[1]);
    }
    centroids
}

/// The Bayesian information criterion of a clustering as a mixture of spherical Gaussians with one variance: the
/// log-likelihood of the points minus half the number of parameters times the logarithm of the number of points.
#[must_use]
pub fn bic(points: &[WeightedPoint], clustering: &Clustering, min_variance: f64) -> f64 {
    let k = clustering.centroids.len() as f64;
    let dimensions = DIMENSIONS as f64;
    let mut sizes = vec![0.0; clustering.centroids.len()];
    for (point, &own) in points.iter().zip(&clustering.assignment) {
        sizes[own] += point.weight;
    }
    let count: f64 = sizes.iter().sum();
    let variance = pooled_variance(clustering, count).max(min_variance).max(f64::MIN_POSITIVE);
    let mixture: f64 = sizes.iter().filter(|size| **size > 0.0).map(|size| size * (size / count).ln()).sum();
    let density = -count * dimensions / 2.0 * (std::f64::consts::TAU * variance).ln();
    let likelihood = mixture + density - clustering.distortion / (2.0 * variance);
    let parameters = (k - 1.0) + k * dimensions + 1.0;
    likelihood - parameters / 2.0 * count.max(1.0).ln()
}

/// The variance per dimension around the centroids.
pub(super) fn pooled_variance(clustering: &Clustering, count: f64) -> f64 {
    let free = (count - clustering.centroids.len() as f64).max(1.0);
    clustering.distortion / (DIMENSIONS as f64 * free)
}

/// The number of different points.
fn distinct(points: &[WeightedPoint]) -> usize {
    let mut all: Vec<_> = points.iter().map(|point| point.at.map(f64::to_bits)).collect();
    all.sort_unstable();
    all.dedup();
    all.len()
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;

    /// Normal deviates by the sum of twelve uniform ones.
    fn gaussian(centre: [f64; DIMENSIONS], deviation: f64, rng: &mut Pcg64Mcg) -> WeightedPoint {
        let at = centre.map(|mean| {
            let sum: f64 = (0..12).map(|_| rng.random::<f64>()).sum();
            mean + deviation * (sum - 6.0)
        });
        WeightedPoint { at, weight: 1.0 }
    }

    const CENTRES: [[f64; DIMENSIONS]; 5] =
        [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 9.0, 1.0], [4.0, 5.0, -8.0], [9.0, 9.0, 9.0]];

    fn clouds(count: usize, seed: u64) -> Vec<WeightedPoint> {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let centres = &CENTRES[..count];
        (0..600).map(|index| gaussian(centres[index % count], 1.0, &mut rng)).collect()
    }

    const OPTIONS: XMeansOptions = XMeansOptions { min_k: 1, max_k: 12, seed: 1, min_variance: 0.0 };

    #[test]
    fn the_number_of_spherical_gaussians_is_found() {
        for count in [1, 2, 3, 5] {
            for seed in 1..=4 {
                let found = x_means(&clouds(count, seed), &XMeansOptions { seed, ..OPTIONS }).unwrap();
                assert_eq!(found.clustering.centroids.len(), count, "seed {seed}: {:?}", found.compared);
                for centre in &CENTRES[..count] {
                    let distance = |centroid: &[f64; DIMENSIONS]| -> f64 {
                        centroid.iter().zip(centre).map(|(a, b)| (a - b).powi(2)).sum()
                    };
                    let nearest =
                        found.clustering.centroids.iter().map(distance).fold(f64::INFINITY, f64::min);
                    assert!(nearest < 0.2, "seed {seed}: no centroid near {centre:?}");
                }
            }
        }
    }

    #[test]
    fn the_range_of_k_is_respected() {
        let points = clouds(3, 1);
        let count = |min_k, max_k| {
            let options = XMeansOptions { min_k, max_k, ..OPTIONS };
            x_means(&points, &options).unwrap().clustering.centroids.len()
        };
        assert_eq!((count(1, 2), count(4, 4), count(2, 8)), (2, 4, 3));
        let refused =
            |min_k, max_k| x_means(&points, &XMeansOptions { min_k, max_k, ..OPTIONS }).unwrap_err();
        assert_eq!(refused(0, 4), XMeansError::Range(0, 4));
        assert_eq!(refused(4, 3), XMeansError::Range(4, 3));
    }

    #[test]
    fn results_depend_on_the_seed_alone() {
        let points = clouds(5, 9);
        let run = |seed| x_means(&points, &XMeansOptions { seed, ..OPTIONS }).unwrap();
        assert_eq!(run(3), run(3));
    }

    #[test]
    fn too_few_points_are_an_error_that_says_how_many() {
        let points = [WeightedPoint { at: [1.0; DIMENSIONS], weight: 40.0 }; 3];
        let error = x_means(&points, &XMeansOptions { min_k: 2, ..OPTIONS }).unwrap_err().to_string();
        assert_eq!(
            error,
            "the boards have 1 different feature vectors: expected at least 2, one for each cluster"
        );
    }

    /// Two points of weight 8 at distance 2: one cluster has variance 16 / (3 · 15), two have none.
    #[test]
    fn the_criterion_is_that_of_the_formula() {
        let points = [0.0, 2.0].map(|x| WeightedPoint { at: [x, 0.0, 0.0], weight: 8.0 });
        let one = lloyd(&points, vec![[1.0, 0.0, 0.0]]);
        let variance: f64 = 16.0 / 45.0;
        let expected =
            -24.0 * (std::f64::consts::TAU * variance).ln() - 16.0 / (2.0 * variance) - 2.0 * 16_f64.ln();
        assert!((bic(&points, &one, 0.0) - expected).abs() < 1e-9);
        let two = lloyd(&points, vec![[0.0; 3], [2.0, 0.0, 0.0]]);
        let floor = 0.5_f64;
        let expected = 16.0 * 0.5_f64.ln() - 24.0 * (std::f64::consts::TAU * floor).ln() - 4.0 * 16_f64.ln();
        assert!((bic(&points, &two, floor) - expected).abs() < 1e-9);
    }
}
