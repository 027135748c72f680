//! The clock of the turn in progress, by the server's time.

use std::time::Duration;

use surus_rules::{Clock, GameLimit, Side, TimeControl};

use super::Fields;

/// The time control and the reserves in a state, in whole seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TurnTimes {
    /// The time control; outside the setup, of the turn in progress.
    pub control: TimeControl,
    /// The reserves, gold's first.
    pub reserves: [Duration; 2],
}

/// The time that a side has for the turn in progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TurnClock {
    /// The clock of the game, with its reserves.
    pub clock: Clock,
    /// The time the turn has taken when the server wrote the state, rounded up.
    pub used: Duration,
    /// The time that was left then.
    pub left: Duration,
}

fn seconds(fields: &Fields, key: &str) -> Option<Duration> {
    fields.number::<f64>(key).filter(|seconds| (0.0..4e9).contains(seconds)).map(Duration::from_secs_f64)
}

/// The names of a side's fields start with the old letter.
const fn letter(side: Side) -> char {
    super::side_letter(side)
}

impl TurnTimes {
    /// Reads the time control; `None` without a time per turn.
    pub(crate) fn parse(fields: &Fields) -> Option<Self> {
        let zero = |key: &str| seconds(fields, key).unwrap_or_default();
        // During the setup, tcmove is at least a minute and tcmoveorig has the value of the time control.
        let per_turn = seconds(fields, "tcmoveorig").or_else(|| seconds(fields, "tcmove"))?;
        let game_limit = match (fields.number("tcturns"), zero("tctotal")) {
            (Some(turns @ 1..), _) => GameLimit::Turns(turns),
            (_, Duration::ZERO) => GameLimit::None,
            (_, limit) => GameLimit::Time(limit),
        };
        let control = TimeControl {
            per_turn,
            reserve: zero("tcreserve"),
            percent: fields.number("tcpercent").unwrap_or(100).min(100),
            reserve_limit: zero("tcmax"),
            game_limit,
            turn_limit: zero("tcturntime"),
        };
        let reserve = |side| seconds(fields, &format!("tc{}reserve2", letter(side)));
        let reserves = Side::BOTH.map(|side| reserve(side).unwrap_or(control.reserve));
        Some(Self { control, reserves })
    }

    /// The clock of `side`, whose turn it is.
    pub(crate) fn turn_clock(&self, fields: &Fields, side: Side, setup: bool) -> TurnClock {
        let mut clock = Clock::new(self.control);
        Side::BOTH.into_iter().for_each(|side| clock.set_reserve(side, self.reserves[side as usize]));
        // Both are in whole seconds, and the second that has begun counts as used.
        let age = fields.number::<i64>("timeonserver").and_then(|now| {
            let start =
                fields.number::<i64>(&format!("{}startmove", letter(side))).filter(|&start| start > 0)?;
            u64::try_from(now.checked_sub(start)?).ok().map(Duration::from_secs)
        });
        let reported = seconds(fields, &format!("{}used", letter(side)));
        let used = age.max(reported).map_or(Duration::ZERO, |used| used + Duration::from_secs(1));
        TurnClock { clock, used, left: clock.available(side, setup).saturating_sub(used) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Fields {
        Fields::parse(&text.replace(' ', "\n"))
    }

    #[test]
    fn the_age_of_the_turn_is_rounded_up() {
        let state = fields(
            "tcmove=60 tcreserve=120 tcpercent=50 tcmax=300 tcturntime=0 tcwreserve2=90 tcbreserve2=120 \
             timeonserver=1010 wstartmove=1000 wused=3",
        );
        let times = TurnTimes::parse(&state).unwrap();
        assert_eq!(times.control.to_string(), "1m/2m/50/5m/0/0");
        let gold = times.turn_clock(&state, Side::Gold, false);
        assert_eq!((gold.used.as_secs(), gold.left.as_secs()), (11, 139));
        // Without a start, the reported time counts; without either, the turn is new.
        let silver = times.turn_clock(&state, Side::Silver, false);
        assert_eq!((silver.used.as_secs(), silver.left.as_secs()), (0, 180));
    }

    #[test]
    fn the_turn_limit_caps_the_time_and_the_setup_has_a_minute() {
        let state = fields("tcmove=60 tcmoveorig=15 tcwreserve2=300 tcturntime=100 tcturns=50");
        let times = TurnTimes::parse(&state).unwrap();
        assert_eq!(times.control.game_limit, GameLimit::Turns(50));
        assert_eq!(times.turn_clock(&state, Side::Gold, false).left.as_secs(), 100);
        let state = fields("tcmove=60 tcmoveorig=15");
        let times = TurnTimes::parse(&state).unwrap();
        assert_eq!(times.turn_clock(&state, Side::Gold, true).left.as_secs(), 60);
        assert_eq!(times.turn_clock(&state, Side::Gold, false).left.as_secs(), 15);
        assert_eq!(TurnTimes::parse(&fields("tcreserve=9")), None);
    }
}
