//! SPSA (simultaneous perturbation stochastic approximation): tuning by games alone.
//!
//! Each iteration perturbs all parameters up or down at random; the engine with these values plays the engine with the
//! opposite ones, and all parameters move towards the winner. Perturbations and gains decrease over the iterations.

use serde::{Deserialize, Serialize};

/// A parameter to be tuned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Parameter {
    /// The name of the engine option.
    pub name: String,
    /// The current value.
    pub value: f64,
    /// The minimum and maximum.
    pub range: (f64, f64),
    /// The perturbation in the last iteration.
    pub step: f64,
    /// Whether the option takes integers only.
    #[serde(alias = "whole")]
    pub integer: bool,
}

impl Parameter {
    /// Rounds a value to one that the option accepts.
    #[must_use]
    pub fn quantize(&self, value: f64) -> f64 {
        let value = value.clamp(self.range.0, self.range.1);
        if self.integer {
            return value.round();
        }
        // Precise to a hundredth of the step, however small that is.
        let places = (2.0 - self.step.log10().floor()).clamp(0.0, 15.0) as usize;
        format!("{value:.places$}").parse().unwrap_or(value)
    }
}

/// The state of a tuning run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Spsa {
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// Number of finished iterations.
    pub done: u64,
    /// Number of iterations of the run.
    #[serde(alias = "rounds")]
    pub iterations: u64,
    /// Random seed.
    pub seed: u64,
    /// The change of a parameter for a won pair in the last iteration, in units of its step.
    pub rate: f64,
}

/// The exponents recommended by Spall (1998).
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;

impl Spsa {
    /// The parameter values of both engines in the next iteration.
    #[must_use]
    pub fn pair(&self) -> [Vec<f64>; 2] {
        let perturbations = self.perturbations();
        [1.0, -1.0].map(|sign| {
            let all = self.parameters.iter().zip(&perturbations);
            all.map(|(parameter, delta)| parameter.quantize(parameter.value + sign * delta)).collect()
        })
    }

    /// Finishes an iteration. `result` is the score of the first engine minus that of the second, from -1 to 1.
    pub fn update(&mut self, result: f64) {
        let perturbations = self.perturbations();
        let (last, current) = (self.iterations.max(1) as f64, self.done as f64 + 1.0);
        let stability = last / 10.0;
        let gain = ((stability + last) / (stability + current)).powf(ALPHA);
        for (parameter, delta) in self.parameters.iter_mut().zip(perturbations) {
            let change = self.rate * parameter.step * parameter.step * gain * result / delta;
            parameter.value = (parameter.value + change).clamp(parameter.range.0, parameter.range.1);
        }
        self.done += 1;
    }

    /// The perturbation of each parameter in the next iteration.
    fn perturbations(&self) -> Vec<f64> {
        let (last, current) = (self.iterations.max(1) as f64, self.done as f64 + 1.0);
        let scale = (last / current).max(1.0).powf(GAMMA);
        let sign = |index: usize| {
            let mut z = self.seed ^ self.done.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (index as u64) << 32;
            z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            if (z ^ z >> 31) & 1 == 0 { 1.0 } else { -1.0 }
        };
        let all = self.parameters.iter().enumerate();
        all.map(|(index, parameter)| sign(index) * parameter.step * scale).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(name: &str, value: f64, integer: bool) -> Parameter {
        Parameter { name: name.into(), value, range: (0.0, 10.0), step: 0.5, integer }
    }

    #[test]
    fn parameters_converge_to_the_optimum() {
        let parameters = vec![parameter("a", 1.0, false), parameter("b", 9.0, false)];
        let mut spsa = Spsa { parameters, done: 0, iterations: 2000, seed: 3, rate: 0.05 };
        // The engine nearer to 6 and 3 wins more, with some noise.
        let strength = |values: &[f64]| -(values[0] - 6.0).powi(2) - (values[1] - 3.0).powi(2);
        for iteration in 0..2000 {
            let [one, other] = spsa.pair();
            let noise = if iteration % 3 == 0 { 0.5 } else { -0.25 };
            spsa.update((strength(&one) - strength(&other)).clamp(-1.0, 1.0) + noise);
        }
        let [a, b] = [&spsa.parameters[0], &spsa.parameters[1]].map(|parameter| parameter.value);
        assert!((a - 6.0).abs() < 0.5 && (b - 3.0).abs() < 0.5, "{a} {b}");
    }

    #[test]
    fn values_stay_in_range_and_integers_integral() {
        let parameters = vec![parameter("a", 9.9, true)];
        let mut spsa = Spsa { parameters, done: 0, iterations: 10, seed: 1, rate: 100.0 };
        for _ in 0..10 {
            for values in spsa.pair() {
                assert!(values[0] == values[0].round() && (0.0..=10.0).contains(&values[0]));
            }
            spsa.update(1.0);
        }
        assert_eq!(spsa.done, 10);
        assert!((0.0..=10.0).contains(&spsa.parameters[0].value));
    }

    #[test]
    fn quantization_keeps_small_steps() {
        let lambda = Parameter { step: 0.0004, ..parameter("lambda", 0.002, false) };
        assert_eq!(lambda.quantize(0.001_987_84), 0.001_988);
        let spsa = Spsa { parameters: vec![lambda], done: 9, iterations: 10, seed: 1, rate: 1.0 };
        let [one, other] = spsa.pair().map(|values| values[0]);
        assert!((one - other).abs() < 0.0009 && one.min(other) > 0.001, "{one} {other}");
    }

    #[test]
    fn perturbations_depend_on_the_seed() {
        let spsa = |seed| Spsa {
            parameters: vec![parameter("a", 5.0, false); 40],
            done: 3,
            iterations: 9,
            seed,
            rate: 1.0,
        };
        assert_eq!(spsa(1).pair(), spsa(1).pair());
        assert_ne!(spsa(1).pair(), spsa(2).pair());
    }
}
