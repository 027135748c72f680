//! Simulated tournaments of players with known strength: ratings are unbiased and their errors correct.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use surus_arena::{Crosstable, GameResult, RatingOptions, Ratings, elo_to_score, rate};

const STRENGTHS: [(&str, f64); 7] =
    [("a", 180.0), ("b", 120.0), ("c", 70.0), ("d", -20.0), ("e", -30.0), ("f", -120.0), ("g", -200.0)];

/// A simulated round robin.
fn round_robin(games: u32, rng: &mut Pcg64Mcg) -> Crosstable {
    let mut table = Crosstable::default();
    for (i, (first, strength)) in STRENGTHS.into_iter().enumerate() {
        for (second, other) in STRENGTHS.into_iter().skip(i + 1) {
            for _ in 0..games {
                let won = rng.random_bool(elo_to_score(strength - other));
                table.add(first, second, if won { GameResult::Win } else { GameResult::Loss });
            }
        }
    }
    table
}

/// The fraction of ratings within their error of the true strength, and their mean deviation.
fn coverage(options: &RatingOptions, tournaments: u32, games: u32) -> (f64, f64) {
    let mut rng = Pcg64Mcg::seed_from_u64(5);
    let (mut within, mut deviation, mut counted) = (0.0, 0.0, 0.0);
    for _ in 0..tournaments {
        let ratings = rate(&round_robin(games, &mut rng), options).unwrap();
        for player in &ratings.groups[0].players {
            if let (Some(rating), Some(error), false) = (player.rating, player.error95, player.anchor) {
                let difference = rating - truth(&player.name);
                within += f64::from(difference.abs() <= error);
                deviation += difference;
                counted += 1.0;
            }
        }
    }
    (within / counted, deviation / counted)
}

fn truth(name: &str) -> f64 {
    STRENGTHS.into_iter().find(|(player, _)| *player == name).map_or(f64::NAN, |(_, strength)| strength)
}

/// The strengths have a mean of zero, like the ratings.
#[test]
fn ninety_five_percent_of_ratings_are_within_their_error() {
    let tournaments = if std::env::var_os("SURUS_TEST_FULL").is_some() { 5_000 } else { 500 };
    let without_prior = RatingOptions { prior: 0.0, ..RatingOptions::default() };
    let anchor = RatingOptions { anchors: [("d".into(), -20.0)].into(), ..without_prior.clone() };
    for (name, options, games) in [
        ("no prior", &without_prior, 20),
        ("anchored", &anchor, 20),
        ("with prior", &RatingOptions::default(), 20),
        ("with prior, many games", &RatingOptions::default(), 100),
    ] {
        let (fraction, deviation) = coverage(options, tournaments, games);
        println!(
            "{name}, {games} games each: {fraction:.4} within their error, mean deviation {deviation:.2}"
        );
        assert!((fraction - 0.95).abs() < 0.015, "{name}: {fraction}");
        assert!(deviation.abs() < 4.0, "{name}: {deviation}");
    }
}

#[test]
fn many_games_recover_the_true_ratings() {
    let mut rng = Pcg64Mcg::seed_from_u64(7);
    let ratings: Ratings = rate(&round_robin(5_000, &mut rng), &RatingOptions::default()).unwrap();
    let players = &ratings.groups[0].players;
    for player in players {
        assert!((player.rating.unwrap() - truth(&player.name)).abs() < 6.0, "{ratings}");
        assert!(player.error95.unwrap() < 5.0, "{ratings}");
    }
    let order: String = players.iter().map(|player| player.name.as_str()).collect();
    assert_eq!(order, "abcdefg");
}

/// Random tables, with few or many games, one-sided results and unconnected players, give finite ratings.
#[test]
fn every_table_can_be_rated() {
    let mut rng = Pcg64Mcg::seed_from_u64(11);
    for round in 0..3_000 {
        let mut table = Crosstable::default();
        let players = rng.random_range(2..9);
        for _ in 0..rng.random_range(1..20) {
            let [first, second] = [(); 2].map(|()| rng.random_range(0..players).to_string());
            let max_games = if rng.random_bool(0.1) { 1_000_000 } else { 3 };
            let [wins, draws, losses] =
                [(); 3].map(|()| rng.random_range(0..=max_games) / rng.random_range(1..3));
            table.add_many(&first, &second, wins, draws * (round % 2), losses);
        }
        for prior in [0.0, 0.1, 2.0] {
            let ratings = rate(&table, &RatingOptions { prior, ..RatingOptions::default() }).unwrap();
            for player in ratings.groups.iter().flat_map(|group| &group.players) {
                assert!(
                    player.rating.is_none_or(f64::is_finite) && player.error95.is_none_or(f64::is_finite)
                );
                assert_eq!(player.rating.is_none(), player.unbounded.is_some());
                assert!(prior == 0.0 || player.rating.is_some());
            }
        }
    }
}
