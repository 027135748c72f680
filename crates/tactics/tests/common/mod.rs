//! What the tests share.
#![allow(dead_code, reason = "each test file uses its own part of this")]

use std::path::PathBuf;

use surus_rules::{Board, Piece, Position, Side};

/// The board of words like `Ra7 cb8`.
pub(crate) fn board(words: &str) -> Board {
    let place = |word: &str| {
        let piece = Piece::from_letter(word.chars().next().unwrap()).unwrap();
        (word[1..].parse().unwrap(), piece)
    };
    words.split_whitespace().map(place).collect()
}

/// The position after some steps of a turn.
pub(crate) fn position(words: &str, side: Side, steps: &str) -> Position {
    let start = Position::new(board(words), side).unwrap();
    steps.split_whitespace().fold(start, |position, step| position.try_step(step.parse().unwrap()).unwrap())
}

/// A file of the shared data; a test that needs it says so and passes where it is not there.
pub(crate) fn shared(name: &str) -> Option<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(name);
    let text = std::fs::read_to_string(path).ok();
    if text.is_none() {
        println!("SKIPPED: no ../shared/{name}");
    }
    text
}
