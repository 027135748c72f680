//! k-means clustering of weighted points, started by k-means++.

use rand::{Rng, RngExt};
use surus_engine::phase::FEATURE_COUNT;

/// The dimension of the points.
pub const DIMENSIONS: usize = FEATURE_COUNT;

/// A bound in case rounding makes assignments alternate.
const MAX_ITERATIONS: usize = 1000;

/// A point that occurs `weight` times.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WeightedPoint {
    /// Its coordinates.
    pub at: [f64; DIMENSIONS],
    /// How often it occurs.
    pub weight: f64,
}

/// Points assigned to centroids.
#[derive(Clone, PartialEq, Debug)]
pub struct Clustering {
    /// The mean of each cluster.
    pub centroids: Vec<[f64; DIMENSIONS]>,
    /// The cluster of each point.
    pub assignment: Vec<usize>,
    /// The weighted sum of squared distances to the centroids.
    pub distortion: f64,
}

impl Clustering {
    /// The points of a cluster.
    #[must_use]
    pub fn members(&self, points: &[WeightedPoint], cluster: usize) -> Vec<WeightedPoint> {
        let all = points.iter().zip(&self.assignment);
        all.filter(|&(_, &own)| own == cluster).map(|(point, _)| *point).collect()
    }
}

/// The best of several runs of k-means by its distortion, each started by k-means++.
///
/// `None` if there are fewer than `k` different points.
#[must_use]
pub fn k_means(points: &[WeightedPoint], k: usize, runs: usize, rng: &mut impl Rng) -> Option<Clustering> {
    let mut best: Option<Clustering> = None;
    for _ in 0..runs.max(1) {
        let found = lloyd(points, plus_plus(points, k, rng)?);
        if best.as_ref().is_none_or(|best| found.distortion < best.distortion) {
            best = Some(found);
        }
    }
    best
}

/// Moves the centroids to the means of their points until no point changes its cluster.
pub(super) fn lloyd(points: &[WeightedPoint], mut centroids: Vec<[f64; DIMENSIONS]>) -> Clustering {
    let mut assignment = assign(points, &centroids);
    for _ in 0..MAX_ITERATIONS {
        move_to_means(points, &assignment, &mut centroids);
        let next = assign(points, &centroids);
        if next == assignment {
            break;
        }
        assignment = next;
    }
    let all = points.iter().zip(&assignment);
    let distortion = all.map(|(point, &own)| point.weight * distance(&point.at, &centroids[own])).sum();
    Clustering { centroids, assignment, distortion }
}

fn assign(points: &[WeightedPoint], centroids: &[[f64; DIMENSIONS]]) -> Vec<usize> {
    points.iter().map(|point| nearest(&point.at, centroids).0).collect()
}

/// A cluster that lost all its points keeps its centroid.
fn move_to_means(points: &[WeightedPoint], assignment: &[usize], centroids: &mut [[f64; DIMENSIONS]]) {
    let mut sums = vec![([0.0; DIMENSIONS], 0.0); centroids.len()];
    for (point, &own) in points.iter().zip(assignment) {
        let (sum, weight) = &mut sums[own];
        for (sum, value) in sum.iter_mut().zip(point.at) {
            *sum += point.weight * value;
        }
        *weight += point.weight;
    }
    for (centroid, (sum, weight)) in centroids.iter_mut().zip(sums) {
        if weight > 0.0 {
            *centroid = sum.map(|sum| sum / weight);
        }
    }
}

/// Initial centroids: each is drawn with a probability proportional to its squared distance to those drawn before.
fn plus_plus(points: &[WeightedPoint], k: usize, rng: &mut impl Rng) -> Option<Vec<[f64; DIMENSIONS]>> {
    let mut centroids: Vec<[f64; DIMENSIONS]> = Vec::new();
    while centroids.len() < k {
        let odds = |point: &WeightedPoint| {
            let distance = if centroids.is_empty() { 1.0 } else { nearest(&point.at, &centroids).1 };
            point.weight * distance
        };
        let all: Vec<f64> = points.iter().map(odds).collect();
        let sum: f64 = all.iter().sum();
        if sum <= 0.0 {
            return None;
        }
        let mut left = rng.random::<f64>() * sum;
        let drawn = all.iter().position(|odds| {
            left -= odds;
            left < 0.0
        });
        // Rounding may leave a rest behind the last point.
        let drawn = drawn.or_else(|| all.iter().rposition(|&odds| odds > 0.0))?;
        centroids.push(points[drawn].at);
    }
    Some(centroids)
}

/// The nearest centroid, and its squared distance.
fn nearest(at: &[f64; DIMENSIONS], centroids: &[[f64; DIMENSIONS]]) -> (usize, f64) {
    let mut best = (0, f64::INFINITY);
    for (index, centroid) in centroids.iter().enumerate() {
        let distance = distance(at, centroid);
        if distance < best.1 {
            best = (index, distance);
        }
    }
    best
}

fn distance(one: &[f64; DIMENSIONS], other: &[f64; DIMENSIONS]) -> f64 {
    one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;

    use super::*;

    fn point(x: f64, weight: f64) -> WeightedPoint {
        WeightedPoint { at: [x, 0.0, 0.0], weight }
    }

    #[test]
    fn weights_count_as_often_as_points() {
        let weighted = [point(0.0, 3.0), point(1.0, 1.0), point(10.0, 2.0)];
        let repeated = [0.0, 0.0, 0.0, 1.0, 10.0, 10.0].map(|x| point(x, 1.0));
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        let [one, other] =
            [&weighted[..], &repeated[..]].map(|points| k_means(points, 2, 5, &mut rng).unwrap());
        let sorted = |clustering: &Clustering| {
            let mut first: Vec<f64> = clustering.centroids.iter().map(|centroid| centroid[0]).collect();
            first.sort_by(f64::total_cmp);
            first
        };
        assert_eq!(sorted(&one), [0.25, 10.0]);
        assert_eq!(sorted(&other), [0.25, 10.0]);
        assert!((one.distortion - 0.75).abs() < 1e-12, "{}", one.distortion);
    }

    #[test]
    fn more_clusters_than_points_are_refused() {
        let points = [point(0.0, 5.0), point(1.0, 1.0)];
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        assert!(k_means(&points, 3, 2, &mut rng).is_none());
        assert!(k_means(&[], 1, 2, &mut rng).is_none());
        assert_eq!(k_means(&points, 2, 2, &mut rng).unwrap().distortion, 0.0);
    }
}
