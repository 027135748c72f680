//! Validates the tests of a suite.

use std::collections::HashMap;

use surus_rules::{Board, DistinctTurns, Turn};

use super::Test;
use super::points::points_of_legal;

/// The validation of one test.
#[derive(Clone, PartialEq, Debug)]
pub struct TestValidation {
    /// Index of the test.
    pub test: usize,
    /// Number of distinct turns.
    pub turns: usize,
    /// Number of turns with full points.
    pub solutions: usize,
    /// Problems of the test, as sentences.
    pub problems: Vec<String>,
}

/// Checks by generating all distinct turns that the solution of each test gets full points, as some but not all turns do, and
/// that no two positions are equal after mirroring or flipping. Stops when `report` returns false.
pub fn validate(tests: &[Test], report: &mut dyn FnMut(&TestValidation) -> bool) -> Vec<TestValidation> {
    let mut by_key: HashMap<u64, usize> = HashMap::new();
    let mut validations = Vec::new();
    for (index, test) in tests.iter().enumerate() {
        let mut validation = validate_test(index, test);
        if let Some(&other) = by_key.get(&canonical_key(test)) {
            let other = &tests[other];
            validation
                .problems
                .push(format!("the position equals that of '{}' after mirroring or flipping", other.name));
        }
        by_key.entry(canonical_key(test)).or_insert(index);
        let proceed = report(&validation);
        validations.push(validation);
        if !proceed {
            break;
        }
    }
    validations
}

/// A key that is equal for mirrored and flipped positions.
fn canonical_key(test: &Test) -> u64 {
    let board: Board = test.game.position().board().relative_to(test.game.side());
    board.key().min(board.mirrored().key())
}

fn validate_test(index: usize, test: &Test) -> TestValidation {
    let mut problems = Vec::new();
    let max_points = test.condition.max_points();
    if let Some(solution) = &test.solution {
        let points = points_of_legal(test, solution);
        if points < max_points {
            problems.push(format!("the solution '{solution}' gets {points} points, expected {max_points}"));
        }
    }
    let turns = DistinctTurns::new(test.game.position(), test.game.turn_start(), Turn::MAX as u8);
    let count = turns.len();
    let solutions = turns.iter().filter(|(turn, _)| points_of_legal(test, turn) >= max_points).count();
    if solutions == 0 {
        problems.push("no turn gets full points".into());
    } else if solutions == count {
        problems.push("every turn gets full points".into());
    }
    TestValidation { test: index, turns: count, solutions, problems }
}
