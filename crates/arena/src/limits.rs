//! How long engines may think in a game.

use std::fmt;
use std::time::Duration;

use surus_play::{EngineError, EngineId, Limits, TimeBudget, check_limits, time_budget};
use surus_rules::{Clock, OutOfTime, Side, TimeControl, TimeControlError};

/// What a side is held to. Nothing set means that it thinks as it likes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EngineLimits {
    /// Steps.
    pub depth: Option<u32>,
    /// Positions.
    pub nodes: Option<u64>,
    /// The same time for every turn.
    pub time_per_turn: Option<Duration>,
    /// A clock.
    pub time_control: Option<TimeControl>,
}

/// A text or number that is not a pace.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PaceError {
    /// The time for each turn.
    #[error("invalid time for a turn '{0}': expected a number of seconds above 0")]
    Seconds(String),
    /// The clock.
    #[error(transparent)]
    Clock(#[from] TimeControlError),
}

/// What an answer may be late by where the time for a turn is fixed, for its way through pipes and threads.
const TIME_MARGIN: Duration = Duration::from_millis(100);

/// What an engine keeps back of its clock for the same reason.
const MOVE_OVERHEAD: Duration = Duration::from_millis(50);

impl EngineLimits {
    /// Reads a pace with its time in seconds and its clock in Arimaa form.
    pub fn parse(
        depth: Option<u32>,
        nodes: Option<u64>,
        seconds: Option<f64>,
        control: Option<&str>,
    ) -> Result<Self, PaceError> {
        Ok(Self {
            depth,
            nodes,
            time_per_turn: seconds.map(Self::seconds).transpose()?,
            time_control: control.map(str::parse).transpose()?,
        })
    }

    /// Reads the time for each turn.
    pub fn seconds(seconds: f64) -> Result<Duration, PaceError> {
        let valid = 0.0 < seconds && seconds < 1e7;
        valid.then(|| Duration::from_secs_f64(seconds)).ok_or_else(|| PaceError::Seconds(seconds.to_string()))
    }

    /// What is set here, and what is not as in another.
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

    /// Whether an engine can be held to it.
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

/// The time that the two sides of one game have.
#[derive(Clone, Debug)]
pub(crate) struct GameClocks {
    paces: [EngineLimits; 2],
    clocks: [Option<Clock>; 2],
}

impl GameClocks {
    /// Gold's pace first.
    pub(crate) fn new(paces: [EngineLimits; 2]) -> Self {
        Self { paces, clocks: paces.map(|pace| pace.time_control.map(Clock::new)) }
    }

    /// What the side's engine is told.
    pub(crate) fn limits(&self, side: Side, setup: bool) -> Limits {
        let pace = &self.paces[side as usize];
        let time = match (pace.time_per_turn, &self.clocks[side as usize]) {
            (Some(time), _) => Some(TimeBudget::fixed(time)),
            (None, Some(clock)) => Some(time_budget(clock, side, setup, Duration::ZERO, MOVE_OVERHEAD)),
            (None, None) => None,
        };
        Limits { depth: pace.depth, nodes: pace.nodes, time }
    }

    /// The side's clock, if it plays with one.
    pub(crate) const fn clock(&self, side: Side) -> Option<&Clock> {
        self.clocks[side as usize].as_ref()
    }

    /// After this the side has lost, whatever it answers.
    pub(crate) fn deadline(&self, side: Side, setup: bool) -> Option<Duration> {
        let fixed = self.paces[side as usize].time_per_turn.map(|time| time + TIME_MARGIN);
        fixed.or_else(|| self.clock(side).map(|clock| clock.available(side, setup)))
    }

    /// Books a turn.
    pub(crate) fn record_turn(&mut self, side: Side, used: Duration, setup: bool) -> Result<(), OutOfTime> {
        if self.paces[side as usize].time_per_turn.is_some_and(|time| time + TIME_MARGIN < used) {
            return Err(OutOfTime(side));
        }
        match &mut self.clocks[side as usize] {
            Some(clock) => clock.charge(side, used, setup),
            None => Ok(()),
        }
    }

    /// What a side has in reserve, in seconds, for the record.
    pub(crate) fn reserve(&self, side: Side) -> u64 {
        self.clock(side).map_or(0, |clock| clock.reserve(side).as_secs())
    }
}
