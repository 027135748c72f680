//! Pauses after failures and between requests.

use std::time::Duration;

use surus_rules::SplitMix;

/// The longest pause after failures.
const MAX: Duration = Duration::from_secs(30);

/// The pause between two requests of an account, polls excepted.
const REQUEST_PAUSE: Duration = Duration::from_secs(1);

/// Doubles the pause after each failure in a row, up to 30 seconds.
#[derive(Clone, Debug)]
pub(super) struct Backoff {
    failures: u32,
    until: Duration,
    rng: SplitMix,
}

impl Backoff {
    pub(super) fn new(seed: u64) -> Self {
        Self { failures: 0, until: Duration::ZERO, rng: SplitMix::new(seed) }
    }

    pub(super) fn until(&self) -> Duration {
        self.until
    }

    pub(super) fn fail(&mut self, now: Duration) {
        let pause = Duration::from_secs(1 << self.failures.min(5)).min(MAX);
        // Several tables that fail together do not retry together.
        let jitter = Duration::from_millis(self.rng.next_u64() % 500);
        self.failures += 1;
        self.wait(now, pause + jitter);
    }

    pub(super) fn wait(&mut self, now: Duration, pause: Duration) {
        self.until = now + pause;
    }

    pub(super) fn reset(&mut self) {
        (self.failures, self.until) = (0, Duration::ZERO);
    }
}

/// Allows one request per second.
#[derive(Clone, Debug, Default)]
pub(super) struct RateLimit {
    next: Duration,
}

impl RateLimit {
    pub(super) const fn next(&self) -> Duration {
        self.next
    }

    pub(super) fn sent(&mut self, now: Duration) {
        self.next = now + REQUEST_PAUSE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_half_a_minute() {
        let mut backoff = Backoff::new(1);
        let mut now = Duration::ZERO;
        let mut pauses = Vec::new();
        for _ in 0..7 {
            backoff.fail(now);
            pauses.push((backoff.until() - now).as_secs());
            now = backoff.until();
        }
        assert_eq!(pauses, [1, 2, 4, 8, 16, 30, 30]);
        backoff.reset();
        backoff.fail(now);
        assert_eq!((backoff.until() - now).as_secs(), 1);
    }
}
