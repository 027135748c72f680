//! Rejected games.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

/// Why a game or a known win was rejected.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RejectReason {
    /// The row does not have as many columns as the header.
    ColumnCount,
    /// Invalid UTF-8, or control characters.
    InvalidEncoding,
    /// An unknown result, termination or player type.
    UnknownCode,
    /// A numeric column without a number.
    Number,
    /// A record that cannot be parsed.
    Record,
    /// An illegal turn, or a turn after the end of the game.
    Illegal,
    /// The game is marked as corrupt in the archive file.
    Corrupt,
    /// The record has no turns.
    Empty,
    /// More turns than position ids can number.
    TooManyTurns,
    /// A known win of a game that is not in the archive.
    UnknownGame,
    /// A known win of a turn that the game does not have.
    UnknownTurn,
}

impl std::fmt::Display for RejectReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::ColumnCount => "column-count",
            Self::InvalidEncoding => "invalid-encoding",
            Self::UnknownCode => "unknown-code",
            Self::Number => "number",
            Self::Record => "record",
            Self::Illegal => "illegal",
            Self::Corrupt => "corrupt",
            Self::Empty => "empty",
            Self::TooManyTurns => "too-many-turns",
            Self::UnknownGame => "unknown-game",
            Self::UnknownTurn => "unknown-turn",
        })
    }
}

/// A rejected game or known win.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RejectedGame {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The game's id in the file, if any.
    pub id: String,
    /// The reason.
    pub reason: RejectReason,
    /// Details.
    pub detail: String,
}

/// Writes rejected games as tab-separated values with a header.
pub fn write_report(out: &mut impl Write, rejected: &[RejectedGame]) -> io::Result<()> {
    writeln!(out, "file\tline\tid\treason\tdetail")?;
    for RejectedGame { file, line, id, reason, detail } in rejected {
        writeln!(out, "{file}\t{line}\t{id}\t{reason}\t{}", detail.replace(['\t', '\n', '\r'], " "))?;
    }
    Ok(())
}

/// Counts rejected games by reason.
#[must_use]
pub fn counts(rejected: &[RejectedGame]) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for one in rejected {
        *counts.entry(one.reason.to_string()).or_default() += 1;
    }
    counts
}
