//! How much of the clock to spend on a turn.

use std::time::Duration;

use surus_rules::{Clock, Side};

/// The time for one turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeBudget {
    /// After this, nothing is begun that may not be finished.
    pub soft: Duration,
    /// After this, the search ends wherever it is.
    pub hard: Duration,
}

impl TimeBudget {
    /// All of a fixed time.
    #[must_use]
    pub const fn fixed(time: Duration) -> Self {
        Self { soft: time, hard: time }
    }
}

/// What a side spends on its turn, of which `used` are gone already; `overhead` is kept back for the way of the
/// answer to the clock.
///
/// The time of the turn comes back only in part or not at all, so most of it is wanted, and all of it where nothing
/// comes back; the reserve has to last for the fights to come, so a twentieth of it is wanted too, and a quarter of it
/// may go where a turn proves hard. An engine uses less of what is wanted for an easy turn and more for a hard one.
#[must_use]
pub fn time_budget(clock: &Clock, side: Side, setup: bool, used: Duration, overhead: Duration) -> TimeBudget {
    let (per_turn, reserve) = (clock.per_turn(setup), clock.reserve(side));
    let available = clock.available(side, setup).saturating_sub(used);
    // With next to no time the way of the answer gets half of it, not all.
    let most = available.saturating_sub(overhead.min(available / 2));
    let left = per_turn.saturating_sub(used);
    let control = clock.control();
    let full = !control.reserve_limit.is_zero() && control.reserve_limit <= reserve;
    let kept = if full || setup { 0 } else { control.percent / 10 };
    let soft = left * (100 - kept) / 100 + reserve / 20;
    let hard = left + reserve / 4;
    TimeBudget { soft: soft.min(most), hard: hard.min(most) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    /// Whatever the control, a side that always spends its hard allowance never runs out.
    #[test]
    fn the_allowance_is_always_within_the_clock() {
        for control in ["15s/0/0", "0/5m", "30s/60s/100/2m", "1m/10m/100/0/0/90s", "2/2/100/10/8", "3s/30s/0"]
        {
            let mut clock = Clock::new(control.parse().unwrap());
            let overhead = Duration::from_millis(100);
            for turn in 0..300 {
                let allowed = time_budget(&clock, Side::Gold, turn == 0, Duration::ZERO, overhead);
                assert!(allowed.soft <= allowed.hard, "{control}");
                clock.charge(Side::Gold, allowed.hard, turn == 0).unwrap();
            }
        }
    }

    #[test]
    fn time_already_used_is_taken_off() {
        let clock = Clock::new("30s/0/0".parse().unwrap());
        let allowed = time_budget(&clock, Side::Gold, false, seconds(29), Duration::from_millis(500));
        assert_eq!(allowed.hard, Duration::from_millis(500));
        let late = time_budget(&clock, Side::Gold, false, seconds(40), Duration::ZERO);
        assert_eq!(late.hard, Duration::ZERO);
        let hurried = time_budget(&clock, Side::Gold, false, Duration::from_millis(29_900), seconds(1));
        assert_eq!(hurried.hard, Duration::from_millis(50));
    }

    #[test]
    fn what_would_not_come_back_is_wanted_whole() {
        let soft = |control: &str| {
            let clock = Clock::new(control.parse().unwrap());
            time_budget(&clock, Side::Gold, false, Duration::ZERO, Duration::ZERO).soft
        };
        // A twentieth of the reserve of a minute is three seconds.
        assert_eq!(soft("20s/60s/0"), seconds(23));
        assert_eq!(soft("20s/60s/100"), seconds(21));
        assert_eq!(soft("20s/60s/100/60s"), seconds(23));
        assert_eq!(soft("20s/60s/100/90s"), seconds(21));
    }
}
