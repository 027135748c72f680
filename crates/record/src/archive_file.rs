//! The official game archive: tab-separated rows below a header line.

use std::sync::Arc;

use jiff::Timestamp;
use surus_rules::{Diagram, Rules, Side, Termination};

use crate::EventLog;
use crate::columns::{COLUMNS, in_lines};

/// The rows of an archive file.
#[derive(Clone, Debug)]
pub struct ArchiveFile {
    /// Rows in file order.
    pub rows: Vec<ArchiveRow>,
}

/// One game of the archive.
#[derive(Clone, Debug)]
pub struct ArchiveRow {
    header: Arc<[String]>,
    fields: Vec<String>,
    /// Line number, counted from 1; the header is line 1.
    pub line: usize,
}

/// A file that is not an archive.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ArchiveFileError {
    /// The first line is not a header.
    #[error("line 1: expected the archive's column names, at least id and movelist, found '{0}'")]
    Header(String),
    /// A row with a different number of columns.
    #[error("line {line}: expected {expected} columns, found {found}")]
    Columns {
        /// Line number, counted from 1.
        line: usize,
        /// Columns of the header.
        expected: usize,
        /// Columns of the row.
        found: usize,
    },
}

/// The current name of a column: old files have w and b for the sides.
fn canonical_column_name(name: &str) -> String {
    const SIDE_COLUMNS: [&str; 7] = ["playerid", "username", "title", "country", "rating", "ratingk", "type"];
    let rest = name.get(1..).filter(|rest| SIDE_COLUMNS.contains(rest));
    match (name.chars().next(), rest) {
        (Some('w'), Some(rest)) => format!("g{rest}"),
        (Some('b'), Some(rest)) => format!("s{rest}"),
        _ => name.into(),
    }
}

impl ArchiveFile {
    /// Whether the first line is the header of an archive.
    #[must_use]
    pub fn looks_like_archive(text: &str) -> bool {
        let has =
            |column| text.lines().next().is_some_and(|line| line.split('\t').any(|name| name == column));
        has("movelist") && has("id")
    }

    /// Parses an archive file.
    pub fn parse(text: &str) -> Result<Self, ArchiveFileError> {
        let columns = ArchiveHeader::parse(text.lines().next().unwrap_or(""))?;
        Self::rows(&columns, text, 1)
    }

    /// Parses rows without a header.
    pub fn parse_bare(text: &str) -> Result<Self, ArchiveFileError> {
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
        let columns = ArchiveHeader::from_bare_row(first)
            .ok_or_else(|| ArchiveFileError::Header(first.chars().take(60).collect()))?;
        Self::rows(&columns, text, 0)
    }

    fn rows(columns: &ArchiveHeader, text: &str, skipped: usize) -> Result<Self, ArchiveFileError> {
        let lines = text.lines().enumerate().skip(skipped);
        let rows = lines
            .filter(|(_, line)| !line.trim().is_empty())
            .map(|(index, line)| columns.parse_row(line, index + 1))
            .collect::<Result<_, _>>()?;
        Ok(Self { rows })
    }
}

/// The column names of an archive, which parse its rows one at a time.
#[derive(Clone, Debug)]
pub struct ArchiveHeader(Arc<[String]>);

impl ArchiveHeader {
    /// Parses the first line of an archive.
    pub fn parse(line: &str) -> Result<Self, ArchiveFileError> {
        if !ArchiveFile::looks_like_archive(line) {
            return Err(ArchiveFileError::Header(line.chars().take(60).collect()));
        }
        Ok(Self(line.trim_end().split('\t').map(canonical_column_name).collect()))
    }

    /// The columns of a row without a header, determined by their number.
    #[must_use]
    pub fn from_bare_row(line: &str) -> Option<Self> {
        let found = line.split('\t').count();
        let names: Vec<String> =
            COLUMNS.into_iter().filter(|name| found == 29 || *name != "corrupt").map(Into::into).collect();
        (found == names.len()).then(|| Self(names.into()))
    }

    /// The current names in file order.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.0
    }

    /// Parses the row on a line of the file, counted from 1.
    pub fn parse_row(&self, text: &str, line: usize) -> Result<ArchiveRow, ArchiveFileError> {
        let fields: Vec<String> = text.split('\t').map(Into::into).collect();
        let (expected, found) = (self.0.len(), fields.len());
        if found != expected {
            return Err(ArchiveFileError::Columns { line, expected, found });
        }
        Ok(ArchiveRow { header: Arc::clone(&self.0), fields, line })
    }
}

impl ArchiveRow {
    /// The value of a column by its current name (`gusername`, `srating`); empty if the file does not have the column.
    #[must_use]
    pub fn get(&self, name: &str) -> &str {
        self.header.iter().position(|column| column == name).map_or("", |index| &self.fields[index])
    }

    /// The number of the game.
    #[must_use]
    pub fn id(&self) -> &str {
        self.get("id")
    }

    /// The game record, one turn per line.
    #[must_use]
    pub fn record(&self) -> String {
        in_lines(self.get("movelist"))
    }

    /// The event log, with the clocks of the turns.
    #[must_use]
    pub fn events(&self) -> EventLog {
        EventLog::parse(&in_lines(self.get("events")))
    }

    /// The start position, if the game does not start with its setups.
    #[must_use]
    pub fn start_position(&self) -> Option<Diagram> {
        EventLog::parse_start(self.get("events"))
    }

    /// The winner, if any.
    #[must_use]
    pub fn winner(&self) -> Option<Side> {
        match self.get("result") {
            "w" | "g" => Some(Side::Gold),
            "b" | "s" => Some(Side::Silver),
            _ => None,
        }
    }

    /// How the game ended, if known.
    #[must_use]
    pub fn termination(&self) -> Option<Termination> {
        Termination::from_letter(self.get("termination").chars().next()?)
    }

    /// The rules at the start time of the game; the current ones if that is unknown.
    #[must_use]
    pub fn rules(&self) -> Rules {
        let started = self.get("startts").parse().ok().filter(|&seconds: &i64| seconds > 0);
        let Some(year_month) = started.and_then(|seconds| Timestamp::from_second(seconds).ok()).map(|time| {
            let date = time.to_zoned(jiff::tz::TimeZone::UTC).date();
            (date.year(), date.month())
        }) else {
            return Rules::Official;
        };
        match year_month {
            (..=2004, _) => Rules::Classic2004,
            (..=2007, _) | (2008, ..=6) => Rules::Classic2005,
            _ => Rules::Official,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "id\twusername\tbrating\tstartts\tresult\ttermination\tmovelist\n\
        7\tAnn\t1500\t1100000000\tb\tg\t1w Ra1\\n1b ra8\n\n8\tBob\t\t1215000000\tw\tr\t1w\n";

    #[test]
    fn old_column_names_are_mapped_to_current_ones() {
        let archive = ArchiveFile::parse(FILE).unwrap();
        let [first, second] = &archive.rows[..] else { panic!("two rows") };
        assert_eq!((first.id(), first.get("gusername"), first.get("srating")), ("7", "Ann", "1500"));
        assert_eq!(first.record(), "1w Ra1\n1b ra8");
        assert_eq!((first.winner(), first.termination()), (Some(Side::Silver), Some(Termination::Goal)));
        assert_eq!((first.rules(), second.rules()), (Rules::Classic2004, Rules::Official));
        assert_eq!((second.line, second.get("corrupt")), (4, ""));
    }

    #[test]
    fn rows_without_a_header_are_parsed_by_number_of_columns() {
        for (columns, movelist) in [(29, 27), (28, 26)] {
            let mut fields = vec!["x"; columns];
            fields[movelist] = "1w Ra1\\n1b";
            let archive = ArchiveFile::parse_bare(&format!("\n{}\n", fields.join("\t"))).unwrap();
            assert_eq!((archive.rows[0].line, archive.rows[0].record().as_str()), (2, "1w Ra1\n1b"));
        }
        assert!(ArchiveFile::parse_bare("a\tb").is_err());
    }

    #[test]
    fn other_files_are_rejected_with_the_line() {
        let error = |text: &str| ArchiveFile::parse(text).unwrap_err().to_string();
        assert_eq!(
            error("1g Ra1"),
            "line 1: expected the archive's column names, at least id and movelist, found '1g Ra1'"
        );
        assert_eq!(error("id\tmovelist\n5"), "line 2: expected 2 columns, found 1");
    }
}
