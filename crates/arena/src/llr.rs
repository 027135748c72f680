//! Generalised log likelihood ratio of two hypotheses.
//!
//! A hypothesis fixes one property of the distribution of pair scores (its mean, or its mean in standard deviations).
//! With the maximum-likelihood distributions p⁰ and p¹ under both hypotheses, the ratio is Σ nᵢ·ln(p¹ᵢ/p⁰ᵢ).
//!
//! The mathematics is that of Michel Van den Bergh's notes for fishtest, *The Generalized Maximum Likelihood Ratio for
//! the Expectation Value of a Distribution* and *Comments on Normalized Elo*; the functions below derive what they use.

use std::array::from_fn;
use std::iter::zip;

use crate::Pentanomial;
use crate::stats::SCORES;

/// Probabilities of the five pair scores.
type PairDistribution = [f64; 5];

/// Number of pairs that an empty cell counts as, so that no hypothesis has probability zero.
const REGULARIZATION: f64 = 1e-3;

/// The log likelihood ratio of two means of the pair score.
pub(crate) fn llr_of_means(pairs: &Pentanomial, mean0: f64, mean1: f64) -> f64 {
    let (observed, count) = empirical(pairs);
    let with_mean = |mean: f64| mle_given_constraint(&observed, &SCORES.map(|score| score - mean));
    count * ratio(&observed, &with_mean(mean0), &with_mean(mean1))
}

/// The log likelihood ratio of two values of t, the distance of the mean from ½ in standard deviations.
pub(crate) fn llr_of_t(pairs: &Pentanomial, t0: f64, t1: f64) -> f64 {
    let (observed, count) = empirical(pairs);
    count * ratio(&observed, &mle_given_t(&observed, t0), &mle_given_t(&observed, t1))
}

fn empirical(pairs: &Pentanomial) -> (PairDistribution, f64) {
    let counts = pairs.0.map(|n| if n == 0 { REGULARIZATION } else { n as f64 });
    let count: f64 = counts.iter().sum();
    (counts.map(|n| n / count), count)
}

fn ratio(observed: &PairDistribution, under0: &PairDistribution, under1: &PairDistribution) -> f64 {
    (0..5).filter(|&i| observed[i] > 0.0).map(|i| observed[i] * (under1[i] / under0[i]).ln()).sum()
}

/// The maximum-likelihood distribution with a given t.
///
/// At the maximum of Σ p̂ᵢ·ln pᵢ with Σ pᵢ = 1 and μ − ½ − tσ = 0, the gradients of the three are dependent, and as
/// ∂μ/∂pᵢ = aᵢ and ∂σ/∂pᵢ = (aᵢ² − 2μaᵢ)/2σ, that is pᵢ = p̂ᵢ/(1 + xφᵢ) with
///
/// φᵢ = aᵢ − ½ − tσ/2·(1 + ((aᵢ − μ)/σ)²).
///
/// (Σ pᵢφᵢ is μ − ½ − tσ, zero.) For fixed μ and σ this is a linear constraint; they hardly change from one solution to
/// the next, so iterating with the new values converges.
fn mle_given_t(observed: &PairDistribution, t: f64) -> PairDistribution {
    let mut cells = [0.2; 5];
    for _ in 0..200 {
        let mean: f64 = zip(cells, SCORES).map(|(p, a)| p * a).sum();
        let variance: f64 = zip(cells, SCORES).map(|(p, a)| p * (a - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let phi = SCORES.map(|a| a - 0.5 - t * deviation / 2.0 * (1.0 + (a - mean).powi(2) / variance));
        let next = mle_given_constraint(observed, &phi);
        let change = zip(cells, next).map(|(old, new)| (old - new).abs()).fold(0.0, f64::max);
        cells = next;
        if change < 1e-11 {
            break;
        }
    }
    cells
}

/// The maximum-likelihood distribution with Σ pᵢφᵢ = 0.
///
/// By Lagrange multipliers it is pᵢ = p̂ᵢ/(1 + xφᵢ), with the x for which the constraint holds. Σ p̂ᵢφᵢ/(1 + xφᵢ) falls
/// from +∞ to −∞ between the two x nearest to 0 that make a probability infinite. Newton's method finds the zero, with
/// bisection as a fallback where a step would leave the interval.
fn mle_given_constraint(observed: &PairDistribution, phi: &PairDistribution) -> PairDistribution {
    let extreme = |fold: fn(f64, f64) -> f64| {
        zip(observed, phi).filter(|(p, _)| **p > 0.0).map(|(_, phi)| *phi).fold(f64::NAN, fold)
    };
    let (mut low, mut high) = (-1.0 / extreme(f64::max), -1.0 / extreme(f64::min));
    let mut x = 0.0;
    for _ in 0..200 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (p, phi) in zip(observed, phi) {
            let part = phi / (1.0 + x * phi);
            value += p * part;
            slope -= p * part * part;
        }
        if value.abs() < 1e-14 {
            break;
        }
        *(if value > 0.0 { &mut low } else { &mut high }) = x;
        let newton = x - value / slope;
        let next = if newton > low && newton < high { newton } else { low.midpoint(high) };
        if next == x {
            break;
        }
        x = next;
    }
    let mut cells: PairDistribution = from_fn(|i| observed[i] / (1.0 + x * phi[i]));
    // A rare cell that becomes common is divided by a tiny number and loses precision; the other cells are exact, so
    // the constraint determines it.
    if let Some(rare) =
        (0..5).filter(|&i| observed[i] > 0.0).min_by(|&i, &j| (x * phi[i]).total_cmp(&(x * phi[j])))
        && x != 0.0
    {
        let others: f64 = (0..5).filter(|&i| i != rare).map(|i| cells[i] * phi[i]).sum();
        cells[rare] = -others / phi[rare];
    }
    cells
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::*;

    fn mean(cells: &PairDistribution) -> f64 {
        zip(cells, SCORES).map(|(p, a)| p * a).sum()
    }

    fn t(cells: &PairDistribution) -> f64 {
        let mean = mean(cells);
        (mean - 0.5) / zip(cells, SCORES).map(|(p, a)| p * (a - mean).powi(2)).sum::<f64>().sqrt()
    }

    /// Random pairs, with empty cells, single pairs and millions.
    fn random_pairs(rng: &mut Pcg64Mcg) -> Pentanomial {
        Pentanomial(from_fn(|_| match rng.random_range(0..5) {
            0 | 1 => 0,
            _ => 10_f64.powf(rng.random_range(0.0..6.0)) as u64,
        }))
    }

    #[test]
    fn solutions_are_distributions_that_satisfy_the_constraint() {
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        for _ in 0..20_000 {
            let pairs = random_pairs(&mut rng);
            if pairs.count() == 0 {
                continue;
            }
            let (observed, _) = empirical(&pairs);
            let target = rng.random_range(-0.82..0.82);
            let cells = mle_given_t(&observed, target);
            assert!((t(&cells) - target).abs() < 1e-10, "{pairs:?} {target}");
            assert!((cells.iter().sum::<f64>() - 1.0).abs() < 1e-11, "{pairs:?} {target}");
            assert!(cells.iter().all(|&p| p > 0.0), "{pairs:?} {target}");
            let target = rng.random_range(0.02..0.98);
            let cells = mle_given_constraint(&observed, &SCORES.map(|a| a - target));
            assert!((mean(&cells) - target).abs() < 1e-11, "{pairs:?} {target}");
            assert!((cells.iter().sum::<f64>() - 1.0).abs() < 1e-11, "{pairs:?} {target}");
        }
    }

    /// Pairs of 0 or 2 points are coin tosses, for which the distribution is determined.
    #[test]
    fn two_cells_match_the_ratio_of_a_coin() {
        let observed = [0.45, 0.0, 0.0, 0.0, 0.55];
        let coin = |q0: f64, q1: f64| 0.55 * (q1 / q0).ln() + 0.45 * ((1.0 - q1) / (1.0 - q0)).ln();
        let with_mean = |mean: f64| mle_given_constraint(&observed, &SCORES.map(|a| a - mean));
        assert!((ratio(&observed, &with_mean(0.5), &with_mean(0.6)) - coin(0.5, 0.6)).abs() < 1e-12);
        // t = (q − ½)/√(q(1 − q)) is solved by q = ½ + t/(2√(1 + t²)).
        let q = |t: f64| 0.5 + t / (2.0 * (1.0 + t * t).sqrt());
        let llr = ratio(&observed, &mle_given_t(&observed, -0.1), &mle_given_t(&observed, 0.3));
        assert!((llr - coin(q(-0.1), q(0.3))).abs() < 1e-12);
    }

    /// With one point as a third cell, Σ p̂ᵢφᵢ/(1 + xφᵢ) = 0 is a quadratic equation.
    #[test]
    fn three_cells_solve_a_quadratic_equation() {
        let (observed, mean): (PairDistribution, f64) = ([0.2, 0.0, 0.5, 0.0, 0.3], 0.53);
        let [(p, a), (q, b), (r, c)] = [(0.2, -mean), (0.5, 0.5 - mean), (0.3, 1.0 - mean)];
        let square = a * b * c;
        let linear = p * a * (b + c) + q * b * (a + c) + r * c * (a + b);
        let root = (linear * linear - 4.0 * square * (p * a + q * b + r * c)).sqrt();
        let within = |x: &f64| -1.0 / c < *x && *x < -1.0 / a;
        let x = [root, -root].map(|root| (root - linear) / (2.0 * square)).into_iter().find(within).unwrap();
        let cells = mle_given_constraint(&observed, &SCORES.map(|score| score - mean));
        for (i, phi) in [(0, a), (2, b), (4, c)] {
            assert!((cells[i] - observed[i] / (1.0 + x * phi)).abs() < 1e-13);
        }
    }

    /// Finds the maximum by hill climbing over three cells; the other two follow from the constraints.
    fn hill_climb(
        observed: &PairDistribution,
        target: f64,
        property: fn(&PairDistribution) -> f64,
    ) -> PairDistribution {
        let complete = |middle: [f64; 3]| {
            let rest = 1.0 - middle.iter().sum::<f64>();
            let with_last = |last: f64| [rest - last, middle[0], middle[1], middle[2], last];
            let (mut low, mut high) = (0.0, rest);
            for _ in 0..60 {
                let last = f64::midpoint(low, high);
                *(if property(&with_last(last)) < target { &mut low } else { &mut high }) = last;
            }
            with_last(low)
        };
        let height = |middle: [f64; 3]| {
            let cells = complete(middle);
            if cells.iter().any(|&p| p <= 1e-12) || (property(&cells) - target).abs() > 1e-9 {
                return f64::NEG_INFINITY;
            }
            zip(observed, cells).map(|(observed, p)| observed * p.ln()).sum()
        };
        let (mut at, mut step) = ([0.2; 3], 0.05);
        while step > 1e-8 {
            let steps = (0..6).map(|i| {
                let mut next = at;
                next[i / 2] += if i % 2 == 0 { step } else { -step };
                next
            });
            match steps.max_by(|&a, &b| height(a).total_cmp(&height(b))) {
                Some(next) if height(next) > height(at) => at = next,
                _ => step /= 2.0,
            }
        }
        complete(at)
    }

    #[test]
    fn hill_climbing_finds_the_same_maxima() {
        for counts in [[12, 40, 90, 55, 20], [30, 5, 60, 4, 50], [2, 9, 3, 8, 1]] {
            let (observed, _) = empirical(&Pentanomial(counts));
            for target in [-0.1, 0.0, 0.08, 0.4] {
                let (solved, climbed) = (mle_given_t(&observed, target), hill_climb(&observed, target, t));
                assert!(ratio(&observed, &climbed, &solved).abs() < 1e-9, "{counts:?} {target}");
            }
            for target in [0.45, 0.5, 0.53, 0.65] {
                let solved = mle_given_constraint(&observed, &SCORES.map(|a| a - target));
                let climbed = hill_climb(&observed, target, mean);
                assert!(ratio(&observed, &climbed, &solved).abs() < 1e-9, "{counts:?} {target}");
            }
        }
    }
}
