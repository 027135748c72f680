//! The standard options about time, and what they leave for a turn.

use std::time::Duration;

use surus_play::{Limits, TimeBudget, time_budget};
use surus_rules::{Clock, GameLimit, Side, TimeControl};

/// What the controller has said about time and other limits.
#[derive(Clone, Debug)]
pub(crate) struct TimeOptions {
    control: TimeControl,
    reserves: [Option<Duration>; 2],
    move_used: Duration,
    depth: Option<u32>,
    nodes: Option<u64>,
    movetime: Option<Duration>,
    multipv: usize,
}

/// What became of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SetOptionResult {
    /// It was understood.
    Accepted,
    /// It is another's.
    Unrecognized,
    /// It is one of these, but the value is none.
    InvalidValue(&'static str),
}

/// How long an answer may be on its way before it counts as the opponent's time.
const MOVE_OVERHEAD: Duration = Duration::from_millis(100);

impl Default for TimeOptions {
    fn default() -> Self {
        let none = Duration::ZERO;
        let control = TimeControl {
            per_turn: none,
            reserve: none,
            percent: 100,
            reserve_limit: none,
            game_limit: GameLimit::None,
            turn_limit: none,
        };
        Self {
            control,
            reserves: [None; 2],
            move_used: none,
            depth: None,
            nodes: None,
            movetime: None,
            multipv: 1,
        }
    }
}

impl TimeOptions {
    /// Takes an option if it is about time, depth or nodes. The options that only inform are taken and forgotten.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> SetOptionResult {
        let seconds = || {
            let seconds: f64 = value.parse().ok()?;
            (0.0..1e9).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
        };
        let bad_seconds = SetOptionResult::InvalidValue("a number of seconds");
        let mut time = |place: fn(&mut Self) -> &mut Duration| {
            seconds().map_or(bad_seconds, |time| {
                *place(self) = time;
                SetOptionResult::Accepted
            })
        };
        match name {
            "tcmove" => time(|clocks| &mut clocks.control.per_turn),
            "tcreserve" => time(|clocks| &mut clocks.control.reserve),
            "tcmax" => time(|clocks| &mut clocks.control.reserve_limit),
            "tcturntime" => time(|clocks| &mut clocks.control.turn_limit),
            "moveused" => time(|clocks| &mut clocks.move_used),
            "greserve" | "sreserve" => {
                let side = if name == "greserve" { Side::Gold } else { Side::Silver };
                seconds().map_or(bad_seconds, |time| {
                    self.reserves[side as usize] = Some(time);
                    SetOptionResult::Accepted
                })
            }
            "tcpercent" => match value.parse() {
                Ok(percent @ 0..=100) => {
                    self.control.percent = percent;
                    SetOptionResult::Accepted
                }
                _ => SetOptionResult::InvalidValue("a percentage from 0 to 100"),
            },
            "depth" => match value.parse::<i64>() {
                Ok(depth) => {
                    self.depth = u32::try_from(depth).ok().filter(|&depth| depth != 0);
                    SetOptionResult::Accepted
                }
                Err(_) => SetOptionResult::InvalidValue("a number of steps"),
            },
            "nodes" => match value.parse::<u64>() {
                Ok(nodes) => {
                    self.nodes = Some(nodes).filter(|&nodes| nodes != 0);
                    SetOptionResult::Accepted
                }
                Err(_) => SetOptionResult::InvalidValue("a number of positions"),
            },
            "multipv" => match value.parse() {
                Ok(lines @ 1..=100) => {
                    self.multipv = lines;
                    SetOptionResult::Accepted
                }
                _ => SetOptionResult::InvalidValue("a number of lines from 1 to 100"),
            },
            "movetime" => seconds().map_or(bad_seconds, |time| {
                self.movetime = Some(time).filter(|time| !time.is_zero());
                SetOptionResult::Accepted
            }),
            "tctotal" | "tcturns" | "gused" | "sused" | "lastmoveused" => {
                // They end the game, which is the controller's business.
                if seconds().is_some() { SetOptionResult::Accepted } else { bad_seconds }
            }
            "opponent" | "opponent_rating" | "rating" | "rated" | "event" => SetOptionResult::Accepted,
            _ => SetOptionResult::Unrecognized,
        }
    }

    /// How many lines the controller wants to hear of.
    pub(crate) const fn multipv(&self) -> usize {
        self.multipv
    }

    /// A new game begins: the reserves are full again.
    pub(crate) const fn new_game(&mut self) {
        self.reserves = [None; 2];
        self.move_used = Duration::ZERO;
    }

    /// What an engine may use for the turn of this side.
    pub(crate) fn limits(&self, side: Side, setup: bool) -> Limits {
        let mut clock = Clock::new(self.control);
        for side in Side::BOTH {
            if let Some(reserve) = self.reserves[side as usize] {
                clock.set_reserve(side, reserve);
            }
        }
        let timed = !self.control.per_turn.is_zero() || !clock.reserve(side).is_zero();
        let time = match self.movetime {
            Some(time) => Some(TimeBudget::fixed(time)),
            None => timed.then(|| time_budget(&clock, side, setup, self.move_used, MOVE_OVERHEAD)),
        };
        Limits { depth: self.depth, nodes: self.nodes, time }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_options_become_limits() {
        let mut clocks = TimeOptions::default();
        assert_eq!(clocks.limits(Side::Gold, false), Limits::default());
        for (name, value) in [("tcmove", "30"), ("tcreserve", "100"), ("tcpercent", "0"), ("depth", "8")] {
            assert_eq!(clocks.set(name, value), SetOptionResult::Accepted);
        }
        let limits = clocks.limits(Side::Gold, false);
        assert_eq!((limits.depth, limits.nodes), (Some(8), None));
        assert_eq!(limits.time.unwrap().hard, Duration::from_secs(55));
        clocks.set("greserve", "0");
        clocks.set("moveused", "10");
        clocks.set("depth", "-1");
        let limits = clocks.limits(Side::Gold, false);
        assert_eq!((limits.depth, limits.time.unwrap().hard), (None, Duration::from_millis(19_900)));
        clocks.new_game();
        assert_eq!(clocks.limits(Side::Gold, false).time.unwrap().hard, Duration::from_secs(55));
    }

    #[test]
    fn wrong_values_are_told_from_unknown_names() {
        let mut clocks = TimeOptions::default();
        assert_eq!(clocks.set("tcmove", "soon"), SetOptionResult::InvalidValue("a number of seconds"));
        assert_eq!(clocks.set("tcmove", "-5"), SetOptionResult::InvalidValue("a number of seconds"));
        assert_eq!(clocks.set("tcmove", "NaN"), SetOptionResult::InvalidValue("a number of seconds"));
        assert_eq!(
            clocks.set("tcpercent", "101"),
            SetOptionResult::InvalidValue("a percentage from 0 to 100")
        );
        assert_eq!(
            clocks.set("multipv", "0"),
            SetOptionResult::InvalidValue("a number of lines from 1 to 100")
        );
        assert_eq!((clocks.set("multipv", "3"), clocks.multipv()), (SetOptionResult::Accepted, 3));
        assert_eq!(clocks.set("hash", "16"), SetOptionResult::Unrecognized);
        assert_eq!(clocks.set("opponent", "anybody at all"), SetOptionResult::Accepted);
    }
}
