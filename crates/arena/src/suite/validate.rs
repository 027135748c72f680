//! Whether the tests of a suite are right themselves.

use std::collections::HashMap;

use surus_rules::{Board, DistinctTurns, Turn};

use super::Test;
use super::points::points_of_legal;

/// What was found out about a test.
#[derive(Clone, PartialEq, Debug)]
pub struct TestValidation {
    /// Which test, by its place in the list.
    pub test: usize,
    /// How many distinct turns its position has.
    pub turns: usize,
    /// How many of them get full points.
    pub solutions: usize,
    /// What is wrong with the test, in sentences.
    pub problems: Vec<String>,
}

/// Checks all tests: that the solution is one, that some turn gets full points and not all do, and that no two
/// positions are the same by mirror or flip. All distinct turns are tried.
pub fn validate(tests: &[Test], report: &mut dyn FnMut(&TestValidation) -> bool) -> Vec<TestValidation> {
    let mut known: HashMap<u64, usize> = HashMap::new();
    let mut found = Vec::new();
    for (index, test) in tests.iter().enumerate() {
        let mut checked = one(index, test);
        if let Some(&other) = known.get(&normal_key(test)) {
            let other = &tests[other];
            checked
                .problems
                .push(format!("the position is that of '{}', but for a mirror or flip", other.name));
        }
        known.entry(normal_key(test)).or_insert(index);
        let goes_on = report(&checked);
        found.push(checked);
        if !goes_on {
            break;
        }
    }
    found
}

/// The same for all positions that are one by mirror or flip.
fn normal_key(test: &Test) -> u64 {
    let board: Board = test.game.position().board().relative_to(test.game.side());
    board.key().min(board.mirrored().key())
}

fn one(index: usize, test: &Test) -> TestValidation {
    let mut problems = Vec::new();
    let most = test.condition.most();
    if let Some(solution) = &test.solution {
        let got = points_of_legal(test, solution);
        if got < most {
            problems.push(format!("the solution '{solution}' gets {got} points, expected {most}"));
        }
    }
    let turns = DistinctTurns::new(test.game.position(), test.game.turn_start(), Turn::MAX as u8);
    let count = turns.len();
    let solving = turns.iter().filter(|(turn, _)| most <= points_of_legal(test, turn)).count();
    if solving == 0 {
        problems.push("no turn gets full points".into());
    } else if solving == count {
        problems.push("every turn gets full points".into());
    }
    TestValidation { test: index, turns: count, solutions: solving, problems }
}
