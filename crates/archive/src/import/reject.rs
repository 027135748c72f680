//! Games that are set aside.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

/// Why a game is set aside.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RejectReason {
    /// The row has another number of columns than the first line.
    ColumnCount,
    /// Bytes that are no UTF-8 text, or control characters.
    InvalidEncoding,
    /// A result, termination or type of player that is not known.
    UnknownCode,
    /// A column of numbers that holds none.
    Number,
    /// A record that can't be read.
    Record,
    /// A turn that is not legal, or play that goes on after the end.
    Illegal,
    /// The archive itself says that the game is corrupt.
    Corrupt,
    /// No turn at all.
    Empty,
    /// More turns than can be numbered.
    TooManyTurns,
}

impl std::fmt::Display for RejectReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::ColumnCount => "columns",
            Self::InvalidEncoding => "bytes",
            Self::UnknownCode => "code",
            Self::Number => "number",
            Self::Record => "record",
            Self::Illegal => "illegal",
            Self::Corrupt => "corrupt",
            Self::Empty => "empty",
            Self::TooManyTurns => "long",
        })
    }
}

/// A game that was set aside.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RejectedGame {
    /// The file.
    pub file: String,
    /// Its line, counted from 1.
    pub line: usize,
    /// The game's number in the file, if it has one.
    pub id: String,
    /// Why.
    pub reason: RejectReason,
    /// What exactly was found.
    pub detail: String,
}

/// Writes the list that `--rejects` asks for: tab-separated with a first line of names.
pub fn write_report(out: &mut impl Write, rejected: &[RejectedGame]) -> io::Result<()> {
    writeln!(out, "file\tline\tid\treason\tdetail")?;
    for RejectedGame { file, line, id, reason: why, detail } in rejected {
        writeln!(out, "{file}\t{line}\t{id}\t{why}\t{}", detail.replace(['\t', '\n', '\r'], " "))?;
    }
    Ok(())
}

/// How many games were set aside for each reason.
#[must_use]
pub fn counts(rejected: &[RejectedGame]) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for one in rejected {
        *counts.entry(one.reason.to_string()).or_default() += 1;
    }
    counts
}
