//! Positions in both forms: parsed positions round-trip through text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use surus_rules::{Diagram, Game, Perft, Position, Rules};

fuzz_target!(|text: &str| {
    if let Ok(position) = text.parse::<Position>() {
        assert_eq!(position.to_string().parse(), Ok(position));
        // Every valid position can be searched.
        let _ = Perft::count(&position, 1);
    }
    if let Ok(diagram) = text.parse::<Diagram>() {
        assert_eq!(diagram.to_string().parse(), Ok(diagram));
    }
    if let Err(error) = Game::from_text(text, Rules::Official) {
        assert!(error.to_string().chars().count() < 250);
    }
});
