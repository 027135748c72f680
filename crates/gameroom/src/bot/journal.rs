//! The journal of a bot: what it was about to do, so that it can go on after a crash.
//!
//! A turn is written before it is sent. After a crash the bot reads the state first; if the turn is not in it, the same
//! turn is sent again, so that a request that is still under way cannot lead to two different turns.

use std::collections::BTreeMap;
use std::path::Path;

use surus_record::journal::{JournalError, LineJournal};
use surus_rules::Side;

use crate::protocol::{read_side, side_letter};

const HEADER: &str = "event\tgid\tply\tvalue\tcrc32";

/// A row of the journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JournalRow {
    /// A seat was taken.
    Seated {
        /// The running id.
        gid: String,
        /// The side.
        side: Side,
    },
    /// The greeting was sent.
    Greeted {
        /// The running id.
        gid: String,
    },
    /// A turn is about to be sent.
    Sending {
        /// The running id.
        gid: String,
        /// The number of lines in the list of moves before it.
        ply: usize,
        /// The turn.
        turn: String,
    },
    /// The server refused a turn.
    Refused {
        /// The running id.
        gid: String,
        /// As in `Sending`.
        ply: usize,
        /// The turn.
        turn: String,
    },
    /// The state shows the turn.
    Played {
        /// The running id.
        gid: String,
        /// As in `Sending`.
        ply: usize,
    },
    /// The game is over, with the permanent id if it is known.
    Finished {
        /// The running id.
        gid: String,
        /// The permanent id and the letters of the result.
        value: String,
    },
}

impl JournalRow {
    fn gid(&self) -> &str {
        match self {
            Self::Seated { gid, .. }
            | Self::Greeted { gid }
            | Self::Sending { gid, .. }
            | Self::Refused { gid, .. }
            | Self::Played { gid, .. }
            | Self::Finished { gid, .. } => gid,
        }
    }

    fn parse(row: &str) -> Result<Self, String> {
        let fields: Vec<&str> = row.split('\t').collect();
        let [event, gid, ply, value] = fields[..] else {
            return Err(format!("expected 4 columns, found {}", fields.len()));
        };
        let gid = gid.to_owned();
        let number = || ply.parse().map_err(|_| format!("invalid ply '{ply}': expected a number"));
        Ok(match event {
            "seated" => {
                let side =
                    read_side(value).ok_or_else(|| format!("invalid side '{value}': expected w or b"))?;
                Self::Seated { gid, side }
            }
            "greeted" => Self::Greeted { gid },
            "sending" => Self::Sending { gid, ply: number()?, turn: value.into() },
            "refused" => Self::Refused { gid, ply: number()?, turn: value.into() },
            "played" => Self::Played { gid, ply: number()? },
            "finished" => Self::Finished { gid, value: value.into() },
            other => return Err(format!("unknown event '{other}'")),
        })
    }
}

impl std::fmt::Display for JournalRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let gid = self.gid();
        match self {
            Self::Seated { side, .. } => write!(f, "seated\t{gid}\t\t{}", side_letter(*side)),
            Self::Greeted { .. } => write!(f, "greeted\t{gid}\t\t"),
            Self::Sending { ply, turn, .. } => write!(f, "sending\t{gid}\t{ply}\t{turn}"),
            Self::Refused { ply, turn, .. } => write!(f, "refused\t{gid}\t{ply}\t{turn}"),
            Self::Played { ply, .. } => write!(f, "played\t{gid}\t{ply}\t"),
            Self::Finished { value, .. } => write!(f, "finished\t{gid}\t\t{value}"),
        }
    }
}

/// What the journal says about a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameNotes {
    /// The bot's side.
    pub side: Option<Side>,
    /// Whether the greeting was sent.
    pub greeted: bool,
    /// The last turn that was about to be sent, unless it was refused or is in the game.
    pub sending: Option<(usize, String)>,
    /// Refused turns.
    pub refused: Vec<(usize, String)>,
    /// Whether the game is over.
    pub finished: bool,
}

/// An open journal with what it contains.
#[derive(Debug)]
pub struct BotJournal {
    file: Option<LineJournal>,
    rows: Vec<JournalRow>,
    games: BTreeMap<String, GameNotes>,
}

impl BotJournal {
    /// Opens a journal, which no other process may use.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let mut rows = Vec::new();
        let file = LineJournal::open(path, HEADER, |row| {
            rows.push(JournalRow::parse(row)?);
            Ok(())
        })?;
        Ok(Self { file: Some(file), ..Self::in_memory(rows) })
    }

    /// A journal without a file, for simulations.
    #[must_use]
    pub fn in_memory(rows: Vec<JournalRow>) -> Self {
        let mut journal = Self { file: None, rows: Vec::new(), games: BTreeMap::new() };
        rows.into_iter().for_each(|row| journal.note(row));
        journal
    }

    /// All rows.
    #[must_use]
    pub fn rows(&self) -> &[JournalRow] {
        &self.rows
    }

    /// What is known of a game.
    #[must_use]
    pub fn game(&self, gid: &str) -> GameNotes {
        self.games.get(gid).cloned().unwrap_or_default()
    }

    /// Games that are not over.
    pub fn unfinished(&self) -> impl Iterator<Item = (&str, &GameNotes)> {
        self.games.iter().filter(|(_, notes)| !notes.finished).map(|(gid, notes)| (gid.as_str(), notes))
    }

    /// Appends a row; when this returns, it survives the end of the process.
    pub(super) fn append(&mut self, row: JournalRow) -> Result<(), JournalError> {
        let written = self.file.as_mut().map_or(Ok(()), |file| file.append(&row.to_string()));
        self.note(row);
        written
    }

    fn note(&mut self, row: JournalRow) {
        let notes = self.games.entry(row.gid().to_owned()).or_default();
        match &row {
            JournalRow::Seated { side, .. } => notes.side = Some(*side),
            JournalRow::Greeted { .. } => notes.greeted = true,
            JournalRow::Sending { ply, turn, .. } => notes.sending = Some((*ply, turn.clone())),
            JournalRow::Refused { ply, turn, .. } => {
                notes.sending = None;
                notes.refused.push((*ply, turn.clone()));
            }
            JournalRow::Played { .. } => notes.sending = None,
            JournalRow::Finished { .. } => notes.finished = true,
        }
        self.rows.push(row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_round_trip_and_are_summed_up() {
        let gid = || "7".to_owned();
        let rows = vec![
            JournalRow::Seated { gid: gid(), side: Side::Silver },
            JournalRow::Greeted { gid: gid() },
            JournalRow::Sending { gid: gid(), ply: 1, turn: "ra8 rb8".into() },
            JournalRow::Played { gid: gid(), ply: 1 },
            JournalRow::Sending { gid: gid(), ply: 3, turn: "ed7s".into() },
            JournalRow::Refused { gid: gid(), ply: 3, turn: "ed7s".into() },
            JournalRow::Sending { gid: gid(), ply: 3, turn: "ra8s".into() },
        ];
        for row in &rows {
            assert_eq!(JournalRow::parse(&row.to_string()).as_ref(), Ok(row));
        }
        let mut journal = BotJournal::in_memory(rows);
        let notes = journal.game("7");
        assert_eq!((notes.side, notes.greeted), (Some(Side::Silver), true));
        assert_eq!(notes.sending, Some((3, "ra8s".into())));
        assert_eq!(notes.refused, [(3, "ed7s".into())]);
        assert_eq!(journal.unfinished().count(), 1);
        journal.append(JournalRow::Finished { gid: gid(), value: "12 wg".into() }).unwrap();
        assert_eq!(journal.unfinished().count(), 0);
        assert!(JournalRow::parse("flying\t7\t\t").is_err() && JournalRow::parse("played\t7\tx\t").is_err());
    }
}
