//! Checks of the test suite of the project.

use std::path::PathBuf;

use surus_arena::suite::{Atom, Condition, Suite, SuiteOptions, Test, load, run, validate};
use surus_play::{Engine, Limits, Random, StopToken};
use surus_rules::{DistinctTurns, Position};

fn project_suite() -> Suite {
    load(&[PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../suites"))]).unwrap()
}

fn count_with_tag(suite: &Suite, tag: &str) -> usize {
    suite.tests.iter().filter(|test| test.tags.iter().any(|other| other == tag)).count()
}

#[test]
fn every_group_has_positions_and_few_are_decided_by_one_turn() {
    let suite = project_suite();
    assert!(suite.tests.len() >= 60, "{}", suite.tests.len());
    for group in
        ["goal", "defence", "capture", "hostage", "blockade", "frame", "endgame", "elephant", "camel"]
    {
        assert!(count_with_tag(&suite, group) >= 5, "{group}: {}", count_with_tag(&suite, group));
    }
    let captures = |condition: &Condition| match condition {
        Condition::PiecePosition(blocks) => {
            blocks.iter().flat_map(|block| &block.atoms).any(|atom| matches!(atom, Atom::Captured(..)))
        }
        condition => matches!(condition, Condition::Goal | Condition::PreventGoal),
    };
    for test in &suite.tests {
        let tagged = test.tags.iter().any(|tag| tag == "one-turn");
        assert_eq!(tagged, captures(&test.condition), "{}", test.name);
        assert!(!test.comment.is_empty(), "{} has no comment", test.name);
    }
    assert!(count_with_tag(&suite, "one-turn") <= 20, "{}", count_with_tag(&suite, "one-turn"));
}

/// Validates every test by generating all turns, and for goals in two turns all replies.
#[test]
fn the_suite_passes_validation() {
    let suite = project_suite();
    for validation in validate(&suite.tests, &mut |_| true) {
        let test = &suite.tests[validation.test];
        assert!(validation.problems.is_empty(), "{}: {:?}", test.name, validation.problems);
        let fraction = validation.solutions as f64 / validation.turns as f64;
        assert!(fraction < 0.05, "{}: {fraction} of all turns solve it", test.name);
    }
}

#[test]
fn the_suite_contains_the_example_of_akimot_figure_a_2() {
    let suite = project_suite();
    let figure = "s [rrrr cr h cmrEhr d    d      r           HCe  D  D M C HRRRRRRRR]";
    let found = suite.tests.iter().find(|test| test.game.position().to_string() == figure);
    assert_eq!(found.map(|test| test.name.as_str()), Some("elephant_blockade_f7"));
}

/// Checks what comments call proven: after every reply, the piece of the first atom is on its square or captured.
#[test]
fn blockaded_framed_and_held_pieces_cannot_leave() {
    let mut proven = 0;
    for test in &project_suite().tests {
        let group =
            ["blockade", "frame", "hostage"].iter().any(|group| test.tags.iter().any(|tag| tag == group));
        let (Condition::PiecePosition(blocks), Some(solution)) = (&test.condition, &test.solution) else {
            continue;
        };
        let Atom::On(piece, square) = blocks[0].atoms[0] else { continue };
        if !group {
            continue;
        }
        let mut game = test.game.clone();
        game.play(solution).unwrap();
        let board = *game.turn_start();
        assert_eq!((board.piece_at(square), piece.side()), (Some(piece), game.side()), "{}", test.name);
        let count = board.count(piece.side(), piece.kind());
        let position: Position = *game.position();
        for reply in DistinctTurns::new(&position, &board, 4).boards() {
            let stays =
                reply.piece_at(square) == Some(piece) || reply.count(piece.side(), piece.kind()) < count;
            assert!(stays, "{}: {reply:?}", test.name);
        }
        proven += 1;
    }
    assert!(proven >= 25, "{proven}");
}

#[test]
fn random_scores_less_than_a_tenth() {
    let tests: Vec<Test> = project_suite().tests;
    let mut engine = Random::default();
    engine.set_option("seed", "7").unwrap();
    let options = SuiteOptions { limits: Limits::default(), cycles: 20, stop: StopToken::default() };
    let answers = run(&mut engine, &tests, &options, &mut |_| {}).unwrap();
    let first = |cycle: u32| answers.iter().find(|answer| answer.cycle == cycle).map(|answer| &answer.turn);
    assert_ne!(first(0), first(1), "each cycle has its own seed");
    let points: f64 = answers.iter().map(|answer| answer.points.earned).sum();
    assert!(points < answers.len() as f64 / 10.0, "{points} of {}", answers.len());
}
