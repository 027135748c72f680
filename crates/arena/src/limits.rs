//! Search limits and clocks of the engines of a game.

use std::fmt;
use std::time::Duration;

use surus_play::{EngineError, EngineId, Limits, TimeBudget, check_limits, time_budget};
use surus_rules::{Clock, OutOfTime, Side, TimeControl, TimeControlError};

/// The search limits of an engine; without any, the engine decides itself how long to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EngineLimits {
    /// Search depth in steps.
    pub depth: Option<u32>,
    /// Nodes per turn.
    pub nodes: Option<u64>,
    /// Fixed time per turn.
    pub time_per_turn: Option<Duration>,
    /// Time control with a clock.
    pub time_control: Option<TimeControl>,
}

/// Invalid limits.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LimitsError {
    /// The time per turn.
    #[error("invalid time per turn '{0}': expected a number of seconds above 0")]
    Seconds(String),
    /// The time control.
    #[error(transparent)]
    Clock(#[from] TimeControlError),
}

/// Tolerance for answers with a fixed time per turn, for the delay of pipes and threads.
const TIME_MARGIN: Duration = Duration::from_millis(100);

/// Part of the clock that engines do not use, for the same reason.
const MOVE_OVERHEAD: Duration = Duration::from_millis(50);

impl EngineLimits {
    /// Parses limits, with the time per turn in seconds and the time control in Arimaa notation.
    pub fn parse(
        depth: Option<u32>,
        nodes: Option<u64>,
        seconds: Option<f64>,
        control: Option<&str>,
    ) -> Result<Self, LimitsError> {
        Ok(Self {
            depth,
            nodes,
            time_per_turn: seconds.map(Self::seconds).transpose()?,
            time_control: control.map(str::parse).transpose()?,
        })
    }

    /// Converts the time per turn.
    pub fn seconds(seconds: f64) -> Result<Duration, LimitsError> {
        let valid = seconds > 0.0 && seconds < 1e7;
        valid
            .then(|| Duration::from_secs_f64(seconds))
            .ok_or_else(|| LimitsError::Seconds(seconds.to_string()))
    }

    /// Takes limits that are not set from `other`; a time limit of either kind counts as set.
    #[must_use]
    pub fn or_default(self, other: Self) -> Self {
        let timed = self.time_per_turn.is_some() || self.time_control.is_some();
        Self {
            depth: self.depth.or(other.depth),
            nodes: self.nodes.or(other.nodes),
            time_per_turn: self.time_per_turn.or(other.time_per_turn.filter(|_| !timed)),
            time_control: self.time_control.or(other.time_control.filter(|_| !timed)),
        }
    }

    /// Checks that an engine supports these limits.
    pub fn check_supported(&self, id: &EngineId) -> Result<(), EngineError> {
        let time = self.time_per_turn.or(self.time_control.map(|_| Duration::ZERO)).map(TimeBudget::fixed);
        check_limits(id, &Limits { depth: self.depth, nodes: self.nodes, time })
    }
}

impl fmt::Display for EngineLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.depth.map(|depth| format!("depth {depth}")),
            self.nodes.map(|nodes| format!("nodes {nodes}")),
            self.time_per_turn.map(|time| format!("{} s/turn", time.as_secs_f64())),
            self.time_control.map(|control| control.to_string()),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(&if parts.is_empty() { "unlimited".into() } else { parts.join(", ") })
    }
}

/// The limits and clocks of both sides of one game.
#[derive(Clone, Debug)]
pub(crate) struct GameClocks {
    limits: [EngineLimits; 2],
    clocks: [Option<Clock>; 2],
}

impl GameClocks {
    /// Starts the clocks; gold's limits come first.
    pub(crate) fn new(limits: [EngineLimits; 2]) -> Self {
        Self { limits, clocks: limits.map(|limits| limits.time_control.map(Clock::new)) }
    }

    /// The limits for the next turn of a side.
    pub(crate) fn limits(&self, side: Side, setup: bool) -> Limits {
        let limits = &self.limits[side as usize];
        let time = match (limits.time_per_turn, &self.clocks[side as usize]) {
            (Some(time), _) => Some(TimeBudget::fixed(time)),
            (None, Some(clock)) => Some(time_budget(clock, side, setup, Duration::ZERO, MOVE_OVERHEAD)),
            (None, None) => None,
        };
        Limits { depth: limits.depth, nodes: limits.nodes, time }
    }

    /// The clock of a side that plays with one.
    pub(crate) const fn clock(&self, side: Side) -> Option<&Clock> {
        self.clocks[side as usize].as_ref()
    }

    /// Time after which the side forfeits, whatever it answers.
    pub(crate) fn deadline(&self, side: Side, setup: bool) -> Option<Duration> {
        let fixed = self.limits[side as usize].time_per_turn.map(|time| time + TIME_MARGIN);
        fixed.or_else(|| self.clock(side).map(|clock| clock.available(side, setup)))
    }

    /// Charges a turn to the clock; fails if the side has exceeded its time.
    pub(crate) fn record_turn(&mut self, side: Side, used: Duration, setup: bool) -> Result<(), OutOfTime> {
        if self.limits[side as usize].time_per_turn.is_some_and(|time| used > time + TIME_MARGIN) {
            return Err(OutOfTime(side));
        }
        match &mut self.clocks[side as usize] {
            Some(clock) => clock.charge(side, used, setup),
            None => Ok(()),
        }
    }

    /// The reserve of a side in seconds.
    pub(crate) fn reserve(&self, side: Side) -> u64 {
        self.clock(side).map_or(0, |clock| clock.reserve(side).as_secs())
    }
}
