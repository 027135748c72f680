//! The suite that ships with the project is what it says.

use std::path::PathBuf;

use surus_arena::suite::{Atom, Condition, Suite, SuiteOptions, Test, load, run, validate};
use surus_play::{Engine, Limits, Random, StopToken};
use surus_rules::{DistinctTurns, Position};

fn shipped() -> Suite {
    load(&[PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../suites"))]).unwrap()
}

fn having(suite: &Suite, tag: &str) -> usize {
    suite.tests.iter().filter(|test| test.tags.iter().any(|known| known == tag)).count()
}

#[test]
fn every_group_has_its_positions_and_few_are_decided_by_one_turn() {
    let suite = shipped();
    assert!(60 <= suite.tests.len(), "{}", suite.tests.len());
    for group in
        ["goal", "defence", "capture", "hostage", "blockade", "frame", "endgame", "elephant", "camel"]
    {
        assert!(5 <= having(&suite, group), "{group}: {}", having(&suite, group));
    }
    let captures = |condition: &Condition| match condition {
        Condition::Pieces(blocks) => {
            blocks.iter().flat_map(|block| &block.atoms).any(|atom| matches!(atom, Atom::Captured(..)))
        }
        condition => matches!(condition, Condition::Goal | Condition::PreventGoal),
    };
    for test in &suite.tests {
        let tagged = test.tags.iter().any(|tag| tag == "one-turn");
        assert_eq!(tagged, captures(&test.condition), "{}", test.name);
        assert!(!test.comment.is_empty(), "{} has no comment", test.name);
    }
    assert!(having(&suite, "one-turn") <= 20, "{}", having(&suite, "one-turn"));
}

/// Uniqueness by mirror and flip, right solutions, and exhaustive generation of turns, for goals in two of all replies as well.
#[test]
fn the_shipped_suite_passes_its_own_check() {
    let suite = shipped();
    for checked in validate(&suite.tests, &mut |_| true) {
        let test = &suite.tests[checked.test];
        assert!(checked.problems.is_empty(), "{}: {:?}", test.name, checked.problems);
        let share = checked.solutions as f64 / checked.turns as f64;
        assert!(share < 0.05, "{}: {share} of all turns solve it", test.name);
    }
}

#[test]
fn the_example_of_figure_a_2_is_there() {
    let suite = shipped();
    let figure = "s [rrrr cr h cmrEhr d    d      r           HCe  D  D M C HRRRRRRRR]";
    let found = suite.tests.iter().find(|test| test.game.position().to_string() == figure);
    assert_eq!(found.map(|test| test.name.as_str()), Some("elephant_blockade_f7"));
}

/// What the comments call proven: the piece that the first atom names is still there after every reply, or lost.
#[test]
fn what_is_shut_in_framed_or_held_can_not_leave() {
    let mut proven = 0;
    for test in &shipped().tests {
        let group =
            ["blockade", "frame", "hostage"].iter().any(|group| test.tags.iter().any(|tag| tag == group));
        let (Condition::Pieces(blocks), Some(solution)) = (&test.condition, &test.solution) else { continue };
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
            let held =
                reply.piece_at(square) == Some(piece) || reply.count(piece.side(), piece.kind()) < count;
            assert!(held, "{}: {reply:?}", test.name);
        }
        proven += 1;
    }
    assert!(25 <= proven, "{proven}");
}

#[test]
fn random_solves_fewer_than_one_in_ten() {
    let tests: Vec<Test> = shipped().tests;
    let mut engine = Random::default();
    engine.set_option("seed", "7").unwrap();
    let settings = SuiteOptions { limits: Limits::default(), cycles: 20, stop: StopToken::default() };
    let answers = run(&mut engine, &tests, &settings, &mut |_| {}).unwrap();
    let first = |cycle: u32| answers.iter().find(|answer| answer.cycle == cycle).map(|answer| &answer.turn);
    assert_ne!(first(0), first(1), "each cycle has a chance of its own");
    let points: f64 = answers.iter().map(|answer| answer.points.got).sum();
    assert!(points < answers.len() as f64 / 10.0, "{points} of {}", answers.len());
}
