//! The ratings that make results most likely, by the model of Bradley and Terry.
//!
//! A player rated r scores 1/(1 + e^(s − r)) against one rated s (a natural unit of rating is 173.7 Elo). The
//! logarithm of the likelihood, Σ points·ln(expected score), is concave, so that Newton's method finds its one
//! maximum; its second derivative there is the Fisher information, and the inverse of that the covariance.

use crate::crosstable::HeadToHead;

/// The most likely ratings.
#[derive(Clone, Debug)]
pub(crate) struct RatingFit {
    pub(crate) ratings: Vec<f64>,
    /// Between any two players; zero for those that are fixed.
    pub(crate) covariance: Vec<Vec<f64>>,
}

/// Fits all ratings that are not fixed. One at least has to be, and every player has to have a finite one
/// ([`crate::standing`]); there is no answer otherwise.
///
/// All players are solved for together, so the work grows with the third power of their number: a thousand take
/// seconds.
pub(crate) fn fit(meetings: &[HeadToHead], fixed: &[Option<f64>]) -> Option<RatingFit> {
    let free: Vec<usize> = (0..fixed.len()).filter(|&player| fixed[player].is_none()).collect();
    let mut place = vec![None; fixed.len()];
    for (i, &player) in free.iter().enumerate() {
        place[player] = Some(i);
    }
    // The middle of the fixed ones is a good place to start.
    let known: Vec<f64> = fixed.iter().flatten().copied().collect();
    let start = known.iter().sum::<f64>() / known.len() as f64;
    let mut ratings: Vec<f64> = fixed.iter().map(|rating| rating.unwrap_or(start)).collect();
    for _ in 0..200 {
        let (gradient, information) = derivatives(meetings, &ratings, &place, free.len());
        let root = cholesky(information)?;
        let mut step = solve(&root, &gradient);
        // Far from the maximum a step can lead too far; half of it, often enough, never does.
        let before = log_likelihood(meetings, &ratings);
        let stepped = |step: &[f64]| {
            let mut next = ratings.clone();
            free.iter().zip(step).for_each(|(&player, step)| next[player] += step);
            next
        };
        while log_likelihood(meetings, &stepped(&step)) < before - 1e-9 * before.abs() {
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

fn log_likelihood(meetings: &[HeadToHead], ratings: &[f64]) -> f64 {
    // ln(1/(1 + e^−d)), without overflow.
    let log_score = |d: f64| d.min(0.0) - (-d.abs()).exp().ln_1p();
    let of = |HeadToHead { players: [a, b], points: [won, lost] }: &HeadToHead| {
        let difference = ratings[*a] - ratings[*b];
        won * log_score(difference) + lost * log_score(-difference)
    };
    meetings.iter().map(of).sum()
}

/// The slope of the likelihood, and its second derivative without the sign, for the players that have a place.
fn derivatives(
    meetings: &[HeadToHead],
    ratings: &[f64],
    place: &[Option<usize>],
    size: usize,
) -> (Vec<f64>, Vec<Vec<f64>>) {
    let (mut gradient, mut information) = (vec![0.0; size], vec![vec![0.0; size]; size]);
    for meeting in meetings {
        let [a, b] = meeting.players;
        let expected = 1.0 / (1.0 + (ratings[b] - ratings[a]).exp());
        let surplus = meeting.points[0] - meeting.games() * expected;
        let weight = meeting.games() * expected * (1.0 - expected);
        for (i, sign) in [(place[a], 1.0), (place[b], -1.0)] {
            if let Some(i) = i {
                gradient[i] += sign * surplus;
                information[i][i] += weight;
            }
        }
        if let (Some(i), Some(j)) = (place[a], place[b]) {
            information[i][j] -= weight;
            information[j][i] -= weight;
        }
    }
    (gradient, information)
}

/// The lower triangle whose product with its transpose is the matrix, if that is positive definite.
fn cholesky(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    for i in 0..matrix.len() {
        let (above, rest) = matrix.split_at_mut(i);
        let row = &mut rest[0];
        for (j, other) in above.iter().enumerate() {
            let sum: f64 = row[..j].iter().zip(other).map(|(a, b)| a * b).sum();
            row[j] = (row[j] - sum) / other[j];
        }
        let square = row[i] - row[..i].iter().map(|a| a * a).sum::<f64>();
        // A NaN is not above anything either.
        row[i] = Some(square.sqrt()).filter(|_| 1e-12 * row[i] < square)?;
    }
    Some(matrix)
}

/// The solution of a system, given the triangle of its matrix.
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
    fn triangles_solve_systems() {
        let matrix = vec![vec![4.0, 2.0, -2.0], vec![2.0, 10.0, 2.0], vec![-2.0, 2.0, 6.0]];
        let x = solve(&cholesky(matrix.clone()).unwrap(), &[1.0, 2.0, 3.0]);
        for (row, right) in matrix.iter().zip([1.0, 2.0, 3.0]) {
            let product: f64 = row.iter().zip(&x).map(|(a, x)| a * x).sum();
            assert!((product - right).abs() < 1e-12);
        }
        assert!(cholesky(vec![vec![1.0, 1.0], vec![1.0, 1.0]]).is_none());
    }

    /// At the maximum every player scored what was expected of it.
    #[test]
    fn expected_scores_are_the_scores() {
        let meeting = |a, b, won, lost| HeadToHead { players: [a, b], points: [won, lost] };
        let meetings = [
            meeting(0, 1, 990.0, 10.0),
            meeting(1, 2, 3.5, 1.5),
            meeting(0, 2, 4.0, 0.0),
            meeting(2, 3, 1.0, 99.0),
        ];
        let fit = fit(&meetings, &[Some(2.0), None, None, None]).unwrap();
        for player in 1..4 {
            let surplus: f64 = meetings
                .iter()
                .map(|meeting| {
                    let [a, b] = meeting.players;
                    let expected = meeting.games() / (1.0 + (fit.ratings[b] - fit.ratings[a]).exp());
                    let surplus = meeting.points[0] - expected;
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
