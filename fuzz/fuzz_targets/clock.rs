//! Time controls and clocks.
#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use surus_rules::{Clock, Side, TimeControl};

fuzz_target!(|input: (&str, Vec<u64>)| {
    let (text, turns) = input;
    let Ok(control) = text.parse::<TimeControl>() else { return };
    assert_eq!(control.to_string().parse(), Ok(control));
    let mut clock = Clock::new(control);
    for (number, used) in turns.into_iter().enumerate() {
        let (side, setup) = (Side::BOTH[number % 2], number < 2);
        let used = Duration::from_millis(used);
        let available = clock.available(side, setup);
        assert_eq!(clock.charge(side, used, setup).is_ok(), used <= available);
    }
});
