//! The event log of a game, as written by the gameroom and by Surus.
//!
//! The gameroom writes one line per event, of which the clocks after each turn are read:
//!
//! ```text
//! 1769946025 [Sun Feb  1 11:40:25 2026] after 2w, move used:3 wresv:5 bresv:0 game:20
//! ```
//!
//! Surus writes these lines without the time of day, with fractions of a second and with the results of the search. A line
//! before them has the start position of a game without setups, a line after them the fault of the loser:
//!
//! ```text
//! begins 2g [64 characters]
//! after 2g, move used:0.213 gresv:5 sresv:0 game:0.213 score:win-3 depth:9 nodes:8123
//! fault: illegal turn 'Ee2s'
//! ```

use std::fmt;
use std::time::Duration;

use surus_rules::{Board, Diagram, Position, Score, TurnTag};

/// A parsed event log. Unknown lines are ignored.
///
/// ```
/// use surus_record::EventLog;
///
/// let log = EventLog::parse("after 2g, move used:0.5 gresv:5 sresv:0 game:0.5 score:-120");
/// assert_eq!(log.turns[0].used.as_millis(), 500);
/// assert_eq!(EventLog::parse(&log.to_string()), log);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EventLog {
    /// The start position, if the game does not start with its setups.
    pub start: Option<Diagram>,
    /// Turns in the order of play: after a takeback, a turn is repeated.
    pub turns: Vec<TurnEvent>,
    /// The fault by which the loser forfeited, if any.
    pub fault: Option<String>,
}

/// The clocks after a turn, and the results of the search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TurnEvent {
    /// Number and side of the turn.
    pub tag: TurnTag,
    /// Time used.
    pub used: Duration,
    /// Reserves after the turn, gold's first.
    pub reserves: [Option<Duration>; 2],
    /// Total time of the game so far.
    pub game: Option<Duration>,
    /// Last reported score.
    pub score: Option<Score>,
    /// Last reported depth in steps.
    pub depth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
}

impl EventLog {
    /// Parses a log.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut log = Self { start: Self::parse_start(text), ..Self::default() };
        for line in text.lines() {
            if let Some(fault) = line.strip_prefix("fault: ") {
                log.fault = Some(fault.into());
            } else {
                log.turns.extend(TurnEvent::parse(line));
            }
        }
        log
    }

    /// Parses only the start position.
    #[must_use]
    pub fn parse_start(text: &str) -> Option<Diagram> {
        parse_start_position(text.strip_prefix("begins ")?.split_once(']')?.0)
    }

    /// The time used for a turn; after takebacks, that of its last occurrence.
    #[must_use]
    pub fn used(&self, tag: TurnTag) -> Option<Duration> {
        self.turns.iter().rev().find(|turn| turn.tag == tag).map(|turn| turn.used)
    }
}

/// Parses `2g [64 characters`, with or without the closing bracket.
pub(crate) fn parse_start_position(text: &str) -> Option<Diagram> {
    let (tag, squares) = text.split_once(" [")?;
    let tag = TurnTag::parse(tag.trim())?;
    let board = Board::from_compact(squares.strip_suffix(']').unwrap_or(squares)).ok()?;
    Some(Diagram { number: tag.number, position: Position::new(board, tag.side).ok()? })
}

impl TurnEvent {
    fn parse(line: &str) -> Option<Self> {
        let rest = match line.split_once("] after ") {
            Some((_, rest)) => rest,
            None => line.strip_prefix("after ")?,
        };
        let (tag, values) = rest.split_once(", move ")?;
        let value = |name: &str| {
            let mut words = values.split_whitespace().filter_map(|word| word.split_once(':'));
            words.find(|(key, _)| *key == name).map(|(_, value)| value)
        };
        let time = |name: &str| value(name).and_then(duration);
        Some(Self {
            tag: TurnTag::parse(tag)?,
            used: time("used")?,
            reserves: [time("gresv").or_else(|| time("wresv")), time("sresv").or_else(|| time("bresv"))],
            game: time("game"),
            score: value("score").and_then(score),
            depth: value("depth").and_then(|text| text.parse().ok()),
            nodes: value("nodes").and_then(|text| text.parse().ok()),
        })
    }
}

fn duration(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}

/// Parses a score, in which a hyphen replaces the space of `win 3` but `-120` is a number.
fn score(text: &str) -> Option<Score> {
    let words = text.strip_prefix("win-").map(|turns| format!("win {turns}"));
    let words = words.or_else(|| text.strip_prefix("loss-").map(|turns| format!("loss {turns}")));
    words.as_deref().unwrap_or(text).parse().ok()
}

/// Formats integral seconds like the gameroom, others with milliseconds.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.subsec_millis() {
            0 => write!(f, "{}", self.0.as_secs()),
            _ => write!(f, "{:.3}", self.0.as_secs_f64()),
        }
    }
}

impl fmt::Display for TurnEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "after {}, move used:{:.3}", self.tag, self.used.as_secs_f64())?;
        for (name, reserve) in ["gresv", "sresv"].into_iter().zip(self.reserves) {
            if let Some(reserve) = reserve {
                write!(f, " {name}:{}", Seconds(reserve))?;
            }
        }
        if let Some(game) = self.game {
            write!(f, " game:{:.3}", game.as_secs_f64())?;
        }
        if let Some(score) = self.score {
            write!(f, " score:{}", score.to_string().replace(' ', "-"))?;
        }
        if let Some(depth) = self.depth {
            write!(f, " depth:{depth}")?;
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes:{nodes}")?;
        }
        Ok(())
    }
}

impl fmt::Display for EventLog {
    /// Formats the log as lines, which [`GameRow`](crate::GameRow) joins to one field.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Vec::new();
        if let Some(Diagram { number, position }) = self.start {
            let tag = TurnTag { number, side: position.side() };
            lines.push(format!("begins {tag} [{}]", position.board().compact()));
        }
        lines.extend(self.turns.iter().map(ToString::to_string));
        // The text of an engine must not contain line separators.
        let escape = |text: &String| text.replace(['\n', '\r'], " ").replace("\\n", "/n");
        lines.extend(self.fault.as_ref().map(|fault| format!("fault: {}", escape(fault))));
        f.write_str(&lines.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use surus_rules::Side;

    use super::*;
    use crate::{ArchiveFile, GameRow, header};

    fn tag(text: &str) -> TurnTag {
        TurnTag::parse(text).unwrap()
    }

    #[test]
    fn parses_the_log_of_the_gameroom() {
        let text = "1 [Sun Feb  1 11:40:05 2026] start move received from w\n\
            2 [Sun Feb  1 11:40:08 2026] after 1w, move used:3 wresv:0 bresv:0 game:3\n\
            3 [Sun Feb  1 11:40:22 2026] move 1b received from b [ra7 mb7]\n\
            4 [Sun Feb  1 11:40:22 2026] after 1b, move used:14 wresv:5 bresv:7 game:17\n\
            5 [Sun Feb  1 11:40:23 2026] after 1b, move used:1 wresv:5 bresv:6 game:18";
        let log = EventLog::parse(text);
        let seconds = |turn: &TurnEvent| (turn.tag.to_string(), turn.used.as_secs());
        let parsed: Vec<_> = log.turns.iter().map(seconds).collect();
        assert_eq!(parsed, [("1g".into(), 3), ("1s".into(), 14), ("1s".into(), 1)]);
        assert_eq!(log.turns[1].reserves, [Some(Duration::from_secs(5)), Some(Duration::from_secs(7))]);
        assert_eq!(log.used(tag("1s")), Some(Duration::from_secs(1)));
        assert_eq!((log.used(tag("2g")), log.start, log.fault), (None, None, None));
        assert_eq!(EventLog::parse("NULL"), EventLog::default());
    }

    #[test]
    fn a_log_round_trips_through_a_row() {
        let board = "r    rrr rc  c hh  r  d      r    d re   D EM D H Cm C HRRRRRRRR";
        let turn = |text, millis, score| TurnEvent {
            tag: tag(text),
            used: Duration::from_millis(millis),
            reserves: [Some(Duration::from_secs(10)), Some(Duration::from_millis(2_250))],
            game: Some(Duration::from_millis(3_000)),
            score,
            depth: Some(9),
            nodes: Some(8_123),
        };
        let log = EventLog {
            start: parse_start_position(&format!("8s [{board}]")),
            turns: vec![
                turn("8s", 213, Some(Score::Win { turns: 3 })),
                turn("9g", 1_000, Some(Score::Centirabbits(-120))),
                turn("9s", 0, Some(Score::Loss { turns: 1 })),
                turn("10g", 7, None),
            ],
            fault: Some("illegal turn 'Ee2s'".into()),
        };
        assert_eq!(log.start.unwrap().position.side(), Side::Silver);
        let row = GameRow { events: log.to_string(), ..GameRow::default() };
        let archive = ArchiveFile::parse(&format!("{}\n{row}\n", header())).unwrap();
        assert_eq!(archive.rows[0].events(), log);
        assert_eq!(archive.rows[0].start_position(), log.start);
        assert_eq!(
            log.to_string().lines().nth(1),
            Some("after 8s, move used:0.213 gresv:10 sresv:2.250 game:3.000 score:win-3 depth:9 nodes:8123")
        );
        let log = EventLog { fault: Some("C:\\new\nline".into()), ..EventLog::default() };
        let row = GameRow { events: log.to_string(), ..GameRow::default() };
        let archive = ArchiveFile::parse(&format!("{}\n{row}\n", header())).unwrap();
        assert_eq!(archive.rows[0].events().fault.as_deref(), Some("C:/new line"));
    }
}
