//! Search requests, their limits, and the token that stops a search.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use surus_rules::{Clock, Game, Turn};

/// A search request.
#[derive(Clone, Debug)]
pub struct Job {
    /// The game with its history; a turn may be partly played.
    pub game: Game,
    /// When to stop the search.
    pub limits: Limits,
    /// Number of turns to report principal variations for.
    pub multi_pv: usize,
    /// If not empty, the only turns to search, each as the rest of the current turn.
    pub search_turns: Vec<Turn>,
    /// The clock of the side to move, for engines that manage their own time.
    pub clock: Option<Clock>,
    /// Stops the search.
    pub stop: StopToken,
}

impl Job {
    /// A job without limits and restrictions.
    #[must_use]
    pub fn new(game: Game) -> Self {
        Self {
            game,
            limits: Limits::default(),
            multi_pv: 1,
            search_turns: Vec::new(),
            clock: None,
            stop: StopToken::default(),
        }
    }

    /// A job with these limits.
    #[must_use]
    pub fn limited(game: Game, limits: Limits) -> Self {
        Self { limits, ..Self::new(game) }
    }
}

/// A kind of limit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LimitKind {
    /// Depth in steps.
    Depth,
    /// Number of positions searched.
    Nodes,
    /// Time for the turn.
    Time,
}

impl fmt::Display for LimitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Depth => "depth",
            Self::Nodes => "nodes",
            Self::Time => "time",
        })
    }
}

/// Limits of a search; it stops at the first one reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Depth in steps.
    pub depth: Option<u32>,
    /// Number of positions.
    pub nodes: Option<u64>,
    /// Soft and hard time limit for the turn.
    pub time: Option<crate::TimeBudget>,
}

impl Limits {
    /// The kinds of limits that are set.
    pub fn kinds(&self) -> impl Iterator<Item = LimitKind> + use<> {
        let depth = self.depth.map(|_| LimitKind::Depth);
        let nodes = self.nodes.map(|_| LimitKind::Nodes);
        let time = self.time.map(|_| LimitKind::Time);
        depth.into_iter().chain(nodes).chain(time)
    }
}

/// Stops a search: on request, or when its time is up.
///
/// Clones share the flag; the time limits belong to one job.
#[derive(Clone, Debug, Default)]
pub struct StopToken {
    flag: Arc<AtomicBool>,
    /// Start of the search and soft time limit.
    soft: Option<(Instant, Duration)>,
    hard: Option<Instant>,
}

impl StopToken {
    /// A token with these time limits, counted from now.
    #[must_use]
    pub fn after(time: Option<crate::TimeBudget>) -> Self {
        let now = Instant::now();
        let hard = time.and_then(|time| now.checked_add(time.hard));
        Self { flag: Arc::default(), soft: time.map(|time| (now, time.soft)), hard }
    }

    /// A token for one job that shares the flag, with these time limits or else the hard limit `deadline`, counted from now.
    #[must_use]
    pub fn with_deadline(&self, time: Option<crate::TimeBudget>, deadline: Duration) -> Self {
        let timed =
            Self::after(Some(time.unwrap_or(crate::TimeBudget { soft: Duration::MAX, hard: deadline })));
        Self { flag: Arc::clone(&self.flag), ..timed }
    }

    /// Requests a stop, from any thread.
    pub fn request(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether a stop was requested, regardless of time limits.
    #[must_use]
    pub fn stop_requested(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// Whether to stop now. Reads the clock, so a search should not call it at every node.
    #[must_use]
    pub fn should_stop(&self) -> bool {
        self.stop_requested() || self.hard.is_some_and(|hard| Instant::now() >= hard)
    }

    /// Whether something that takes `time` can be completed before the hard limit.
    #[must_use]
    pub fn has_time_for(&self, time: Duration) -> bool {
        !self.stop_requested()
            && self.hard.is_none_or(|hard| time <= hard.saturating_duration_since(Instant::now()))
    }

    /// Whether the soft limit is reached: no new iteration should start.
    #[must_use]
    pub fn soft_limit_reached(&self) -> bool {
        self.soft_limit_reached_at(100)
    }

    /// The elapsed fraction of the soft limit, at most 1; 0 without a time limit.
    #[must_use]
    pub fn soft_fraction_elapsed(&self) -> f64 {
        self.soft.map_or(0.0, |(start, soft)| {
            (start.elapsed().as_secs_f64() / soft.as_secs_f64().max(1e-9)).min(1.0)
        })
    }

    /// Whether this percentage of the soft limit has elapsed.
    #[must_use]
    pub fn soft_limit_reached_at(&self, percent: u32) -> bool {
        let reached = |(start, soft): (Instant, Duration)| {
            start.elapsed().as_millis() >= soft.as_millis() * u128::from(percent) / 100
        };
        self.should_stop() || self.soft.is_some_and(reached)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TimeBudget;

    #[test]
    fn stop_tokens_share_requests_and_have_deadlines() {
        let stop = StopToken::default();
        let clone = stop.clone();
        assert!(!clone.should_stop() && !clone.soft_limit_reached());
        stop.request();
        assert!(clone.should_stop() && clone.soft_limit_reached());
        let soft_elapsed =
            StopToken::after(Some(TimeBudget { soft: Duration::ZERO, hard: Duration::from_secs(3600) }));
        assert!(soft_elapsed.soft_limit_reached() && !soft_elapsed.should_stop());
        let hours = Duration::from_secs(7200);
        let early = StopToken::after(Some(TimeBudget { soft: hours, hard: hours }));
        assert!(
            early.soft_limit_reached_at(0)
                && !early.soft_limit_reached_at(1)
                && !early.soft_limit_reached_at(100)
        );
        assert!(
            early.soft_fraction_elapsed() < 0.01
                && soft_elapsed.soft_fraction_elapsed() == 1.0
                && StopToken::default().soft_fraction_elapsed() == 0.0
        );
        let hard_elapsed = StopToken::after(Some(TimeBudget::fixed(Duration::ZERO)));
        assert!(hard_elapsed.should_stop() && !hard_elapsed.stop_requested());
        assert!(
            early.has_time_for(Duration::from_secs(3600))
                && !early.has_time_for(3 * hours)
                && !stop.has_time_for(Duration::ZERO)
        );
    }

    #[test]
    fn limits_list_their_kinds() {
        let limits = Limits { depth: Some(4), nodes: None, time: Some(TimeBudget::fixed(Duration::ZERO)) };
        assert_eq!(limits.kinds().collect::<Vec<_>>(), [LimitKind::Depth, LimitKind::Time]);
    }
}
