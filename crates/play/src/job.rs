//! What an engine is asked to do, and how it is held to it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use surus_rules::{Clock, Game, Turn};

/// A question to an engine.
#[derive(Clone, Debug)]
pub struct Job {
    /// The game with its history, perhaps in the middle of a turn.
    pub game: Game,
    /// How far to think.
    pub limits: Limits,
    /// How many different turns to report lines for.
    pub multi_pv: usize,
    /// If not empty, the only turns to choose from, each from the running position on.
    pub search_turns: Vec<Turn>,
    /// The clock that the side to move plays with, for programs that manage their own time.
    pub clock: Option<Clock>,
    /// When to end.
    pub stop: StopToken,
}

impl Job {
    /// One line, no limits, all turns.
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

    /// The same with these limits.
    #[must_use]
    pub fn limited(game: Game, limits: Limits) -> Self {
        Self { limits, ..Self::new(game) }
    }
}

/// A kind of limit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LimitKind {
    /// In steps.
    Depth,
    /// In positions looked at.
    Nodes,
    /// In time for the turn.
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

/// How far an engine may think; the first limit reached counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Steps.
    pub depth: Option<u32>,
    /// Positions.
    pub nodes: Option<u64>,
    /// Time for the turn: when to begin nothing new, and when to end.
    pub time: Option<crate::TimeBudget>,
}

impl Limits {
    /// The kinds of limit that are set.
    pub fn kinds(&self) -> impl Iterator<Item = LimitKind> + use<> {
        let depth = self.depth.map(|_| LimitKind::Depth);
        let nodes = self.nodes.map(|_| LimitKind::Nodes);
        let time = self.time.map(|_| LimitKind::Time);
        depth.into_iter().chain(nodes).chain(time)
    }
}

/// How a search learns that it has to end: somebody says so, or its time is over.
///
/// Clones share the flag; the deadline belongs to the job.
#[derive(Clone, Debug, Default)]
pub struct StopToken {
    flag: Arc<AtomicBool>,
    /// When it began, and how long it is wanted to take.
    soft: Option<(Instant, Duration)>,
    hard: Option<Instant>,
}

impl StopToken {
    /// Ends by itself after the time of a limit, counted from now.
    #[must_use]
    pub fn after(time: Option<crate::TimeBudget>) -> Self {
        let now = Instant::now();
        let at = |time: Duration| now.checked_add(time);
        Self { flag: Arc::default(), soft: time.map(|t| (now, t.soft)), hard: time.and_then(|t| at(t.hard)) }
    }

    /// The same flag for one job, which also ends by itself: at the latest after this time, counted from now, and
    /// earlier by its limit.
    #[must_use]
    pub fn with_deadline(&self, time: Option<crate::TimeBudget>, latest: Duration) -> Self {
        let own = Self::after(Some(time.unwrap_or(crate::TimeBudget { soft: Duration::MAX, hard: latest })));
        Self { flag: Arc::clone(&self.flag), ..own }
    }

    /// Ends the search from another thread.
    pub fn request(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has said so, however late it is.
    #[must_use]
    pub fn stop_requested(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// Whether to end now. It reads the clock, so a search asks now and then, not at every node.
    #[must_use]
    pub fn should_stop(&self) -> bool {
        self.stop_requested() || self.hard.is_some_and(|hard| hard <= Instant::now())
    }

    /// Whether something that takes so long can be finished before it has to end.
    #[must_use]
    pub fn has_time_for(&self, time: Duration) -> bool {
        !self.stop_requested()
            && self.hard.is_none_or(|hard| time <= hard.saturating_duration_since(Instant::now()))
    }

    /// Whether it is too late to begin something that may not be finished.
    #[must_use]
    pub fn soft_limit_reached(&self) -> bool {
        self.soft_limit_reached_at(100)
    }

    /// The share of the time that is wanted that is gone; none where any time will do.
    #[must_use]
    pub fn soft_fraction_elapsed(&self) -> f64 {
        self.soft.map_or(0.0, |(began, soft)| {
            (began.elapsed().as_secs_f64() / soft.as_secs_f64().max(1e-9)).min(1.0)
        })
    }

    /// Whether so many hundredths of the time that is wanted are gone.
    #[must_use]
    pub fn soft_limit_reached_at(&self, percent: u32) -> bool {
        let gone = |(began, soft): (Instant, Duration)| {
            soft.as_millis() * u128::from(percent) / 100 <= began.elapsed().as_millis()
        };
        self.should_stop() || self.soft.is_some_and(gone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TimeBudget;

    #[test]
    fn a_stop_is_seen_by_every_clone_and_by_its_deadline() {
        let stop = StopToken::default();
        let clone = stop.clone();
        assert!(!clone.should_stop() && !clone.soft_limit_reached());
        stop.request();
        assert!(clone.should_stop() && clone.soft_limit_reached());
        let over =
            StopToken::after(Some(TimeBudget { soft: Duration::ZERO, hard: Duration::from_secs(3600) }));
        assert!(over.soft_limit_reached() && !over.should_stop());
        let hours = Duration::from_secs(7200);
        let early = StopToken::after(Some(TimeBudget { soft: hours, hard: hours }));
        assert!(
            early.soft_limit_reached_at(0)
                && !early.soft_limit_reached_at(1)
                && !early.soft_limit_reached_at(100)
        );
        assert!(
            early.soft_fraction_elapsed() < 0.01
                && over.soft_fraction_elapsed() == 1.0
                && StopToken::default().soft_fraction_elapsed() == 0.0
        );
        let late = StopToken::after(Some(TimeBudget::fixed(Duration::ZERO)));
        assert!(late.should_stop() && !late.stop_requested());
        assert!(
            early.has_time_for(Duration::from_secs(3600))
                && !early.has_time_for(3 * hours)
                && !stop.has_time_for(Duration::ZERO)
        );
    }

    #[test]
    fn limits_tell_which_they_are() {
        let limits = Limits { depth: Some(4), nodes: None, time: Some(TimeBudget::fixed(Duration::ZERO)) };
        assert_eq!(limits.kinds().collect::<Vec<_>>(), [LimitKind::Depth, LimitKind::Time]);
    }
}
