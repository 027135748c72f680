//! Maximum-likelihood ratings in the Bradley-Terry model.
//!
//! A player rated r scores 1/(1 + e^(s − r)) against one rated s (a natural unit of rating is 173.7 Elo). The log
//! likelihood Σ points·ln(expected score) is concave, so Newton's method finds its only maximum. The negative second
//! derivative there is the Fisher information, whose inverse is the covariance of the ratings.

use crate::crosstable::HeadToHead;

/// Maximum-likelihood ratings.
#[derive(Clone, Debug)]
pub(crate) struct RatingFit {
    pub(crate) ratings: Vec<f64>,
    /// Covariance of any two ratings; zero for fixed players.
    pub(crate) covariance: Vec<Vec<f64>>,
}

/// Fits all ratings that are not fixed. At least one must be fixed, and all must be finite (see [`crate::connectivity`]);
/// returns `None` otherwise.
///
/// Takes cubic time in the number of players: a thousand take seconds.
pub(crate) fn fit(results: &[HeadToHead], fixed: &[Option<f64>]) -> Option<RatingFit> {
    let free: Vec<usize> = (0..fixed.len()).filter(|&player| fixed[player].is_none()).collect();
    let mut index = vec![None; fixed.len()];
    for (i, &player) in free.iter().enumerate() {
        index[player] = Some(i);
    }
    // Start at the mean of the fixed ratings.
    let known: Vec<f64> = fixed.iter().flatten().copied().collect();
    let start = known.iter().sum::<f64>() / known.len() as f64;
    let mut ratings: Vec<f64> = fixed.iter().map(|rating| rating.unwrap_or(start)).collect();
    for _ in 0..200 {
        let (gradient, information) = derivatives(results, &ratings, &index, free.len());
        let root = cholesky(information)?;
        let mut step = solve(&root, &gradient);
        // Far from the maximum a step may overshoot: halve it until the likelihood increases.
        let before = log_likelihood(results, &ratings);
        let stepped = |step: &[f64]| {
            let mut next = ratings.clone();
            free.iter().zip(step).for_each(|(&player, step)| next[player] += step);
            next
        };
        while log_likelihood(results, &stepped(&step)) < before - 1e-9 * before.abs() {
            step.iter_mut().for_each(|step| *step /= 2.0);
        }
        ratings = stepped(&step);
        if step.iter().all(|step| step.abs() < 1e-9) {
            let mut covariance = vec![vec![0.0; fixed.len()]; fixed.len()];
            for (i, &player) in free.iter().enumerate() {
                let mut unit = vec![0.0; free.len()];
                unit[i] = 1.0;
                free.iter()
                    .zip(solve(&root, &unit))
                    .for_each(|(&other, value)| covariance[player][other] = value);
            }
            return Some(RatingFit { ratings, covariance });
        }
    }
    None
}

fn log_likelihood(results: &[HeadToHead], ratings: &[f64]) -> f64 {
    // ln(1/(1 + e^−d)) without overflow.
    let log_score = |d: f64| d.min(0.0) - (-d.abs()).exp().ln_1p();
    let log_likelihood_of = |HeadToHead { players: [a, b], points: [won, lost] }: &HeadToHead| {
        let difference = ratings[*a] - ratings[*b];
        won * log_score(difference) + lost * log_score(-difference)
    };
    results.iter().map(log_likelihood_of).sum()
}

/// The gradient of the log likelihood and its negative second derivative, for the players that have an index.
fn derivatives(
    results: &[HeadToHead],
    ratings: &[f64],
    index: &[Option<usize>],
    size: usize,
) -> (Vec<f64>, Vec<Vec<f64>>) {
    let (mut gradient, mut information) = (vec![0.0; size], vec![vec![0.0; size]; size]);
    for result in results {
        let [a, b] = result.players;
        let expected = 1.0 / (1.0 + (ratings[b] - ratings[a]).exp());
        let surplus = result.points[0] - result.games() * expected;
        let weight = result.games() * expected * (1.0 - expected);
        for (i, sign) in [(index[a], 1.0), (index[b], -1.0)] {
            if let Some(i) = i {
                gradient[i] += sign * surplus;
                information[i][i] += weight;
            }
        }
        if let (Some(i), Some(j)) = (index[a], index[b]) {
            information[i][j] -= weight;
            information[j][i] -= weight;
        }
    }
    (gradient, information)
}

/// The Cholesky factor of a matrix; `None` if the matrix is not positive definite.
fn cholesky(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    for i in 0..matrix.len() {
        let (above, rest) = matrix.split_at_mut(i);
        let row = &mut rest[0];
        for (j, other) in above.iter().enumerate() {
            let sum: f64 = row[..j].iter().zip(other).map(|(a, b)| a * b).sum();
            row[j] = (row[j] - sum) / other[j];
        }
        let square = row[i] - row[..i].iter().map(|a| a * a).sum::<f64>();
        // Also fails for NaN.
        row[i] = Some(square.sqrt()).filter(|_| square > 1e-12 * row[i])?;
    }
    Some(matrix)
}

/// Solves a linear system, given the Cholesky factor of its matrix.
fn solve(root: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let mut x = right.to_vec();
    for i in 0..x.len() {
        let sum: f64 = root[i][..i].iter().zip(&x).map(|(a, x)| a * x).sum();
        x[i] = (x[i] - sum) / root[i][i];
    }
    for i in (0..x.len()).rev() {
        x[i] /= root[i][i];
        for j in 0..i {
            x[j] -= root[i][j] * x[i];
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cholesky_factors_solve_systems() {
        let matrix = vec![vec![4.0, 2.0, -2.0], vec![2.0, 10.0, 2.0], vec![-2.0, 2.0, 6.0]];
        let x = solve(&cholesky(matrix.clone()).unwrap(), &[1.0, 2.0, 3.0]);
        for (row, right) in matrix.iter().zip([1.0, 2.0, 3.0]) {
            let product: f64 = row.iter().zip(&x).map(|(a, x)| a * x).sum();
            assert!((product - right).abs() < 1e-12);
        }
        assert!(cholesky(vec![vec![1.0, 1.0], vec![1.0, 1.0]]).is_none());
    }

    /// At the maximum, every player's score equals its expected score.
    #[test]
    fn expected_scores_equal_actual_scores() {
        let result = |a, b, won, lost| HeadToHead { players: [a, b], points: [won, lost] };
        let results = [
            result(0, 1, 990.0, 10.0),
            result(1, 2, 3.5, 1.5),
            result(0, 2, 4.0, 0.0),
            result(2, 3, 1.0, 99.0),
        ];
        let fit = fit(&results, &[Some(2.0), None, None, None]).unwrap();
        for player in 1..4 {
            let surplus: f64 = results
                .iter()
                .map(|result| {
                    let [a, b] = result.players;
                    let expected = result.games() / (1.0 + (fit.ratings[b] - fit.ratings[a]).exp());
                    let surplus = result.points[0] - expected;
                    if a == player {
                        surplus
                    } else if b == player {
                        -surplus
                    } else {
                        0.0
                    }
                })
                .sum();
            assert!(surplus.abs() < 1e-7, "{player}: {surplus}");
        }
    }
}
