//! Tuning by games alone: simultaneous perturbation stochastic approximation.
//!
//! In every round each number is moved a little up or down by a coin, all at once; the engine with these numbers plays
//! one with the opposite, and all numbers move towards the winner. The steps become smaller as it goes on.

use serde::{Deserialize, Serialize};

/// One number that is tuned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Parameter {
    /// Its key.
    pub name: String,
    /// Where it stands.
    pub value: f64,
    /// The least and the highest that it may be.
    pub range: (f64, f64),
    /// How far it is moved to and fro in the last round.
    pub step: f64,
    /// Whether only whole numbers mean something.
    pub whole: bool,
}

impl Parameter {
    /// The value as an engine is told it.
    #[must_use]
    pub fn quantize(&self, value: f64) -> f64 {
        let value = value.clamp(self.range.0, self.range.1);
        if self.whole {
            return value.round();
        }
        // To a hundredth of the step at least, however small that is.
        let places = (2.0 - self.step.log10().floor()).clamp(0.0, 15.0) as usize;
        format!("{value:.places$}").parse().unwrap_or(value)
    }
}

/// How a tuning goes on, and how far it has come.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Spsa {
    /// The numbers.
    pub parameters: Vec<Parameter>,
    /// Rounds that are finished.
    pub done: u64,
    /// All rounds.
    pub rounds: u64,
    /// Where chance begins.
    pub seed: u64,
    /// How far a number goes for a whole win in the last round, in its steps.
    pub rate: f64,
}

/// The usual exponents.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;

impl Spsa {
    /// The numbers of both engines of the next round.
    #[must_use]
    pub fn pair(&self) -> [Vec<f64>; 2] {
        let moves = self.moves();
        [1.0, -1.0].map(|sign| {
            let all = self.parameters.iter().zip(&moves);
            all.map(|(parameter, by)| parameter.quantize(parameter.value + sign * by)).collect()
        })
    }

    /// The round is played: the share of the points that the first engine won less that of the second.
    pub fn update(&mut self, result: f64) {
        let moves = self.moves();
        let (last, now) = (self.rounds.max(1) as f64, self.done as f64 + 1.0);
        let early = last / 10.0;
        let slower = ((early + last) / (early + now)).powf(ALPHA);
        for (parameter, by) in self.parameters.iter_mut().zip(moves) {
            let towards = self.rate * parameter.step * parameter.step * slower * result / by;
            parameter.value = (parameter.value + towards).clamp(parameter.range.0, parameter.range.1);
        }
        self.done += 1;
    }

    /// How far each number is moved in the next round.
    fn moves(&self) -> Vec<f64> {
        let (last, now) = (self.rounds.max(1) as f64, self.done as f64 + 1.0);
        let wider = (last / now).max(1.0).powf(GAMMA);
        let coin = |index: usize| {
            let mut z = self.seed ^ self.done.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (index as u64) << 32;
            z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            if (z ^ z >> 31) & 1 == 0 { 1.0 } else { -1.0 }
        };
        let all = self.parameters.iter().enumerate();
        all.map(|(index, parameter)| coin(index) * parameter.step * wider).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(name: &str, value: f64, whole: bool) -> Parameter {
        Parameter { name: name.into(), value, range: (0.0, 10.0), step: 0.5, whole }
    }

    #[test]
    fn numbers_go_to_where_games_are_won() {
        let parameters = vec![parameter("a", 1.0, false), parameter("b", 9.0, false)];
        let mut spsa = Spsa { parameters, done: 0, rounds: 2000, seed: 3, rate: 0.05 };
        // The engine nearer to 6 and 3 wins more, with some luck.
        let strength = |values: &[f64]| -(values[0] - 6.0).powi(2) - (values[1] - 3.0).powi(2);
        for round in 0..2000 {
            let [one, other] = spsa.pair();
            let luck = if round % 3 == 0 { 0.5 } else { -0.25 };
            spsa.update((strength(&one) - strength(&other)).clamp(-1.0, 1.0) + luck);
        }
        let [a, b] = [&spsa.parameters[0], &spsa.parameters[1]].map(|parameter| parameter.value);
        assert!((a - 6.0).abs() < 0.5 && (b - 3.0).abs() < 0.5, "{a} {b}");
    }

    #[test]
    fn values_stay_in_their_range_and_whole_ones_whole() {
        let parameters = vec![parameter("a", 9.9, true)];
        let mut spsa = Spsa { parameters, done: 0, rounds: 10, seed: 1, rate: 100.0 };
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
    fn small_numbers_are_moved_as_finely_as_great_ones() {
        let lambda = Parameter { step: 0.0004, ..parameter("lambda", 0.002, false) };
        assert_eq!(lambda.quantize(0.001_987_84), 0.001_988);
        let spsa = Spsa { parameters: vec![lambda], done: 9, rounds: 10, seed: 1, rate: 1.0 };
        let [one, other] = spsa.pair().map(|values| values[0]);
        assert!((one - other).abs() < 0.0009 && 0.001 < one.min(other), "{one} {other}");
    }

    #[test]
    fn the_same_seed_moves_the_same_numbers() {
        let make = |seed| Spsa {
            parameters: vec![parameter("a", 5.0, false); 40],
            done: 3,
            rounds: 9,
            seed,
            rate: 1.0,
        };
        assert_eq!(make(1).pair(), make(1).pair());
        assert_ne!(make(1).pair(), make(2).pair());
    }
}
