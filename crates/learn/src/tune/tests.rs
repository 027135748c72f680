use surus_engine::eval::{TERMS, Weights};
use surus_record::packed::{Flags, PackedGame, PackedSample, Sample, Score};
use surus_rules::{Position, Side, Termination, Turn};

use super::{Dataset, FitConfig, PositionFilter, fit};

const FILTER: PositionFilter = PositionFilter { max_abs_score: 1500, validation_one_in: 4 };

/// A game of one position, won or lost by gold.
fn game(id: u64, position: &str, score: Score, won: bool, flags: Flags) -> PackedGame {
    let position: Position = position.parse().unwrap();
    let sample = Sample {
        board: *position.board(),
        side: position.side(),
        steps_left: 4,
        score,
        depth: 4,
        result: Some(if won { Side::Gold } else { Side::Silver }),
        turn_number: 9,
        flags,
        best_turn: Turn::EMPTY,
    };
    let records = vec![PackedSample::encode(&sample).unwrap()];
    PackedGame { id, origin: 0, result: sample.result, reason: Termination::Goal, samples: records }
}

/// Gold lacks a cat, silver a rabbit.
const CAT_GONE: &str = "g [ rrrrrrrhdcemcdh                                HD MECDHRRRRRRRR]";

fn weight(weights: &[f64], name: &str, index: usize) -> f64 {
    let spec = TERMS.iter().find(|spec| spec.name == name).unwrap();
    weights[spec.term.first + index]
}

#[test]
fn fit_raises_the_weights_of_winning_features() {
    let mut samples = Dataset::default();
    for id in 0..600 {
        // The side with more rabbits wins nine games of ten.
        samples.add(&game(id, CAT_GONE, Score::Centirabbits(500), id % 10 != 0, Flags::QUIET), &FILTER);
    }
    assert!(samples.validation.len() > 100 && samples.train.len() > 400, "both sets have games");
    let config = FitConfig {
        epochs: 200,
        result_weight: 1.0,
        prior_width: 1000.0,
        learning_rate: 5.0,
        ..FitConfig::default()
    };
    let mut epochs = 0;
    let found = fit(&samples, &Weights::embedded(), &config, &mut |_, _| epochs += 1);
    assert_eq!(epochs, 200);
    assert!(found.after < 0.8 * found.before, "{} {}", found.before, found.after);
    let start = Weights::embedded().values().map(f64::from);
    let last_rabbit =
        |weights: &[f64]| weight(weights, "RABBIT_COUNT", 8) - weight(weights, "RABBIT_COUNT", 7);
    assert!(last_rabbit(&*found.weights) > last_rabbit(&start) + 50.0, "a rabbit counts more than before");
    // No position has a side with three rabbits.
    assert_eq!(weight(&start, "RABBIT_COUNT", 3), weight(&*found.weights, "RABBIT_COUNT", 3));
}

#[test]
fn only_quiet_unproven_positions_are_added() {
    let mut samples = Dataset::default();
    let mut added = |game: &PackedGame| {
        let before = samples.train.len() + samples.validation.len();
        samples.add(game, &FILTER);
        samples.train.len() + samples.validation.len() - before
    };
    assert_eq!(added(&game(1, CAT_GONE, Score::Centirabbits(5), true, Flags::QUIET)), 1);
    assert_eq!(added(&game(2, CAT_GONE, Score::Centirabbits(5), true, Flags::CAPTURE_AVAILABLE)), 0);
    assert_eq!(added(&game(3, CAT_GONE, Score::Centirabbits(5), true, Flags::QUIET | Flags::RANDOM_TURN)), 0);
    assert_eq!(added(&game(4, CAT_GONE, Score::Centirabbits(1501), true, Flags::QUIET)), 0);
    assert_eq!(added(&game(5, CAT_GONE, Score::Win { turns: 2 }, true, Flags::QUIET)), 0);
    assert_eq!(samples.skipped, 4);
}

/// A decision of gold between boards after its turn, the played one first.
fn decision(game: u64, boards: &[&str]) -> PackedGame {
    let mut decision = self::game(game, boards[0], Score::Centirabbits(0), true, Flags::default());
    decision.id = game * crate::comparison::DECISIONS_PER_GAME;
    decision.samples = boards
        .iter()
        .map(|board| self::game(game, board, Score::Centirabbits(0), true, Flags::default()).samples[0])
        .collect();
    decision
}

#[test]
fn fit_predicts_decisions_when_the_opponent_is_to_move() {
    // Silver is to move at the leaves. Gold always chose the board with its horse on the centre file.
    let played = "s [rrrrrrrrhdcemcdh                H                DCMECDHRRRRRRRR]";
    let other = "s [rrrrrrrrhdcemcdh                   H             DCMECDHRRRRRRRR]";
    let mut samples = Dataset::default();
    for id in 0..400 {
        samples.add_decision(&decision(id, &[played, other]), &FILTER);
    }
    assert!(samples.decisions.len() > 200 && samples.validation_decisions.len() > 50, "both sets have games");
    let config = FitConfig { epochs: 300, prior_width: 1000.0, ..FitConfig::default() };
    for swapped in [false, true] {
        let mut samples = samples.clone();
        if swapped {
            samples = Dataset::default();
            for id in 0..400 {
                samples.add_decision(&decision(id, &[other, played]), &FILTER);
            }
        }
        let found = fit(&samples, &Weights::embedded(), &config, &mut |_, _| {});
        assert!(found.decisions[1].loss < 0.3, "{:?}", found.decisions);
        assert_eq!(found.decisions[1].first, 1.0);
    }
}

#[test]
fn split_keeps_decisions_of_a_game_together() {
    let board = "s [rrrrrrrrhdcemcdh                H                DCMECDHRRRRRRRR]";
    for game in 0..50 {
        let mut samples = Dataset::default();
        for index in 0..20 {
            let mut one = decision(game, &[board, board]);
            one.id += index;
            samples.add_decision(&one, &FILTER);
        }
        assert!(samples.decisions.is_empty() != samples.validation_decisions.is_empty());
    }
}
