//! The standard options for time and limits.

use std::time::Duration;

use surus_play::{Limits, TimeBudget, time_budget};
use surus_rules::{Clock, GameLimit, Side, TimeControl};

/// Time control and limits set by the controller.
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

/// The result of [`TimeOptions::set`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SetOptionResult {
    Accepted,
    /// Not one of these options.
    Unrecognized,
    /// An invalid value, with the expected one.
    InvalidValue(&'static str),
}

/// Time reserved per turn for the transmission of the answer.
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
    /// Sets a time, depth or nodes option. Informational options are accepted and ignored.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> SetOptionResult {
        let seconds = || {
            let seconds: f64 = value.parse().ok()?;
            (0.0..1e9).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
        };
        let invalid_seconds = SetOptionResult::InvalidValue("a number of seconds");
        let mut time = |field: fn(&mut Self) -> &mut Duration| {
            seconds().map_or(invalid_seconds, |time| {
                *field(self) = time;
                SetOptionResult::Accepted
            })
        };
        match name {
            "tcmove" => time(|options| &mut options.control.per_turn),
            "tcreserve" => time(|options| &mut options.control.reserve),
            "tcmax" => time(|options| &mut options.control.reserve_limit),
            "tcturntime" => time(|options| &mut options.control.turn_limit),
            "moveused" => time(|options| &mut options.move_used),
            "greserve" | "sreserve" => {
                let side = if name == "greserve" { Side::Gold } else { Side::Silver };
                seconds().map_or(invalid_seconds, |time| {
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
            "movetime" => seconds().map_or(invalid_seconds, |time| {
                self.movetime = Some(time).filter(|time| !time.is_zero());
                SetOptionResult::Accepted
            }),
            "tctotal" | "tcturns" | "gused" | "sused" | "lastmoveused" => {
                // The controller ends games and measures times itself.
                if seconds().is_some() { SetOptionResult::Accepted } else { invalid_seconds }
            }
            "opponent" | "opponent_rating" | "rating" | "rated" | "event" => SetOptionResult::Accepted,
            _ => SetOptionResult::Unrecognized,
        }
    }

    pub(crate) const fn multipv(&self) -> usize {
        self.multipv
    }

    /// Resets the reserves.
    pub(crate) const fn new_game(&mut self) {
        self.reserves = [None; 2];
        self.move_used = Duration::ZERO;
    }

    /// The limits of the next turn of `side`.
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
    fn standard_options_set_limits() {
        let mut options = TimeOptions::default();
        assert_eq!(options.limits(Side::Gold, false), Limits::default());
        for (name, value) in [("tcmove", "30"), ("tcreserve", "100"), ("tcpercent", "0"), ("depth", "8")] {
            assert_eq!(options.set(name, value), SetOptionResult::Accepted);
        }
        let limits = options.limits(Side::Gold, false);
        assert_eq!((limits.depth, limits.nodes), (Some(8), None));
        assert_eq!(limits.time.unwrap().hard, Duration::from_secs(40));
        options.set("greserve", "0");
        options.set("moveused", "10");
        options.set("depth", "-1");
        let limits = options.limits(Side::Gold, false);
        assert_eq!((limits.depth, limits.time.unwrap().hard), (None, Duration::from_millis(19_900)));
        options.new_game();
        assert_eq!(options.limits(Side::Gold, false).time.unwrap().hard, Duration::from_secs(40));
    }

    #[test]
    fn invalid_values_differ_from_unknown_names() {
        let mut options = TimeOptions::default();
        assert_eq!(options.set("tcmove", "soon"), SetOptionResult::InvalidValue("a number of seconds"));
        assert_eq!(options.set("tcmove", "-5"), SetOptionResult::InvalidValue("a number of seconds"));
        assert_eq!(options.set("tcmove", "NaN"), SetOptionResult::InvalidValue("a number of seconds"));
        assert_eq!(
            options.set("tcpercent", "101"),
            SetOptionResult::InvalidValue("a percentage from 0 to 100")
        );
        assert_eq!(
            options.set("multipv", "0"),
            SetOptionResult::InvalidValue("a number of lines from 1 to 100")
        );
        assert_eq!((options.set("multipv", "3"), options.multipv()), (SetOptionResult::Accepted, 3));
        assert_eq!(options.set("hash", "16"), SetOptionResult::Unrecognized);
        assert_eq!(options.set("opponent", "any text"), SetOptionResult::Accepted);
    }
}
