//! The event log of a game: the gameroom's, and that of our own matches.
//!
//! The gameroom writes one line for everything that happens, of which the clocks after a turn are read:
//!
//! ```text
//! 1769946025 [Sun Feb  1 11:40:25 2026] after 2w, move used:3 wresv:5 bresv:0 game:20
//! ```
//!
//! Our matches write those lines without the time of day, with fractions of a second and with what the engine reported.
//! A line before them says where the game began if not with its setups, one behind them what the loser did wrong:
//!
//! ```text
//! begins 2g [64 characters]
//! after 2g, move used:0.213 gresv:5 sresv:0 game:0.213 score:win-3 depth:9 nodes:8123
//! fault: illegal turn 'Ee2s'
//! ```

use std::fmt;
use std::time::Duration;

use surus_rules::{Board, Diagram, Position, Score, TurnTag};

/// What an event log says. Lines that say something else are passed over.
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
    /// Where the game began, if not with its setups.
    pub start: Option<Diagram>,
    /// In the order in which they were played: after a takeback a turn comes again.
    pub turns: Vec<TurnEvent>,
    /// What the loser did wrong, if it was not beaten by the rules.
    pub fault: Option<String>,
}

/// The clocks after a turn, and what the engine reported of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TurnEvent {
    /// Which turn.
    pub tag: TurnTag,
    /// How long it took.
    pub used: Duration,
    /// The reserves after it, gold's first.
    pub reserves: [Option<Duration>; 2],
    /// How long the game has taken so far.
    pub game: Option<Duration>,
    /// The last score.
    pub score: Option<Score>,
    /// The last depth, in steps.
    pub depth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
}

impl EventLog {
    /// Reads a log in lines.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut log = Self { start: Self::start_of(text), ..Self::default() };
        for line in text.lines() {
            if let Some(fault) = line.strip_prefix("fault: ") {
                log.fault = Some(fault.into());
            } else {
                log.turns.extend(TurnEvent::parse(line));
            }
        }
        log
    }

    /// Where the game of a log began, without reading the rest of it.
    #[must_use]
    pub fn start_of(text: &str) -> Option<Diagram> {
        place(text.strip_prefix("begins ")?.split_once(']')?.0)
    }

    /// How long a turn took in the end: a turn that was played again counts as it was played last.
    #[must_use]
    pub fn used(&self, tag: TurnTag) -> Option<Duration> {
        self.turns.iter().rev().find(|turn| turn.tag == tag).map(|turn| turn.used)
    }
}

/// `2g [64 characters` with or without the last bracket.
pub(crate) fn place(text: &str) -> Option<Diagram> {
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
            words.find(|(known, _)| *known == name).map(|(_, value)| value)
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

/// `win-3` is one word of a line; the sign of `-120` is no blank.
fn score(text: &str) -> Option<Score> {
    let words = text.strip_prefix("win-").map(|turns| format!("win {turns}"));
    let words = words.or_else(|| text.strip_prefix("loss-").map(|turns| format!("loss {turns}")));
    words.as_deref().unwrap_or(text).parse().ok()
}

/// Whole seconds as the gameroom writes them, or milliseconds.
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
    /// The log in lines; [`GameRow`](crate::GameRow) makes one field of them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Vec::new();
        if let Some(Diagram { number, position }) = self.start {
            let tag = TurnTag { number, side: position.side() };
            lines.push(format!("begins {tag} [{}]", position.board().compact()));
        }
        lines.extend(self.turns.iter().map(ToString::to_string));
        // Whatever a program said must not look like the end of a line, or of this one's field.
        let in_a_line = |text: &String| text.replace(['\n', '\r'], " ").replace("\\n", "/n");
        lines.extend(self.fault.as_ref().map(|fault| format!("fault: {}", in_a_line(fault))));
        f.write_str(&lines.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use surus_rules::Side;

    use super::*;
    use crate::{Archive, GameRow, header};

    fn tag(text: &str) -> TurnTag {
        TurnTag::parse(text).unwrap()
    }

    #[test]
    fn the_gamerooms_log_gives_the_clocks_of_every_turn() {
        let text = "1 [Sun Feb  1 11:40:05 2026] start move received from w\n\
            2 [Sun Feb  1 11:40:08 2026] after 1w, move used:3 wresv:0 bresv:0 game:3\n\
            3 [Sun Feb  1 11:40:22 2026] move 1b received from b [ra7 mb7]\n\
            4 [Sun Feb  1 11:40:22 2026] after 1b, move used:14 wresv:5 bresv:7 game:17\n\
            5 [Sun Feb  1 11:40:23 2026] after 1b, move used:1 wresv:5 bresv:6 game:18";
        let log = EventLog::parse(text);
        let seconds = |turn: &TurnEvent| (turn.tag.to_string(), turn.used.as_secs());
        let told: Vec<_> = log.turns.iter().map(seconds).collect();
        assert_eq!(told, [("1g".into(), 3), ("1s".into(), 14), ("1s".into(), 1)]);
        assert_eq!(log.turns[1].reserves, [Some(Duration::from_secs(5)), Some(Duration::from_secs(7))]);
        assert_eq!(log.used(tag("1s")), Some(Duration::from_secs(1)));
        assert_eq!((log.used(tag("2g")), log.start, log.fault), (None, None, None));
        assert_eq!(EventLog::parse("NULL"), EventLog::default());
    }

    #[test]
    fn our_own_log_comes_back_out_of_a_row() {
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
            start: place(&format!("8s [{board}]")),
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
        let archive = Archive::parse(&format!("{}\n{row}\n", header())).unwrap();
        assert_eq!(archive.rows[0].events(), log);
        assert_eq!(archive.rows[0].start_position(), log.start);
        assert_eq!(
            log.to_string().lines().nth(1),
            Some("after 8s, move used:0.213 gresv:10 sresv:2.250 game:3.000 score:win-3 depth:9 nodes:8123")
        );
        let told = EventLog { fault: Some("C:\\new\nline".into()), ..EventLog::default() };
        let row = GameRow { events: told.to_string(), ..GameRow::default() };
        let archive = Archive::parse(&format!("{}\n{row}\n", header())).unwrap();
        assert_eq!(archive.rows[0].events().fault.as_deref(), Some("C:/new line"));
    }
}
