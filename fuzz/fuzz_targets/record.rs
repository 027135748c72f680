//! Game records under every rule set: replayed games round-trip through text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use surus_rules::{Handicap, Record, Rules};

fuzz_target!(|text: &str| {
    let Ok(record) = Record::parse(text) else { return };
    for rules in [Rules::Official, Rules::Classic2004, Rules::Classic2005] {
        if let Ok(replay) = record.replay(rules, Handicap::Allowed) {
            let written = replay.game.to_string();
            let parsed = Record::parse(&written).and_then(|record| record.replay(rules, Handicap::Allowed));
            assert_eq!(parsed.map(|parsed| parsed.game), Ok(replay.game));
        }
    }
});
