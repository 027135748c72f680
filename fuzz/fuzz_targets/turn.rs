//! Turns, setups and tokens, one line at a time in one game: an illegal turn changes nothing, and a legal one can be
//! undone.
#![no_main]

use libfuzzer_sys::fuzz_target;
use surus_rules::{Game, Handicap, Rules, Setup, Side, Token, TurnTag};

fuzz_target!(|text: &str| {
    let mut game = Game::new(Rules::Official, Handicap::Allowed);
    for line in text.lines() {
        let before = game.clone();
        match game.play_text(line) {
            Ok(()) => {
                let after = game.clone();
                assert!(game.undo_turn().is_some());
                assert_eq!(game, before);
                game = after;
            }
            Err(error) => {
                assert!(error.to_string().chars().count() < 200);
                assert_eq!(game, before);
            }
        }
        let _ = Setup::parse(line, Side::Gold, Handicap::None);
    }
    for word in text.split_whitespace() {
        if let Ok(token) = word.parse::<Token>() {
            assert_eq!(token.to_string().parse(), Ok(token));
        }
        if let Some(tag) = TurnTag::parse(word) {
            assert_eq!(TurnTag::parse(&tag.to_string()), Some(tag));
        }
    }
});
