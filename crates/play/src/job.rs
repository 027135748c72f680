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
    pub lines: usize,
    /// If not empty, the only turns to choose from, each from the running position on.
    pub only: Vec<Turn>,
    /// The clock that the side to move plays with, for programs that manage their own time.
    pub clock: Option<Clock>,
    /// When to end.
    pub stop: Stop,
}

impl Job {
    /// One line, no limits, all turns.
    #[must_use]
    pub fn new(game: Game) -> Self {
        Self {
            game,
            limits: Limits::default(),
            lines: 1,
            only: Vec::new(),
            clock: None,
            stop: Stop::default(),
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
pub enum Limit {
    /// In steps.
    Depth,
    /// In positions looked at.
    Nodes,
    /// In time for the turn.
    Time,
}

impl fmt::Display for Limit {
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
    pub time: Option<crate::Allowance>,
}

impl Limits {
    /// The kinds of limit that are set.
    pub fn kinds(&self) -> impl Iterator<Item = Limit> + use<> {
        let depth = self.depth.map(|_| Limit::Depth);
        let nodes = self.nodes.map(|_| Limit::Nodes);
        let time = self.time.map(|_| Limit::Time);
        depth.into_iter().chain(nodes).chain(time)
    }
}

/// How a search learns that it has to end: somebody says so, or its time is over.
///
/// Clones share the flag; the deadline belongs to the job.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    flag: Arc<AtomicBool>,
    /// When it began, and how long it is wanted to take.
    soft: Option<(Instant, Duration)>,
    hard: Option<Instant>,
}

impl Stop {
    /// Ends by itself after the time of a limit, counted from now.
    #[must_use]
    pub fn after(time: Option<crate::Allowance>) -> Self {
        let now = Instant::now();
        let at = |time: Duration| now.checked_add(time);
        Self { flag: Arc::default(), soft: time.map(|t| (now, t.soft)), hard: time.and_then(|t| at(t.hard)) }
    }

    /// The same flag for one job, which also ends by itself: at the latest after this time, counted from now, and
    /// earlier by its limit.
    #[must_use]
    pub fn with_deadline(&self, time: Option<crate::Allowance>, latest: Duration) -> Self {
        let own = Self::after(Some(time.unwrap_or(crate::Allowance { soft: Duration::MAX, hard: latest })));
        Self { flag: Arc::clone(&self.flag), ..own }
    }

    /// Ends the search from another thread.
    pub fn request(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has said so, however late it is.
    #[must_use]
    pub fn called(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// Whether to end now. It reads the clock, so a search asks now and then, not at every node.
    #[must_use]
    pub fn requested(&self) -> bool {
        self.called() || self.hard.is_some_and(|hard| hard <= Instant::now())
    }

    /// Whether something that takes so long can be finished before it has to end.
    #[must_use]
    pub fn leaves(&self, time: Duration) -> bool {
        !self.called() && self.hard.is_none_or(|hard| time <= hard.saturating_duration_since(Instant::now()))
    }

    /// Whether it is too late to begin something that may not be finished.
    #[must_use]
    pub fn winding_down(&self) -> bool {
        self.past(100)
    }

    /// The share of the time that is wanted that is gone; none where any time will do.
    #[must_use]
    pub fn gone(&self) -> f64 {
        self.soft.map_or(0.0, |(began, soft)| {
            (began.elapsed().as_secs_f64() / soft.as_secs_f64().max(1e-9)).min(1.0)
        })
    }

    /// Whether so many hundredths of the time that is wanted are gone.
    #[must_use]
    pub fn past(&self, percent: u32) -> bool {
        let gone = |(began, soft): (Instant, Duration)| {
            soft.as_millis() * u128::from(percent) / 100 <= began.elapsed().as_millis()
        };
        self.requested() || self.soft.is_some_and(gone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Allowance;

    #[test]
    fn a_stop_is_seen_by_every_clone_and_by_its_deadline() {
        let stop = Stop::default();
        let clone = stop.clone();
        assert!(!clone.requested() && !clone.winding_down());
        stop.request();
        assert!(clone.requested() && clone.winding_down());
        let over = Stop::after(Some(Allowance { soft: Duration::ZERO, hard: Duration::from_secs(3600) }));
        assert!(over.winding_down() && !over.requested());
        let hours = Duration::from_secs(7200);
        let early = Stop::after(Some(Allowance { soft: hours, hard: hours }));
        assert!(early.past(0) && !early.past(1) && !early.past(100));
        assert!(early.gone() < 0.01 && over.gone() == 1.0 && Stop::default().gone() == 0.0);
        let late = Stop::after(Some(Allowance::exactly(Duration::ZERO)));
        assert!(late.requested() && !late.called());
        assert!(
            early.leaves(Duration::from_secs(3600))
                && !early.leaves(3 * hours)
                && !stop.leaves(Duration::ZERO)
        );
    }

    #[test]
    fn limits_tell_which_they_are() {
        let limits = Limits { depth: Some(4), nodes: None, time: Some(Allowance::exactly(Duration::ZERO)) };
        assert_eq!(limits.kinds().collect::<Vec<_>>(), [Limit::Depth, Limit::Time]);
    }
}
