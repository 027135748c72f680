//! Game records under every set of rules: a game that was read comes back from the record that is written of it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use surus_rules::{Handicap, Record, Rules};

fuzz_target!(|text: &str| {
    let Ok(record) = Record::parse(text) else { return };
    for rules in [Rules::Official, Rules::Classic2004, Rules::Classic2005] {
        if let Ok(replay) = record.replay(rules, Handicap::Allowed) {
            let written = replay.game.to_string();
            let again = Record::parse(&written).and_then(|record| record.replay(rules, Handicap::Allowed));
            assert_eq!(again.map(|again| again.game), Ok(replay.game));
        }
    }
});
