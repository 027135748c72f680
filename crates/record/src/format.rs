//! Format detection.

use std::fmt;

use surus_rules::TurnTag;

use crate::{ArchiveFile, ArchiveHeader, GameTree, ats, packed, parse_known_wins};

/// The known formats.
///
/// ```
/// use surus_record::Format;
///
/// assert_eq!(Format::detect("2g Ee2n")?, Format::Record);
/// assert_eq!(Format::detect("setposition g [r                ")?, Format::Compact);
/// assert_eq!(Format::detect("4321:23g Ra6n Ra7n")?, Format::KnownWins);
/// assert!(Format::detect("hello").is_err());
/// # Ok::<(), surus_record::FormatError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// A position as a bordered board, possibly with other text around it.
    Diagram,
    /// `g [64 characters]`, optionally after `setposition`.
    Compact,
    /// `g rrr1rrcr/…`: eight ranks from the top, digits for empty squares.
    Ranks,
    /// Game records, separated by blank lines.
    Record,
    /// A game record with variations ([`GameTree`]).
    Tree,
    /// Rows of the official archive below their header.
    Archive,
    /// Rows of the official archive without a header.
    ArchiveRows,
    /// An ATS test file.
    Ats,
    /// Tests in TOML.
    TestToml,
    /// A list of known wins in two turns.
    KnownWins,
    /// Packed training records.
    Packed,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Diagram => "a position diagram",
            Self::Compact => "a compact position",
            Self::Ranks => "a position in ranks",
            Self::Record => "a game record",
            Self::Tree => "a game tree",
            Self::Archive => "an archive file",
            Self::ArchiveRows => "rows of an archive without their header",
            Self::Ats => "an ATS test",
            Self::TestToml => "a file of tests",
            Self::KnownWins => "a list of wins in two turns",
            Self::Packed => "a file of packed training records",
        })
    }
}

/// A text of an unknown or unexpected format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FormatError {
    /// The text is empty, or has comments only.
    #[error("the text is empty: expected a position, a game record or rows of the archive")]
    Empty,
    /// Unknown format.
    #[error(
        "line {line}: expected a turn number and a side, like 2g, or a position, a game tree, an archive or a test, \
         found '{found}'"
    )]
    Unknown {
        /// First line that is not empty or a comment, counted from 1.
        line: usize,
        /// Beginning of that line.
        found: String,
    },
    /// A format that the reader does not support.
    #[error("found {found}: expected {expected}")]
    Unexpected {
        /// The detected format.
        found: Format,
        /// The supported formats.
        expected: &'static str,
    },
}

impl Format {
    /// Detects the format of a text by its beginning or by lines that only one format has. The rest of the text is checked by
    /// the reader of the format.
    pub fn detect(text: &str) -> Result<Self, FormatError> {
        let text = text.trim_start_matches('\u{feff}');
        if text.as_bytes().starts_with(packed::MAGIC) {
            return Ok(Self::Packed);
        }
        if ArchiveFile::looks_like_archive(text) {
            return Ok(Self::Archive);
        }
        let first = text.lines().find(|line| !line.trim().is_empty()).ok_or(FormatError::Empty)?;
        if ArchiveHeader::from_bare_row(first).is_some() {
            return Ok(Self::ArchiveRows);
        }
        let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        if GameTree::has_first_line(text) {
            return Ok(Self::Tree);
        }
        let first = lines().next().ok_or(FormatError::Empty)?;
        if ats::looks_like_ats(text) {
            return Ok(Self::Ats);
        }
        if lines().any(|line| line == "[[test]]") {
            return Ok(Self::TestToml);
        }
        if is_compact(first) {
            return Ok(Self::Compact);
        }
        if ranks(text).is_some() {
            return Ok(Self::Ranks);
        }
        if lines().any(is_diagram_line) {
            return Ok(Self::Diagram);
        }
        if GameTree::looks_like_tree(text) {
            return Ok(Self::Tree);
        }
        if parse_known_wins(first).next().is_some_and(|win| win.is_ok()) {
            return Ok(Self::KnownWins);
        }
        let first_turn = lines().find(|line| header(line).is_none());
        if first_turn.is_some_and(starts_with_tag) || has_record(text) {
            return Ok(Self::Record);
        }
        let line = text.lines().position(|line| line.trim() == first).map_or(1, |index| index + 1);
        Err(FormatError::Unknown { line, found: first.chars().take(60).collect() })
    }
}

/// The side and the ranks of `g rrr1rrcr/…`; gold where no side is given.
pub(crate) fn ranks(text: &str) -> Option<(&str, &str)> {
    let mut words = text.split_whitespace();
    let (side, ranks) = match (words.next()?, words.next(), words.next()) {
        (ranks, None, _) => ("g", ranks),
        (side, Some(ranks), None) if side.len() == 1 => (side, ranks),
        (ranks, Some(side), None) if side.len() == 1 => (side, ranks),
        _ => return None,
    };
    (ranks.split('/').count() == 8).then_some((side, ranks))
}

/// A side and a bracket, or a bracket with enough characters for a board.
fn is_compact(line: &str) -> bool {
    let line = line.strip_prefix("setposition ").unwrap_or(line);
    let Some((head, squares)) = line.split_once('[') else { return false };
    let words = head.split_whitespace().count();
    head.trim().chars().count() == 1 || words < 2 && squares.chars().count() >= 60 && !squares.contains('"')
}

/// Whether a line is the border or a rank of a diagram.
fn is_diagram_line(line: &str) -> bool {
    let rank = |rest: &str| rest.trim_start().starts_with('|');
    line.starts_with('+') || line.strip_prefix(|c: char| c.is_ascii_digit()).is_some_and(rank)
}

/// Parses a header of a record: `Gold: Ann` or `[Gold "Ann"]`.
pub(crate) fn header(line: &str) -> Option<(&str, &str)> {
    let bracketed = line.trim().strip_prefix('[').and_then(|line| line.strip_suffix(']'));
    let (name, value) = match bracketed {
        Some(inside) => inside.split_once(' '),
        None => line.split_once(':').filter(|(name, _)| name.chars().all(char::is_alphanumeric)),
    }
    .filter(|_| !starts_with_tag(line))?;
    Some((name.trim(), value.trim().trim_matches('"')))
}

/// Whether a later one of several records starts with a turn.
fn has_record(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.windows(2).any(|pair| pair[0].is_empty() && starts_with_tag(pair[1]))
}

fn starts_with_tag(line: &str) -> bool {
    line.split_whitespace().next().is_some_and(|word| TurnTag::parse(word).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_detected() {
        let compact = "[r    rrr rc  c hh  r  d      r    d re   D EM D H Cm C HRRRRRRRR]";
        let diagram = "8s\n +-----------------+\n8| r . . . . r r r |\n";
        let row = vec!["x"; 28].join("\t");
        let cases = [
            ("SURUSDAT\u{2}\0", Format::Packed),
            ("id\tmovelist\n", Format::Archive),
            (&format!("\u{feff}{}\n", crate::header()), Format::Archive),
            (&row, Format::ArchiveRows),
            (&format!("{row}\t"), Format::ArchiveRows),
            (&format!("s {compact}"), Format::Compact),
            (&format!("setposition s {compact}"), Format::Compact),
            (&format!("# a comment\nsilver {compact}"), Format::Compact),
            (compact, Format::Compact),
            ("g [x]", Format::Compact),
            ("r7/8/8/8/8/rE6/8/7R", Format::Ranks),
            ("r7/8/8/8/8/rE6/8/7R s", Format::Ranks),
            (diagram, Format::Diagram),
            (&format!("Dear Ann,\nlook:\n{diagram}"), Format::Diagram),
            (&format!("[settings]\r\nposition =\r\n{diagram}"), Format::Ats),
            ("[[test]]\nname = 'a'\n", Format::TestToml),
            ("# Surus tree 1\n", Format::Tree),
            ("2g Ee2n\n[ 2g Md2n\n]", Format::Tree),
            ("# puzzles\n4321:23g Ra6n Ra7n", Format::KnownWins),
            ("7:5 rb4s rb3s", Format::KnownWins),
            ("1w Ra1", Format::Record),
            ("1g Ra1\\n1s ra8", Format::Record),
            ("Gold: Ann\n[Silver \"Bob\"]\n\n# x\n1g Ra1", Format::Record),
        ];
        for (text, format) in cases {
            assert_eq!(Format::detect(text), Ok(format), "{text}");
        }
    }

    #[test]
    fn unknown_texts_are_rejected_with_a_reason() {
        assert_eq!(Format::detect(" \n"), Err(FormatError::Empty));
        assert_eq!(Format::detect("# nothing\n"), Err(FormatError::Empty));
        assert_eq!(
            Format::detect("\n# hm\nhello").unwrap_err().to_string(),
            "line 3: expected a turn number and a side, like 2g, or a position, a game tree, an archive or a test, \
             found 'hello'"
        );
        let unexpected = FormatError::Unexpected { found: Format::KnownWins, expected: "a position" };
        assert_eq!(unexpected.to_string(), "found a list of wins in two turns: expected a position");
    }
}
