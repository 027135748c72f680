//! Simulated sequential tests of players with known strength: error rates and length agree with theory. `SURUS_TEST_FULL`
//! runs ten times as many tests, with narrower bounds.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use surus_arena::{Pentanomial, Sprt, SprtModel, SprtState, score_to_elo};

/// Pair scores of equal players: independent games without draws; openings that often decide the game, so that more pairs
/// are even; and many draws.
const SHAPES: [(&str, [f64; 5]); 3] = [
    ("independent", [0.25, 0.0, 0.5, 0.0, 0.25]),
    ("openings matter", [0.12, 0.0, 0.76, 0.0, 0.12]),
    ("many draws", [0.08, 0.2, 0.44, 0.2, 0.08]),
];

fn moments(cells: &[f64; 5]) -> (f64, f64) {
    let score = |i: usize| i as f64 / 4.0;
    let mean: f64 = (0..5).map(|i| cells[i] * score(i)).sum();
    (mean, (0..5).map(|i| cells[i] * (score(i) - mean).powi(2)).sum())
}

fn strength(cells: &[f64; 5], model: SprtModel) -> f64 {
    let (mean, variance) = moments(cells);
    match model {
        SprtModel::Logistic => score_to_elo(mean),
        SprtModel::Normalized => 800.0 / std::f64::consts::LN_10 * (mean - 0.5) / (2.0 * variance).sqrt(),
    }
}

/// The shape, exponentially tilted to the strength `elo`. (Tilting keeps independent games independent.)
fn player(shape: &[f64; 5], elo: f64, model: SprtModel) -> [f64; 5] {
    let tilt = |by: f64| {
        let weights: [f64; 5] = std::array::from_fn(|i| shape[i] * (by * i as f64).exp());
        weights.map(|weight| weight / weights.iter().sum::<f64>())
    };
    let (mut low, mut high) = (-2.0, 2.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        *(if strength(&tilt(middle), model) < elo { &mut low } else { &mut high }) = middle;
    }
    tilt(low)
}

/// Simulates `tests` tests; returns the fraction that accepted H1 and the mean number of pairs.
fn play(sprt: &Sprt, cells: &[f64; 5], tests: u32, seed: u64) -> (f64, f64) {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let (mut passed, mut pairs_played) = (0_u32, 0);
    for _ in 0..tests {
        let mut pairs = Pentanomial::default();
        loop {
            let mut remaining: f64 = rng.random();
            let cell = cells.iter().position(|p| {
                remaining -= p;
                remaining < 0.0
            });
            pairs.0[cell.unwrap_or(4)] += 1;
            match sprt.state(&pairs) {
                SprtState::Continue => {}
                SprtState::AcceptH0 => break,
                SprtState::AcceptH1 => {
                    passed += 1;
                    break;
                }
            }
        }
        pairs_played += pairs.count();
    }
    (f64::from(passed) / f64::from(tests), pairs_played as f64 / f64::from(tests))
}

/// Runs tests at both bounds. `slack` is the tolerance for the mean length: Wald's formula assumes that a test ends exactly on
/// a bound, but the last pair overshoots it, the more the shorter the test.
fn check(sprt: &Sprt, shape: usize, tests: u32, slack: f64) {
    let (name, shape) = SHAPES[shape];
    let ((elo0, elo1), (alpha, beta), model) = (sprt.bounds(), sprt.rates(), sprt.model());
    let [at0, at1] = [elo0, elo1].map(|elo| player(&shape, elo, model));
    // Each pair contributes (difference of means)²/(2·variance) on average.
    let (mean0, variance) = moments(&at0);
    let per_pair = (moments(&at1).0 - mean0).powi(2) / (2.0 * variance);
    let (lower, upper) = (sprt.lower(), sprt.upper());
    for (cells, seed, rate, wrong, drift) in [
        (at0, 1, alpha, SprtState::AcceptH1, -((1.0 - alpha) * lower + alpha * upper)),
        (at1, 2, beta, SprtState::AcceptH0, beta * lower + (1.0 - beta) * upper),
    ] {
        let (passed, length) = play(sprt, &cells, tests, seed);
        let errors = if wrong == SprtState::AcceptH1 { passed } else { 1.0 - passed };
        let tolerance = 3.0 * (rate * (1.0 - rate) / f64::from(tests)).sqrt();
        let expected = drift / per_pair;
        let summary = format!(
            "[{elo0}, {elo1}] {model}, {name}: error rate {errors:.4} (expected {rate}), {length:.0} pairs (expected {expected:.0})"
        );
        println!("{summary}");
        assert!(errors >= rate / 2.0 - tolerance && errors <= rate + tolerance, "{summary}");
        assert!(length >= 0.95 * expected && length <= (1.0 + slack) * expected, "{summary}");
    }
}

fn full() -> bool {
    std::env::var_os("SURUS_TEST_FULL").is_some()
}

#[test]
fn tests_of_large_differences_keep_their_error_rates() {
    let tests = if full() { 10_000 } else { 1_000 };
    let normalized = Sprt::new(0.0, 60.0, 0.05, 0.1, SprtModel::Normalized).unwrap();
    let logistic = Sprt::new(-30.0, 30.0, 0.05, 0.1, SprtModel::Logistic).unwrap();
    for shape in 0..SHAPES.len() {
        check(&normalized, shape, tests, 0.25);
        check(&logistic, shape, tests, 0.25);
    }
}

/// By Wald's formula, independent games at either bound of a 20 Elo test take about 800 pairs.
#[test]
fn tests_of_twenty_elo_keep_their_error_rates() {
    let sprt = Sprt::new(0.0, 20.0, 0.05, 0.05, SprtModel::Normalized).unwrap();
    check(&sprt, 0, if full() { 10_000 } else { 1_000 }, 0.1);
    if full() {
        check(&sprt, 1, 10_000, 0.1);
        check(&sprt, 2, 10_000, 0.1);
        check(&Sprt::new(0.0, 20.0, 0.05, 0.05, SprtModel::Logistic).unwrap(), 1, 10_000, 0.1);
        check(&Sprt::new(0.0, 10.0, 0.05, 0.05, SprtModel::Normalized).unwrap(), 0, 2_000, 0.1);
    }
}

/// A player halfway between the bounds takes longest: for 20 Elo about 1,300 pairs (2,600 games).
#[test]
fn tests_take_longest_between_the_bounds() {
    let sprt = Sprt::new(0.0, 40.0, 0.05, 0.05, SprtModel::Normalized).unwrap();
    let (passed, length) = play(&sprt, &player(&SHAPES[0].1, 20.0, SprtModel::Normalized), 1_000, 3);
    // Without drift, a random walk of variance v per pair leaves ±ln 19 after (ln 19)²/v pairs.
    let expected = 19_f64.ln().powi(2) / (40.0 * std::f64::consts::LN_10 / 800.0).powi(2) / 2.0;
    assert!((expected - 327.0).abs() < 1.0, "{expected}");
    assert!((passed - 0.5).abs() < 0.05, "{passed}");
    assert!(length >= 0.95 * expected && length <= 1.2 * expected, "{length} of {expected}");
}
