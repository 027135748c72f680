//! How much likelier results are under one hypothesis than under another.
//!
//! A hypothesis fixes one property of the distribution of pair scores (its mean, or its mean in standard deviations)
//! and leaves the rest open. Each is given its most likely distribution p, and the pairs then speak for the second
//! with Σ nᵢ·ln(p¹ᵢ/p⁰ᵢ): a generalised likelihood ratio.
//!
//! The mathematics is that of Michel Van den Bergh's notes for fishtest, *The Generalized Maximum Likelihood Ratio for
//! the Expectation Value of a Distribution* and *Comments on Normalized Elo*; it is told again where it is used.

use std::array::from_fn;
use std::iter::zip;

use crate::Pentanomial;
use crate::stats::SCORES;

/// Probabilities of the five pair scores.
type PairDistribution = [f64; 5];

/// An empty cell counts as this many pairs, so that no hypothesis becomes impossible.
const REGULARIZATION: f64 = 1e-3;

/// The log likelihood ratio of two means of the pair score.
pub(crate) fn llr_of_means(pairs: &Pentanomial, mean0: f64, mean1: f64) -> f64 {
    let (observed, count) = empirical(pairs);
    let with_mean = |mean: f64| mle_given_constraint(&observed, &SCORES.map(|score| score - mean));
    count * ratio(&observed, &with_mean(mean0), &with_mean(mean1))
}

/// The log likelihood ratio of two values of t, which is how many standard deviations the mean is above ½.
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

/// The most likely distribution with a given t.
///
/// At the maximum of Σ p̂ᵢ·ln pᵢ with Σ pᵢ = 1 and μ − ½ − tσ = 0, the gradients of the three are dependent, and as
/// ∂μ/∂pᵢ = aᵢ and ∂σ/∂pᵢ = (aᵢ² − 2μaᵢ)/2σ, that is pᵢ = p̂ᵢ/(1 + xφᵢ) with
///
/// φᵢ = aᵢ − ½ − tσ/2·(1 + ((aᵢ − μ)/σ)²).
///
/// (Σ pᵢφᵢ is μ − ½ − tσ, zero.) Were μ and σ known, this would be a linear constraint; they hardly change from one
/// solution to the next, so that solving it again with the new ones converges.
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

/// The most likely distribution with Σ pᵢφᵢ = 0.
///
/// It is pᵢ = p̂ᵢ/(1 + xφᵢ), by Lagrange's rule, with the x for which the constraint holds. Σ p̂ᵢφᵢ/(1 + xφᵢ) falls
/// from +∞ to −∞ between the two x nearest to 0 that make a probability infinite; Newton's method finds the zero, and
/// a bisection steps in where that would leave the interval known to hold it.
fn mle_given_constraint(observed: &PairDistribution, phi: &PairDistribution) -> PairDistribution {
    let of_cells = |fold: fn(f64, f64) -> f64| {
        zip(observed, phi).filter(|(p, _)| **p > 0.0).map(|(_, phi)| *phi).fold(f64::NAN, fold)
    };
    let (mut low, mut high) = (-1.0 / of_cells(f64::max), -1.0 / of_cells(f64::min));
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
        let next = if low < newton && newton < high { newton } else { low.midpoint(high) };
        if next == x {
            break;
        }
        x = next;
    }
    let mut cells: PairDistribution = from_fn(|i| observed[i] / (1.0 + x * phi[i]));
    // A rare cell that had to become common is divided by a number so small that rounding shows; as the others are
    // exact, the constraint tells this one.
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

    /// Pairs of all kinds: empty cells, single pairs, millions.
    fn any_pairs(random: &mut Pcg64Mcg) -> Pentanomial {
        Pentanomial(from_fn(|_| match random.random_range(0..5) {
            0 | 1 => 0,
            _ => 10_f64.powf(random.random_range(0.0..6.0)) as u64,
        }))
    }

    #[test]
    fn solutions_are_distributions_that_meet_their_constraint() {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        for _ in 0..20_000 {
            let pairs = any_pairs(&mut random);
            if pairs.count() == 0 {
                continue;
            }
            let (observed, _) = empirical(&pairs);
            let wanted = random.random_range(-0.82..0.82);
            let cells = mle_given_t(&observed, wanted);
            assert!((t(&cells) - wanted).abs() < 1e-10, "{pairs:?} {wanted}");
            assert!((cells.iter().sum::<f64>() - 1.0).abs() < 1e-11, "{pairs:?} {wanted}");
            assert!(cells.iter().all(|&p| p > 0.0), "{pairs:?} {wanted}");
            let wanted = random.random_range(0.02..0.98);
            let cells = mle_given_constraint(&observed, &SCORES.map(|a| a - wanted));
            assert!((mean(&cells) - wanted).abs() < 1e-11, "{pairs:?} {wanted}");
            assert!((cells.iter().sum::<f64>() - 1.0).abs() < 1e-11, "{pairs:?} {wanted}");
        }
    }

    /// Pairs that are all 0 or 2 points are tosses of a coin, and then there is nothing to choose.
    #[test]
    fn two_cells_are_wald_s_coin() {
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

    /// Another way to the maximum: three cells are searched step by step, the other two follow from them.
    fn climbed(
        observed: &PairDistribution,
        wanted: f64,
        property: fn(&PairDistribution) -> f64,
    ) -> PairDistribution {
        let complete = |middle: [f64; 3]| {
            let rest = 1.0 - middle.iter().sum::<f64>();
            let with_last = |last: f64| [rest - last, middle[0], middle[1], middle[2], last];
            let (mut low, mut high) = (0.0, rest);
            for _ in 0..60 {
                let last = f64::midpoint(low, high);
                *(if property(&with_last(last)) < wanted { &mut low } else { &mut high }) = last;
            }
            with_last(low)
        };
        let height = |middle: [f64; 3]| {
            let cells = complete(middle);
            if cells.iter().any(|&p| p <= 1e-12) || (property(&cells) - wanted).abs() > 1e-9 {
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
    fn climbing_finds_the_same_maxima() {
        for counts in [[12, 40, 90, 55, 20], [30, 5, 60, 4, 50], [2, 9, 3, 8, 1]] {
            let (observed, _) = empirical(&Pentanomial(counts));
            for wanted in [-0.1, 0.0, 0.08, 0.4] {
                let (solved, climbed) = (mle_given_t(&observed, wanted), climbed(&observed, wanted, t));
                assert!(ratio(&observed, &climbed, &solved).abs() < 1e-9, "{counts:?} {wanted}");
            }
            for wanted in [0.45, 0.5, 0.53, 0.65] {
                let solved = mle_given_constraint(&observed, &SCORES.map(|a| a - wanted));
                let climbed = climbed(&observed, wanted, mean);
                assert!(ratio(&observed, &climbed, &solved).abs() < 1e-9, "{counts:?} {wanted}");
            }
        }
    }
}
