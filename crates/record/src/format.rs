//! Finding out what a text is.

use std::fmt;

use surus_rules::TurnTag;

use crate::{Archive, ArchiveHeader, GameTree, ats, packed, parse_known_wins};

/// The formats that are known.
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
    /// A position as a bordered board, perhaps with other text around it.
    Diagram,
    /// `g [64 characters]`, perhaps behind `setposition`.
    Compact,
    /// `g rrr1rrcr/…`: eight ranks from the top, digits for empty squares.
    Ranks,
    /// Game records, with blank lines between them.
    Record,
    /// A game record with variations ([`GameTree`]).
    Tree,
    /// Rows of the official archive under their header.
    Archive,
    /// Rows of the official archive that were copied without their header.
    ArchiveRows,
    /// An ATS test file.
    Ats,
    /// Our own form of tests.
    TestToml,
    /// The list of positions that are won in two turns.
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

/// A text that is nothing known, or nothing that is wanted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FormatError {
    /// Nothing, or comments alone.
    #[error("the text is empty: expected a position, a game record or rows of the archive")]
    Empty,
    /// Nothing known.
    #[error(
        "line {line}: expected a turn number and a side, like 2g, or a position, a game tree, an archive or a test, \
         found '{found}'"
    )]
    Unknown {
        /// The first line that means something, counted from 1.
        line: usize,
        /// How it begins.
        found: String,
    },
    /// Another format than the reader can use.
    #[error("found {found}: expected {expected}")]
    Unexpected {
        /// What the text is.
        found: Format,
        /// What could be used.
        expected: &'static str,
    },
}

impl Format {
    /// Finds out what a text is by how it begins, or by lines that only one format has. Whether all of it is right
    /// is for that format's reader to say.
    pub fn detect(text: &str) -> Result<Self, FormatError> {
        let text = text.trim_start_matches('\u{feff}');
        if text.as_bytes().starts_with(packed::MAGIC) {
            return Ok(Self::Packed);
        }
        if Archive::looks_like_archive(text) {
            return Ok(Self::Archive);
        }
        let first = text.lines().find(|line| !line.trim().is_empty()).ok_or(FormatError::Empty)?;
        if ArchiveHeader::of_bare_row(first).is_some() {
            return Ok(Self::ArchiveRows);
        }
        let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        if GameTree::has_first_line(text) {
            return Ok(Self::Tree);
        }
        let first = lines().next().ok_or(FormatError::Empty)?;
        if ats::is_one(text) {
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
        if lines().any(is_of_diagram) {
            return Ok(Self::Diagram);
        }
        if GameTree::is_one(text) {
            return Ok(Self::Tree);
        }
        if parse_known_wins(first).next().is_some_and(|win| win.is_ok()) {
            return Ok(Self::KnownWins);
        }
        let of_game = lines().find(|line| header(line).is_none());
        if of_game.is_some_and(begins_with_tag) {
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

/// A side and a bracket, or a bracket with as much in it as only a board has.
fn is_compact(line: &str) -> bool {
    let line = line.strip_prefix("setposition ").unwrap_or(line);
    let Some((head, squares)) = line.split_once('[') else { return false };
    let words = head.split_whitespace().count();
    head.trim().chars().count() == 1 || words < 2 && 60 <= squares.chars().count() && !squares.contains('"')
}

/// A border or a rank.
fn is_of_diagram(line: &str) -> bool {
    let rank = |rest: &str| rest.trim_start().starts_with('|');
    line.starts_with('+') || line.strip_prefix(|c: char| c.is_ascii_digit()).is_some_and(rank)
}

/// What a line before a record says about the game: `Gold: Ann`, `[Gold "Ann"]`.
pub(crate) fn header(line: &str) -> Option<(&str, &str)> {
    let bracketed = line.trim().strip_prefix('[').and_then(|line| line.strip_suffix(']'));
    let (name, value) = match bracketed {
        Some(inside) => inside.split_once(' '),
        None => line.split_once(':').filter(|(name, _)| name.chars().all(char::is_alphanumeric)),
    }
    .filter(|_| !begins_with_tag(line))?;
    Some((name.trim(), value.trim().trim_matches('"')))
}

fn begins_with_tag(line: &str) -> bool {
    line.split_whitespace().next().is_some_and(|word| TurnTag::parse(word).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_told_from_the_others() {
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
    fn other_texts_are_refused_with_what_was_found_and_expected() {
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
