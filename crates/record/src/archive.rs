//! The official game archive: tab-separated rows under a header line.

use std::sync::Arc;

use jiff::Timestamp;
use surus_rules::{Diagram, Rules, Side, Termination};

use crate::EventLog;
use crate::columns::{COLUMNS, in_lines};

/// The rows of an archive file.
#[derive(Clone, Debug)]
pub struct Archive {
    /// In the file's order.
    pub rows: Vec<ArchiveRow>,
}

/// One game of the archive.
#[derive(Clone, Debug)]
pub struct ArchiveRow {
    header: Arc<[String]>,
    fields: Vec<String>,
    /// Counted from 1; the header is line 1.
    pub line: usize,
}

/// A file that is no archive.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ArchiveFileError {
    /// The first line names no columns that are known.
    #[error("line 1: expected the archive's column names, at least id and movelist, found '{0}'")]
    Header(String),
    /// A row of another width.
    #[error("line {line}: expected {expected} columns, found {found}")]
    Columns {
        /// Counted from 1.
        line: usize,
        /// As many as the header has.
        expected: usize,
        /// As many as there are.
        found: usize,
    },
}

/// Names of today: old files say w and b for the sides.
fn canonical_column_name(name: &str) -> String {
    const OF_A_SIDE: [&str; 7] = ["playerid", "username", "title", "country", "rating", "ratingk", "type"];
    let rest = name.get(1..).filter(|rest| OF_A_SIDE.contains(rest));
    match (name.chars().next(), rest) {
        (Some('w'), Some(rest)) => format!("g{rest}"),
        (Some('b'), Some(rest)) => format!("s{rest}"),
        _ => name.into(),
    }
}

impl Archive {
    /// Whether a text begins as an archive does.
    #[must_use]
    pub fn looks_like_archive(text: &str) -> bool {
        let has =
            |wanted| text.lines().next().is_some_and(|line| line.split('\t').any(|name| name == wanted));
        has("movelist") && has("id")
    }

    /// Reads an archive file.
    pub fn parse(text: &str) -> Result<Self, ArchiveFileError> {
        let columns = ArchiveHeader::parse(text.lines().next().unwrap_or(""))?;
        Self::rows(&columns, text, 1)
    }

    /// Reads rows that were copied without their header.
    pub fn parse_bare(text: &str) -> Result<Self, ArchiveFileError> {
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
        let columns = ArchiveHeader::of_bare_row(first)
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

/// The names of an archive's columns: with them its rows can be read one at a time.
#[derive(Clone, Debug)]
pub struct ArchiveHeader(Arc<[String]>);

impl ArchiveHeader {
    /// Reads the first line of an archive.
    pub fn parse(line: &str) -> Result<Self, ArchiveFileError> {
        if !Archive::looks_like_archive(line) {
            return Err(ArchiveFileError::Header(line.chars().take(60).collect()));
        }
        Ok(Self(line.trim_end().split('\t').map(canonical_column_name).collect()))
    }

    /// The columns of a row that was copied without its header, told by how many there are.
    #[must_use]
    pub fn of_bare_row(line: &str) -> Option<Self> {
        let found = line.split('\t').count();
        let names: Vec<String> =
            COLUMNS.into_iter().filter(|name| found == 29 || *name != "corrupt").map(Into::into).collect();
        (found == names.len()).then(|| Self(names.into()))
    }

    /// The modern names, in the file's order.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.0
    }

    /// Reads a row that stands in this line of the file, counted from 1.
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
    /// A column by its modern name (`gusername`, `srating`), empty if the file has none.
    #[must_use]
    pub fn get(&self, name: &str) -> &str {
        self.header.iter().position(|known| known == name).map_or("", |index| &self.fields[index])
    }

    /// The game's number.
    #[must_use]
    pub fn id(&self) -> &str {
        self.get("id")
    }

    /// The game record, one turn a line.
    #[must_use]
    pub fn record(&self) -> String {
        in_lines(self.get("movelist"))
    }

    /// The clocks of its turns, as far as the row has them.
    #[must_use]
    pub fn events(&self) -> EventLog {
        EventLog::parse(&in_lines(self.get("events")))
    }

    /// Where the game began, if not with its setups.
    #[must_use]
    pub fn start_position(&self) -> Option<Diagram> {
        EventLog::start_of(self.get("events"))
    }

    /// The winner, if there was one.
    #[must_use]
    pub fn winner(&self) -> Option<Side> {
        match self.get("result") {
            "w" | "g" => Some(Side::Gold),
            "b" | "s" => Some(Side::Silver),
            _ => None,
        }
    }

    /// What ended the game, if the row tells.
    #[must_use]
    pub fn termination(&self) -> Option<Termination> {
        Termination::from_letter(self.get("termination").chars().next()?)
    }

    /// The rules of the time the game was played; today's if the row does not tell when that was.
    #[must_use]
    pub fn rules(&self) -> Rules {
        let started = self.get("startts").parse().ok().filter(|&seconds: &i64| 0 < seconds);
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
    fn rows_are_read_by_the_modern_names_of_their_columns() {
        let archive = Archive::parse(FILE).unwrap();
        let [first, second] = &archive.rows[..] else { panic!("two rows") };
        assert_eq!((first.id(), first.get("gusername"), first.get("srating")), ("7", "Ann", "1500"));
        assert_eq!(first.record(), "1w Ra1\n1b ra8");
        assert_eq!((first.winner(), first.termination()), (Some(Side::Silver), Some(Termination::Goal)));
        assert_eq!((first.rules(), second.rules()), (Rules::Classic2004, Rules::Official));
        assert_eq!((second.line, second.get("corrupt")), (4, ""));
    }

    #[test]
    fn rows_without_their_header_are_told_by_their_number_of_columns() {
        for (columns, movelist) in [(29, 27), (28, 26)] {
            let mut fields = vec!["x"; columns];
            fields[movelist] = "1w Ra1\\n1b";
            let archive = Archive::parse_bare(&format!("\n{}\n", fields.join("\t"))).unwrap();
            assert_eq!((archive.rows[0].line, archive.rows[0].record().as_str()), (2, "1w Ra1\n1b"));
        }
        assert!(Archive::parse_bare("a\tb").is_err());
    }

    #[test]
    fn other_files_are_refused_with_the_place() {
        let error = |text: &str| Archive::parse(text).unwrap_err().to_string();
        assert_eq!(
            error("1g Ra1"),
            "line 1: expected the archive's column names, at least id and movelist, found '1g Ra1'"
        );
        assert_eq!(error("id\tmovelist\n5"), "line 2: expected 2 columns, found 1");
    }
}
