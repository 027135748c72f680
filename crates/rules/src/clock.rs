//! Time controls and the clocks of a game.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::notation::shortened;
use crate::{Game, Side};

/// A time control `M/R/P/L/G/T`: time per turn, initial reserve, percentage of unused time added to it, reserve limit,
/// game limit, turn limit.
///
/// ```
/// use surus_rules::TimeControl;
/// use std::time::Duration;
///
/// let control: TimeControl = "15s/2m30s/100".parse()?;
/// assert_eq!(control.reserve, Duration::from_secs(150));
/// assert_eq!(control.to_string(), "15s/2m30s/100/0/0/0");
/// # Ok::<(), surus_rules::TimeControlError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TimeControl {
    /// Time for each turn.
    pub per_turn: Duration,
    /// The initial reserve.
    pub reserve: Duration,
    /// The percentage of a turn's unused time that is added to the reserve.
    pub percent: u32,
    /// The reserve above which nothing is added; zero means no limit.
    pub reserve_limit: Duration,
    /// The limit after which the game is decided by counting pieces.
    pub game_limit: GameLimit,
    /// The maximum duration of a turn, including reserve; zero means no limit.
    pub turn_limit: Duration,
}

/// The limit of a whole game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameLimit {
    /// No limit.
    #[default]
    None,
    /// A total time.
    Time(Duration),
    /// A number of turns of each side.
    Turns(u32),
}

/// A text that is not a time control.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TimeControlError {
    /// A part that is not a time.
    #[error(
        "invalid {part} '{found}' in '{text}': expected a time such as 15s, 0.2s, 2m30s, 2:30 or 1h, \
         at most 100 years (a plain number means {unit})"
    )]
    Time {
        /// The name of the part.
        part: &'static str,
        /// Its text.
        found: String,
        /// The full text.
        text: String,
        /// The unit of a plain number.
        unit: &'static str,
    },
    /// An invalid percentage.
    #[error("invalid percentage '{found}' in '{text}': expected 0 to 100")]
    Percent {
        /// The text of the percentage.
        found: String,
        /// The full text.
        text: String,
    },
    /// Too many or too few parts.
    #[error(
        "'{text}' has {found} parts, expected 1 to 6: turn/reserve/percent/reserve limit/game limit/turn limit"
    )]
    Parts {
        /// The full text.
        text: String,
        /// The number of parts.
        found: usize,
    },
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let parts: Vec<&str> = text.split('/').map(str::trim).collect();
        let short = || shortened(text);
        let found = if text.trim().is_empty() { 0 } else { parts.len() };
        if !(1..=6).contains(&found) {
            return Err(TimeControlError::Parts { text: short(), found });
        }
        let part = |index: usize| parts.get(index).copied().unwrap_or_default();
        let time = |index: usize, name, unit: Unit| match part(index) {
            // Only the first part is mandatory.
            "" if index != 0 => Ok(Duration::ZERO),
            found => parse_time(found, unit).ok_or_else(|| TimeControlError::Time {
                part: name,
                found: shortened(found),
                text: short(),
                unit: unit.name(),
            }),
        };
        let per_turn = time(0, "time per turn", Unit::Minutes)?;
        let reserve = time(1, "reserve", Unit::Minutes)?;
        let percent = match part(2) {
            "" => 100,
            found => number(found)
                .filter(|&percent| percent <= 100)
                .ok_or_else(|| TimeControlError::Percent { found: shortened(found), text: short() })?,
        };
        let reserve_limit = time(3, "reserve limit", Unit::Minutes)?;
        let game_limit = match part(4).strip_suffix(['t', 'T']).and_then(number) {
            Some(0) => GameLimit::None,
            Some(turns) => GameLimit::Turns(turns),
            None => match time(4, "game limit", Unit::Hours)? {
                Duration::ZERO => GameLimit::None,
                limit => GameLimit::Time(limit),
            },
        };
        let turn_limit = time(5, "turn limit", Unit::Minutes)?;
        Ok(Self { per_turn, reserve, percent, reserve_limit, game_limit, turn_limit })
    }
}

/// Digits only: the standard library also accepts a leading plus.
fn number<N: FromStr>(text: &str) -> Option<N> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
}

/// The unit of a plain number.
#[derive(Clone, Copy)]
enum Unit {
    Minutes,
    Hours,
}

impl Unit {
    const fn seconds(self) -> u64 {
        match self {
            Self::Minutes => 60,
            Self::Hours => 3600,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Minutes => "minutes",
            Self::Hours => "hours, 80t means 80 turns",
        }
    }
}

/// Parses `15s`, `0.2s`, `2m30s`, `1h`, `2d`, `2:30` (units and sixtieths of them), or a number of `unit`s.
fn parse_time(text: &str, unit: Unit) -> Option<Duration> {
    // A century is longer than any game, and sums of times are far from overflowing.
    const MAX: Duration = Duration::from_secs(100 * 366 * 86_400);
    let time = if let Some((units, sixtieths)) = text.split_once(':') {
        let sixtieths = number::<u64>(sixtieths).filter(|&part| part < 60)?;
        let seconds = number::<u64>(units)?.checked_mul(unit.seconds())?;
        Duration::from_secs(seconds.checked_add(sixtieths * unit.seconds() / 60)?)
    } else if let Some(number) = number::<u64>(text) {
        Duration::from_secs(number.checked_mul(unit.seconds())?)
    } else if text.is_empty() {
        return None;
    } else {
        let mut rest = text;
        let mut total = Duration::ZERO;
        while !rest.is_empty() {
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
            let integer =
                |factor: u64| number::<u64>(&rest[..end])?.checked_mul(factor).map(Duration::from_secs);
            let part = match rest.as_bytes()[end].to_ascii_lowercase() {
                b's' => parse_seconds(&rest[..end]),
                b'm' => integer(60),
                b'h' => integer(3600),
                b'd' => integer(86_400),
                _ => None,
            };
            total = total.checked_add(part?)?;
            rest = &rest[end + 1..];
        }
        total
    };
    (time <= MAX).then_some(time)
}

/// Parses seconds with an optional fraction of up to nine digits.
fn parse_seconds(text: &str) -> Option<Duration> {
    let Some((integer, fraction)) = text.split_once('.') else {
        return number(text).map(Duration::from_secs);
    };
    if !(1..=9).contains(&fraction.len()) {
        return None;
    }
    let nanoseconds = number::<u32>(&format!("{fraction:0<9}"))?;
    Some(Duration::new(number(integer)?, nanoseconds))
}

/// Formats a duration for [`TimeControl`].
struct DisplayDuration(Duration);

impl fmt::Display for DisplayDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_zero() {
            return f.write_str("0");
        }
        let (seconds, nanoseconds) = (self.0.as_secs(), self.0.subsec_nanos());
        for (part, unit) in [(seconds / 3600, 'h'), (seconds / 60 % 60, 'm')] {
            if part != 0 {
                write!(f, "{part}{unit}")?;
            }
        }
        match (seconds % 60, nanoseconds) {
            (0, 0) => Ok(()),
            (seconds, 0) => write!(f, "{seconds}s"),
            (seconds, nanoseconds) => {
                let fraction = format!("{nanoseconds:09}");
                write!(f, "{seconds}.{}s", fraction.trim_end_matches('0'))
            }
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", DisplayDuration(self.per_turn), DisplayDuration(self.reserve), self.percent)?;
        write!(f, "/{}/", DisplayDuration(self.reserve_limit))?;
        match self.game_limit {
            GameLimit::None => f.write_str("0")?,
            GameLimit::Time(limit) => write!(f, "{}", DisplayDuration(limit))?,
            GameLimit::Turns(turns) => write!(f, "{turns}t")?,
        }
        write!(f, "/{}", DisplayDuration(self.turn_limit))
    }
}

/// A side that has used up its time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0} is out of time")]
pub struct OutOfTime(pub Side);

/// The reserves of both sides during a game.
///
/// ```
/// use surus_rules::{Clock, Side};
/// use std::time::Duration;
///
/// let mut clock = Clock::new("30s/60s/50/70s".parse()?);
/// clock.charge(Side::Gold, Duration::from_secs(20), false).unwrap();
/// assert_eq!(clock.reserve(Side::Gold), Duration::from_secs(65));
/// assert_eq!(clock.available(Side::Gold, false), Duration::from_secs(95));
/// # Ok::<(), surus_rules::TimeControlError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    control: TimeControl,
    reserves: [Duration; 2],
}

impl Clock {
    /// A clock with initial reserves.
    #[must_use]
    pub const fn new(control: TimeControl) -> Self {
        Self { control, reserves: [control.reserve; 2] }
    }

    /// The time control.
    #[must_use]
    pub const fn control(&self) -> &TimeControl {
        &self.control
    }

    /// The reserve of a side.
    #[must_use]
    pub const fn reserve(&self, side: Side) -> Duration {
        self.reserves[side as usize]
    }

    /// Sets the reserve of a side, for clocks that are kept elsewhere.
    pub const fn set_reserve(&mut self, side: Side, reserve: Duration) {
        self.reserves[side as usize] = reserve;
    }

    /// The time for a turn before the reserve is used; a setup has at least a minute.
    #[must_use]
    pub fn per_turn(&self, setup: bool) -> Duration {
        if setup { self.control.per_turn.max(Duration::from_secs(60)) } else { self.control.per_turn }
    }

    /// The maximum time that a side may use for this turn.
    #[must_use]
    pub fn available(&self, side: Side, setup: bool) -> Duration {
        let all = self.per_turn(setup).saturating_add(self.reserve(side));
        if self.control.turn_limit.is_zero() { all } else { all.min(self.control.turn_limit) }
    }

    /// Charges a finished turn. Unused time of a setup is not added to the reserve.
    pub fn charge(&mut self, side: Side, used: Duration, setup: bool) -> Result<(), OutOfTime> {
        if used > self.available(side, setup) {
            return Err(OutOfTime(side));
        }
        let per_turn = self.per_turn(setup);
        let reserve = &mut self.reserves[side as usize];
        if used > per_turn {
            *reserve = reserve.saturating_sub(used - per_turn);
        } else if !setup {
            let unused = (per_turn - used).saturating_mul(self.control.percent) / 100;
            let limit =
                if self.control.reserve_limit.is_zero() { Duration::MAX } else { self.control.reserve_limit };
            *reserve = (*reserve).max(reserve.saturating_add(unused).min(limit));
        }
        Ok(())
    }
}

impl Game {
    /// The winner when the game's limit is reached: the side with more pieces after the last finished turn, or with equal
    /// numbers the side that last had more, or silver if neither ever did.
    #[must_use]
    pub fn winner_by_piece_count(&self) -> Side {
        let boards = self.entries().iter().rev().map(|entry| &entry.board).chain([self.origin().0]);
        boards
            .map(|board| (board.by_side(Side::Gold).len(), board.by_side(Side::Silver).len()))
            // Before silver's setup there is nothing to compare.
            .filter(|&(_, silver)| silver != 0)
            .find(|(gold, silver)| gold != silver)
            .map_or(Side::Silver, |(gold, silver)| if gold > silver { Side::Gold } else { Side::Silver })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn both_styles_are_read_and_the_modern_one_is_written() {
        for (text, written) in [
            ("2/2/100/10/8", "2m/2m/100/10m/8h/0"),
            ("15s/2m30s/100", "15s/2m30s/100/0/0/0"),
            ("8s/0/0", "8s/0/0/0/0/0"),
            ("2m/6m/100/0/7h49s/0", "2m/6m/100/0/7h49s/0"),
            ("2:30/5/75/10/80t/4", "2m30s/5m/75/10m/80t/4m"),
            ("1d/30d/100/0/0/2d", "24h/720h/100/0/0/48h"),
            ("0/0/0/0/0", "0/0/0/0/0/0"),
            ("3", "3m/0/100/0/0/0"),
            (" 1 / 2 / 50 / 3 / 1:30 ", "1m/2m/50/3m/1h30m/0"),
            ("0.2s/4s/100/8s", "0.2s/4s/100/8s/0/0"),
            ("1m0.5s/61.25s/100/0/1h0.000000001s/0.050s", "1m0.5s/1m1.25s/100/0/1h0.000000001s/0.05s"),
        ] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), written);
            assert_eq!(written.parse::<TimeControl>().unwrap(), control);
        }
    }

    #[test]
    fn only_seconds_have_fractions() {
        for text in
            ["0.5", "1.5m", "0.5:30", ".5s", "1.s", "1..5s", "0.0000000001s", "1.5", "s", "1.+5s", "-1s"]
        {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
        let mut clock = Clock::new("0.2s/4s/100/8s".parse().unwrap());
        clock.charge(Side::Gold, Duration::from_millis(50), false).unwrap();
        assert_eq!(clock.reserve(Side::Gold), Duration::from_millis(4150));
        assert_eq!(clock.available(Side::Gold, false), Duration::from_millis(4350));
    }

    #[test]
    fn unused_time_is_added_up_to_the_limit_and_overtime_is_taken_from_the_reserve() {
        let mut clock = Clock::new("30s/60s/50/70s".parse().unwrap());
        clock.charge(Side::Gold, seconds(10), false).unwrap();
        assert_eq!(clock.reserve(Side::Gold), seconds(70));
        clock.charge(Side::Gold, seconds(0), false).unwrap();
        assert_eq!(clock.reserve(Side::Gold), seconds(70), "full");
        clock.charge(Side::Gold, seconds(50), false).unwrap();
        assert_eq!(clock.reserve(Side::Gold), seconds(50));
        assert_eq!(clock.available(Side::Gold, false), seconds(80));
        assert_eq!(clock.charge(Side::Gold, seconds(81), false), Err(OutOfTime(Side::Gold)));
        assert_eq!(clock.reserve(Side::Silver), seconds(60));
    }

    #[test]
    fn a_reserve_above_its_limit_is_not_cut() {
        let mut clock = Clock::new("30s/90s/100/70s".parse().unwrap());
        clock.charge(Side::Silver, seconds(10), false).unwrap();
        assert_eq!(clock.reserve(Side::Silver), seconds(90));
    }

    #[test]
    fn a_setup_has_a_minute_and_saves_nothing_of_it() {
        let mut clock = Clock::new("15s/0".parse().unwrap());
        clock.charge(Side::Gold, seconds(5), true).unwrap();
        assert_eq!(clock.reserve(Side::Gold), seconds(0));
        clock.charge(Side::Gold, seconds(60), true).unwrap();
        assert_eq!(clock.charge(Side::Gold, seconds(61), true), Err(OutOfTime(Side::Gold)));
        let mut slow = Clock::new("2m/1m".parse().unwrap());
        slow.charge(Side::Gold, seconds(60), true).unwrap();
        assert_eq!(slow.reserve(Side::Gold), seconds(60));
        slow.charge(Side::Gold, seconds(150), true).unwrap();
        assert_eq!(slow.reserve(Side::Gold), seconds(30));
    }

    #[test]
    fn the_turn_limit_cuts_the_reserve() {
        let mut clock = Clock::new("1m/10m/100/0/0/2m".parse().unwrap());
        assert_eq!(clock.available(Side::Gold, false), seconds(120));
        assert_eq!(clock.charge(Side::Gold, seconds(121), false), Err(OutOfTime(Side::Gold)));
    }
}
