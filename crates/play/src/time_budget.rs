//! Allocates the time of a turn.

use std::time::Duration;

use surus_rules::{Clock, Side};

/// Games of strong programs take about 60 turns of each side.
const SOFT_SHARE: u32 = 40;
const HARD_SHARE: u32 = 10;

/// The time for one turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeBudget {
    /// After this, the search starts no new iteration.
    pub soft: Duration,
    /// After this, the search stops immediately.
    pub hard: Duration,
}

impl TimeBudget {
    /// The same soft and hard limit.
    #[must_use]
    pub const fn fixed(time: Duration) -> Self {
        Self { soft: time, hard: time }
    }
}

/// The budget of a turn. `used` has elapsed already, and `overhead` is not used, to cover transmission delays.
///
/// Unused time of the turn is added to the reserve only in part or not at all. The soft limit is therefore most of that
/// time, or all of it if nothing is added, plus a fortieth of the reserve; the hard limit adds a tenth of the reserve, so that a
/// third of it is left after ten difficult turns. Within these limits, the engine allocates less time to easy turns and more
/// to difficult ones.
#[must_use]
pub fn time_budget(clock: &Clock, side: Side, setup: bool, used: Duration, overhead: Duration) -> TimeBudget {
    let (per_turn, reserve) = (clock.per_turn(setup), clock.reserve(side));
    let available = clock.available(side, setup).saturating_sub(used);
    // If little time is available, the overhead takes at most half of it.
    let max = available.saturating_sub(overhead.min(available / 2));
    let turn_left = per_turn.saturating_sub(used);
    let control = clock.control();
    let full = !control.reserve_limit.is_zero() && reserve >= control.reserve_limit;
    let saved_percent = if full || setup { 0 } else { control.percent / 10 };
    let soft = turn_left * (100 - saved_percent) / 100 + reserve / SOFT_SHARE;
    let hard = turn_left + reserve / HARD_SHARE;
    TimeBudget { soft: soft.min(max), hard: hard.min(max) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    /// A side that always uses its hard limit never exceeds its time.
    #[test]
    fn the_budget_is_always_within_the_clock() {
        for control in ["15s/0/0", "0/5m", "30s/60s/100/2m", "1m/10m/100/0/0/90s", "2/2/100/10/8", "3s/30s/0"]
        {
            let mut clock = Clock::new(control.parse().unwrap());
            let overhead = Duration::from_millis(100);
            for turn in 0..300 {
                let budget = time_budget(&clock, Side::Gold, turn == 0, Duration::ZERO, overhead);
                assert!(budget.soft <= budget.hard, "{control}");
                clock.charge(Side::Gold, budget.hard, turn == 0).unwrap();
            }
        }
    }

    #[test]
    fn used_time_is_subtracted() {
        let clock = Clock::new("30s/0/0".parse().unwrap());
        let budget = time_budget(&clock, Side::Gold, false, seconds(29), Duration::from_millis(500));
        assert_eq!(budget.hard, Duration::from_millis(500));
        let late = time_budget(&clock, Side::Gold, false, seconds(40), Duration::ZERO);
        assert_eq!(late.hard, Duration::ZERO);
        let hurried = time_budget(&clock, Side::Gold, false, Duration::from_millis(29_900), seconds(1));
        assert_eq!(hurried.hard, Duration::from_millis(50));
    }

    #[test]
    fn time_that_is_not_added_to_the_reserve_is_used() {
        let soft = |control: &str| {
            let clock = Clock::new(control.parse().unwrap());
            time_budget(&clock, Side::Gold, false, Duration::ZERO, Duration::ZERO).soft
        };
        // A fortieth of a reserve of 80 seconds is two seconds.
        assert_eq!(soft("20s/80s/0"), seconds(22));
        assert_eq!(soft("20s/80s/100"), seconds(20));
        assert_eq!(soft("20s/80s/100/80s"), seconds(22));
        assert_eq!(soft("20s/80s/100/90s"), seconds(20));
    }

    #[test]
    fn the_reserve_lasts_for_a_game() {
        // The hard limit in ten turns, then the soft limit.
        let mut clock = Clock::new("1s/60s/100".parse().unwrap());
        let mut reserve_after = |turns: u32, budget: fn(TimeBudget) -> Duration| {
            for _ in 0..turns {
                let used = budget(time_budget(&clock, Side::Gold, false, Duration::ZERO, Duration::ZERO));
                clock.charge(Side::Gold, used, false).unwrap();
            }
            clock.reserve(Side::Gold)
        };
        assert!(reserve_after(10, |budget| budget.hard) > seconds(20));
        assert!(reserve_after(50, |budget| budget.soft) > seconds(5));
    }
}
