//! The columns of the official game archive, and writing of rows.

use std::fmt;

use surus_rules::{Side, Termination};

/// Column names in order. Old files have `w` and `b` for the sides, and the oldest have no `corrupt`.
pub const COLUMNS: [&str; 29] = [
    "id",
    "gplayerid",
    "splayerid",
    "gusername",
    "susername",
    "gtitle",
    "stitle",
    "gcountry",
    "scountry",
    "grating",
    "srating",
    "gratingk",
    "sratingk",
    "gtype",
    "stype",
    "event",
    "site",
    "timecontrol",
    "postal",
    "startts",
    "endts",
    "result",
    "termination",
    "plycount",
    "mode",
    "rated",
    "corrupt",
    "movelist",
    "events",
];

/// Line separator of a record or log within a field.
pub(crate) const LINE_BREAK: &str = "\\n";

/// The header line of an archive file, without its line end.
#[must_use]
pub fn header() -> String {
    COLUMNS.join("\t")
}

/// The kind of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayerKind {
    /// Written `h`.
    Human,
    /// Written `b`.
    Bot,
}

/// One of the two players of a [`GameRow`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Player {
    /// Player number in the gameroom, 0 for none.
    pub id: u64,
    /// Name in the results.
    pub name: String,
    /// Title.
    pub title: String,
    /// Country as two letters.
    pub country: String,
    /// The rating before the game.
    pub rating: Option<i32>,
    /// K-factor of the rating.
    pub rating_k: Option<i32>,
    /// Human or bot.
    pub kind: Option<PlayerKind>,
}

/// A game to write as a row of an archive file; [`ArchiveHeader::parse_row`](crate::ArchiveHeader::parse_row) parses such rows.
///
/// ```
/// use surus_record::{ArchiveFile, GameRow, header};
///
/// let row = GameRow { id: 7, event: "a\tb".into(), record: "1g Ra1\n1s".into(), ..GameRow::default() };
/// let archive = ArchiveFile::parse(&format!("{}\n{row}\n", header()))?;
/// assert_eq!((archive.rows[0].id(), archive.rows[0].get("event")), ("7", "a b"));
/// assert_eq!(archive.rows[0].record(), "1g Ra1\n1s");
/// # Ok::<(), surus_record::ArchiveFileError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRow {
    /// The number of the game.
    pub id: u64,
    /// Gold and silver.
    pub players: [Player; 2],
    /// The event.
    pub event: String,
    /// The site.
    pub site: String,
    /// The time control, in either notation.
    pub time_control: String,
    /// Whether it was a correspondence game.
    pub postal: bool,
    /// Start time in seconds since 1970.
    pub started: u64,
    /// End time in seconds since 1970.
    pub ended: u64,
    /// The winner; `None` is written as a draw.
    pub winner: Option<Side>,
    /// How the game ended.
    pub reason: Termination,
    /// Number of the last turn, counted once for both sides.
    pub turns: u32,
    /// The program that ran the game.
    pub mode: String,
    /// Whether the game was rated.
    pub rated: bool,
    /// The game record, one turn per line.
    pub record: String,
    /// The event log, see [`EventLog`](crate::EventLog).
    pub events: String,
}

impl Default for GameRow {
    fn default() -> Self {
        Self {
            id: 0,
            players: Default::default(),
            event: String::new(),
            site: String::new(),
            time_control: String::new(),
            postal: false,
            started: 0,
            ended: 0,
            winner: None,
            reason: Termination::Abandoned,
            turns: 0,
            mode: String::new(),
            rated: false,
            record: String::new(),
            events: String::new(),
        }
    }
}

impl GameRow {
    /// The value of a column, not yet escaped.
    fn value(&self, column: &str) -> String {
        let player = match column.as_bytes().first() {
            Some(b's') => &self.players[1],
            _ => &self.players[0],
        };
        let number = |number: Option<i32>| number.map_or_else(String::new, |number| number.to_string());
        let flag = |flag: bool| u8::from(flag).to_string();
        match column {
            "id" => self.id.to_string(),
            "gplayerid" | "splayerid" => player.id.to_string(),
            "gusername" | "susername" => player.name.clone(),
            "gtitle" | "stitle" => player.title.clone(),
            "gcountry" | "scountry" => player.country.clone(),
            "grating" | "srating" => number(player.rating),
            "gratingk" | "sratingk" => number(player.rating_k),
            "gtype" | "stype" => match player.kind {
                Some(PlayerKind::Human) => "h".into(),
                Some(PlayerKind::Bot) => "b".into(),
                None => String::new(),
            },
            "event" => self.event.clone(),
            "site" => self.site.clone(),
            "timecontrol" => self.time_control.clone(),
            "postal" => flag(self.postal),
            "startts" => self.started.to_string(),
            "endts" => self.ended.to_string(),
            "result" => self.winner.map_or('d', Side::letter).into(),
            "termination" => self.reason.letter().into(),
            "plycount" => self.turns.to_string(),
            "mode" => self.mode.clone(),
            "rated" => flag(self.rated),
            "movelist" => in_one_line(&self.record),
            "events" if self.events.trim().is_empty() => "NULL".into(),
            "events" => in_one_line(&self.events),
            // `corrupt` marks games that cannot be replayed; games written here are legal.
            _ => "0".into(),
        }
    }
}

impl fmt::Display for GameRow {
    /// Formats the row without a line end. Tabs and line ends in fields are replaced by spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = COLUMNS.map(|column| self.value(column).replace(['\t', '\n', '\r'], " "));
        f.write_str(&fields.join("\t"))
    }
}

/// Joins lines to a field.
fn in_one_line(text: &str) -> String {
    text.lines().map(str::trim_end).collect::<Vec<_>>().join(LINE_BREAK)
}

/// Splits the field of a record or log into lines.
#[must_use]
pub fn in_lines(field: &str) -> String {
    field.replace(LINE_BREAK, "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ArchiveFile;

    #[test]
    fn every_column_round_trips() {
        let player = |name: &str, id| Player {
            id,
            name: name.into(),
            title: "WC".into(),
            country: "US".into(),
            rating: Some(1500),
            rating_k: Some(-1),
            kind: Some(if id == 1 { PlayerKind::Human } else { PlayerKind::Bot }),
        };
        let row = GameRow {
            id: 9,
            players: [player("Ann", 1), player("Bob", 2)],
            event: "a\tb\r\nc".into(),
            site: "here".into(),
            time_control: "1s/2s".into(),
            postal: true,
            started: 5,
            ended: 6,
            winner: Some(Side::Silver),
            reason: Termination::Goal,
            turns: 12,
            mode: "Surus".into(),
            rated: true,
            record: "1g Ra1 \n1s".into(),
            events: String::new(),
        };
        let archive = ArchiveFile::parse(&format!("{}\n{row}\n", header())).unwrap();
        let read: Vec<&str> = COLUMNS.iter().map(|column| archive.rows[0].get(column)).collect();
        let expected = "9 1 2 Ann Bob WC WC US US 1500 1500 -1 -1 h b a_b__c here 1s/2s 1 5 6 s g 12 Surus 1 0 \
             1g_Ra1\\n1s NULL";
        assert_eq!(read.join(" "), expected.replace('_', " "));
        assert_eq!(archive.rows[0].record(), "1g Ra1\n1s");
    }
}
