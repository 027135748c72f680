//! The sequential probability ratio test: play until one of two hypotheses is rejected.
//!
//! After each pair of games the log likelihood ratio (LLR) of the hypotheses "the difference is elo1" and "it is
//! elo0" is compared with two bounds, ln(β/(1 − α)) and ln((1 − β)/α). Below the first H0 is accepted, above the
//! second H1. By Wald's theorem, a true difference of elo0 passes with probability at most α and one of elo1 fails with
//! probability at most β (except for the small overshoot of the last pair), in about half the games of a match of fixed
//! length with the same error rates.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::Pentanomial;
use crate::llr::{llr_of_means, llr_of_t};
use crate::stats::{NELO_UNIT, elo_to_score};

/// A test of two hypotheses with given error rates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: SprtModel,
}

/// The unit of the bounds `elo0` and `elo1`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtModel {
    /// Normalised Elo: the number of games needed does not depend on openings and draws.
    #[default]
    Normalized,
    /// Elo.
    Logistic,
}

/// The state of a test.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtState {
    /// No decision yet.
    Continue,
    /// The difference is elo0 rather than elo1.
    AcceptH0,
    /// The difference is elo1 rather than elo0.
    AcceptH1,
}

/// Invalid parameters of a test.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SprtError {
    /// Bounds out of range, or in the wrong order.
    #[error("invalid bounds [{elo0}, {elo1}]: expected elo0 below elo1, both from -{MAX_ELO} to {MAX_ELO}")]
    Bounds {
        /// The lower bound.
        elo0: f64,
        /// The upper bound.
        elo1: f64,
    },
    /// Error rates out of range.
    #[error("invalid error rates alpha {alpha} and beta {beta}: expected each above 0 and below 0.5")]
    ErrorRates {
        /// Probability of accepting H1 at a difference of `elo0`.
        alpha: f64,
        /// Probability of accepting H0 at a difference of `elo1`.
        beta: f64,
    },
    /// Unknown model.
    #[error("unknown model '{0}': expected normalized or logistic")]
    Model(String),
}

/// Larger differences are obvious after a dozen games; the iteration for t is tested up to this value.
const MAX_ELO: f64 = 200.0;

impl Sprt {
    /// A test of elo0 against elo1.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: SprtModel) -> Result<Self, SprtError> {
        // The negated form rejects NaN.
        if !(elo0 >= -MAX_ELO && elo0 < elo1 && elo1 <= MAX_ELO) {
            return Err(SprtError::Bounds { elo0, elo1 });
        }
        if ![alpha, beta].into_iter().all(|rate| rate > 0.0 && rate < 0.5) {
            return Err(SprtError::ErrorRates { alpha, beta });
        }
        Ok(Self { elo0, elo1, alpha, beta, model })
    }

    /// The differences under H0 and H1.
    #[must_use]
    pub const fn bounds(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// The error rates alpha and beta.
    #[must_use]
    pub const fn rates(&self) -> (f64, f64) {
        (self.alpha, self.beta)
    }

    /// The unit of the bounds.
    #[must_use]
    pub const fn model(&self) -> SprtModel {
        self.model
    }

    /// The LLR at which H0 is accepted.
    #[must_use]
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// The LLR at which H1 is accepted.
    #[must_use]
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The log likelihood ratio of H1 and H0.
    #[must_use]
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.count() == 0 {
            return 0.0;
        }
        match self.model {
            SprtModel::Logistic => llr_of_means(pairs, elo_to_score(self.elo0), elo_to_score(self.elo1)),
            SprtModel::Normalized => {
                // Convert standard deviations of a game to those of a pair's score, which are smaller by √2.
                let t = |elo: f64| elo / NELO_UNIT * std::f64::consts::SQRT_2;
                llr_of_t(pairs, t(self.elo0), t(self.elo1))
            }
        }
    }

    /// The decision after these pairs.
    #[must_use]
    pub fn state(&self, pairs: &Pentanomial) -> SprtState {
        let llr = self.llr(pairs);
        if llr <= self.lower() {
            SprtState::AcceptH0
        } else if llr >= self.upper() {
            SprtState::AcceptH1
        } else {
            SprtState::Continue
        }
    }
}

impl FromStr for SprtModel {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        match text {
            "normalized" => Ok(Self::Normalized),
            "logistic" => Ok(Self::Logistic),
            _ => Err(SprtError::Model(text.into())),
        }
    }
}

impl fmt::Display for SprtModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Normalized => "normalized",
            Self::Logistic => "logistic",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(elo0: f64, elo1: f64, model: SprtModel) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
    }

    /// Reference values computed from the definition with 40 digits (Newton's method on all Lagrange equations).
    #[test]
    fn the_llr_matches_reference_values() {
        use SprtModel::{Logistic, Normalized};
        for (pairs, elo0, elo1, model, expected) in [
            ([180, 0, 420, 0, 200], 0.0, 20.0, Logistic, -0.364_963_037_262_921),
            ([180, 0, 420, 0, 200], 0.0, 20.0, Normalized, -0.284_840_260_936_811),
            ([180, 0, 420, 0, 200], 0.0, 100.0, Normalized, -52.247_320_039_634_1),
            ([12, 40, 90, 55, 20], 0.0, 20.0, Logistic, 2.085_598_446_579_07),
            ([12, 40, 90, 55, 20], 0.0, 20.0, Normalized, 1.772_514_467_248_38),
            ([12, 40, 90, 55, 20], -10.0, 30.0, Normalized, 3.546_229_642_889_78),
            ([20, 0, 50, 0, 30], -10.0, 30.0, Logistic, 1.643_531_867_445_4),
            ([20, 0, 50, 0, 30], 0.0, 100.0, Normalized, -2.249_584_900_240_46),
            ([3, 1, 40, 2, 9], 0.0, 100.0, Logistic, -1.210_634_001_323_03),
            ([3, 1, 40, 2, 9], 0.0, 100.0, Normalized, 1.019_562_717_170_17),
        ] {
            let llr = sprt(elo0, elo1, model).llr(&Pentanomial(pairs));
            assert!(
                (llr - expected).abs() < 1e-9,
                "{pairs:?} [{elo0}, {elo1}] {model}: {llr}, not {expected}"
            );
        }
    }

    /// For many pairs and small differences, LLR ≈ n(s1 − s0)(2x − s0 − s1)/2s² for means, and
    /// n/2·ln((1 + (t − t0)²)/(1 + (t − t1)²)) for t.
    #[test]
    fn the_llr_is_close_to_its_approximations() {
        let pairs = Pentanomial([2_000, 1_000, 5_000, 1_100, 2_100]);
        let (n, mean, variance) = (pairs.count() as f64, pairs.mean().unwrap(), pairs.variance().unwrap());
        let [s0, s1] = [0.0, 5.0].map(elo_to_score);
        let approximation = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let llr = sprt(0.0, 5.0, SprtModel::Logistic).llr(&pairs);
        assert!((llr - approximation).abs() < 0.003 * llr.abs(), "{llr} {approximation}");
        let t = (mean - 0.5) / variance.sqrt();
        let t1 = 5.0 / NELO_UNIT * std::f64::consts::SQRT_2;
        let approximation = n / 2.0 * ((1.0 + t * t) / (1.0 + (t - t1).powi(2))).ln();
        let llr = sprt(0.0, 5.0, SprtModel::Normalized).llr(&pairs);
        assert!((llr - approximation).abs() < 0.003 * llr.abs(), "{llr} {approximation}");
    }

    #[test]
    fn swapping_the_players_negates_the_llr() {
        for model in [SprtModel::Normalized, SprtModel::Logistic] {
            let (mut pairs, test, swapped) =
                ([7, 3, 30, 5, 16], sprt(-5.0, 20.0, model), sprt(-20.0, 5.0, model));
            let llr = test.llr(&Pentanomial(pairs));
            pairs.reverse();
            assert!((llr + swapped.llr(&Pentanomial(pairs))).abs() < 1e-10);
            assert!(sprt(-20.0, 20.0, model).llr(&Pentanomial([7, 2, 30, 2, 7])).abs() < 1e-10);
        }
    }

    #[test]
    fn the_bounds_are_those_of_wald() {
        let test = Sprt::new(0.0, 20.0, 0.05, 0.1, SprtModel::default()).unwrap();
        assert!((test.lower() - (0.1_f64 / 0.95).ln()).abs() < 1e-15);
        assert!((test.upper() - 18_f64.ln()).abs() < 1e-14);
        let test = sprt(0.0, 20.0, SprtModel::default());
        assert_eq!(format!("{:.4} {:.4}", test.lower(), test.upper()), "-2.9444 2.9444");
    }

    #[test]
    fn tests_end_when_a_bound_is_reached() {
        for model in [SprtModel::Normalized, SprtModel::Logistic] {
            let test = sprt(0.0, 50.0, model);
            assert_eq!(test.state(&Pentanomial::default()), SprtState::Continue);
            for (pairs, state) in [
                ([0, 0, 0, 0, 5], SprtState::Continue),
                ([0, 0, 0, 0, 40], SprtState::AcceptH1),
                ([40, 0, 0, 0, 0], SprtState::AcceptH0),
                ([50, 0, 300, 0, 50], SprtState::AcceptH0),
            ] {
                assert_eq!(
                    test.state(&Pentanomial(pairs)),
                    state,
                    "{pairs:?} {model}: {}",
                    test.llr(&Pentanomial(pairs))
                );
            }
        }
    }

    #[test]
    fn invalid_parameters_are_rejected() {
        let message = |elo0, elo1, alpha| {
            Sprt::new(elo0, elo1, alpha, 0.05, SprtModel::Normalized).unwrap_err().to_string()
        };
        assert_eq!(
            message(5.0, 0.0, 0.05),
            "invalid bounds [5, 0]: expected elo0 below elo1, both from -200 to 200"
        );
        assert!(message(f64::NAN, 0.0, 0.05).starts_with("invalid bounds"));
        assert_eq!(
            message(0.0, 5.0, 0.5),
            "invalid error rates alpha 0.5 and beta 0.05: expected each above 0 and below 0.5"
        );
        assert!(message(0.0, 5.0, f64::NAN).starts_with("invalid error rates"));
        let unknown = "pentanomial".parse::<SprtModel>().unwrap_err();
        assert_eq!(unknown.to_string(), "unknown model 'pentanomial': expected normalized or logistic");
        assert_eq!("logistic".parse::<SprtModel>().unwrap().to_string(), "logistic");
    }
}
