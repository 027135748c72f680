//! Extracts rows of archive files by player, rating and date.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use surus_record::{ArchiveHeader, ArchiveRow};

use crate::error::{ArchiveError, Result};
use crate::import::{FileFormat, for_each_game};

/// Which rows to extract.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RowFilter {
    /// The name of one of the players, ignoring case.
    pub player: Option<String>,
    /// The minimum rating of both players.
    pub min_rating: Option<i64>,
    /// The maximum rating of both players.
    pub max_rating: Option<i64>,
    /// The earliest start time, in seconds since 1970.
    pub since: Option<i64>,
    /// The start time before which games must have started.
    pub until: Option<i64>,
}

/// The counts of an extraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct ExtractSummary {
    /// Rows read.
    pub read: u64,
    /// Rows written.
    pub written: u64,
    /// Rows skipped because they cannot be parsed.
    pub unreadable: u64,
}

impl RowFilter {
    fn matches(&self, row: &ArchiveRow) -> bool {
        let number = |name: &str| row.get(name).parse::<i64>().ok();
        let ratings = [number("grating"), number("srating")];
        let started = number("startts");
        let named = |player: &String| {
            ["gusername", "susername"]
                .iter()
                .any(|name| row.get(name).to_lowercase() == player.to_lowercase())
        };
        let rated = |matches: &dyn Fn(i64) -> bool| ratings.iter().all(|rating| rating.is_some_and(matches));
        self.player.as_ref().is_none_or(named)
            && self.min_rating.is_none_or(|min| rated(&|rating| rating >= min))
            && self.max_rating.is_none_or(|max| rated(&|rating| rating <= max))
            && self.since.is_none_or(|since| started.is_some_and(|time| time >= since))
            && self.until.is_none_or(|until| started.is_some_and(|time| time < until))
    }
}

/// Writes the matching rows below the header of the first file; all files must have the same columns.
pub fn extract_rows(files: &[PathBuf], filter: &RowFilter, out: &mut impl Write) -> Result<ExtractSummary> {
    let mut summary = ExtractSummary::default();
    let mut header: Option<ArchiveHeader> = None;
    let mut failed: Option<ArchiveError> = None;
    for file in files {
        let fail = |error: io::Error| ArchiveError::Io { file: file.clone(), error };
        let result = for_each_game(file, &mut |layout, item| {
            let mut one = || -> Result<()> {
                let FileFormat::ArchiveRows(columns) = layout else { return Err(no_rows(file)) };
                match &header {
                    None => {
                        writeln!(out, "{}", columns.names().join("\t")).map_err(fail)?;
                        header = Some(columns.clone());
                    }
                    Some(first) if first.names() != columns.names() => return Err(other_columns(file)),
                    Some(_) => {}
                }
                summary.read += 1;
                let row = std::str::from_utf8(&item.text)
                    .ok()
                    .and_then(|text| columns.parse_row(text, item.line).ok());
                match row {
                    None => summary.unreadable += 1,
                    Some(row) if filter.matches(&row) => {
                        out.write_all(&item.text).and_then(|()| writeln!(out)).map_err(fail)?;
                        summary.written += 1;
                    }
                    Some(_) => {}
                }
                Ok(())
            };
            match one() {
                Ok(()) => true,
                Err(error) => {
                    failed = Some(error);
                    false
                }
            }
        });
        match (failed.take(), result) {
            (Some(error), _) => return Err(error),
            (None, result) => result?,
        }
    }
    Ok(summary)
}

fn no_rows(file: &Path) -> ArchiveError {
    ArchiveError::UnknownFormat {
        file: file.into(),
        found: "it contains game records, which do not name the players".into(),
    }
}

fn other_columns(file: &Path) -> ArchiveError {
    ArchiveError::InvalidQuery(format!(
        "{}: its columns differ from those of the first file: extract from it separately",
        file.display()
    ))
}

/// The start of a day in seconds since 1970.
pub fn parse_date(text: &str) -> Result<i64> {
    let invalid = || ArchiveError::InvalidQuery(format!("invalid date '{text}': expected YYYY-MM-DD"));
    let date: jiff::civil::Date = text.parse().map_err(|_| invalid())?;
    let start = date.to_zoned(jiff::tz::TimeZone::UTC).map_err(|_| invalid())?;
    Ok(start.timestamp().as_second())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "id\tgusername\tsusername\tgrating\tsrating\tstartts\tmovelist\n\
        1\tAnn\tBob\t1900\t2000\t1357000000\t1g\n2\tCid\tann\t1500\t2000\t1370000000\t1g\n3\tCid\n";

    #[test]
    fn rows_are_filtered_by_player_rating_and_date() {
        let file = std::env::temp_dir().join(format!("surus-cut-{}.txt", std::process::id()));
        std::fs::write(&file, FILE).unwrap();
        let ids = |filter: RowFilter| {
            let mut out = Vec::new();
            let summary = extract_rows(std::slice::from_ref(&file), &filter, &mut out).unwrap();
            assert_eq!((summary.read, summary.unreadable), (3, 1));
            let text = String::from_utf8(out).unwrap();
            text.lines().skip(1).map(|line| line[..1].to_string()).collect::<String>()
        };
        assert_eq!(ids(RowFilter::default()), "12");
        assert_eq!(ids(RowFilter { player: Some("ANN".into()), ..RowFilter::default() }), "12");
        assert_eq!(ids(RowFilter { player: Some("bob".into()), ..RowFilter::default() }), "1");
        assert_eq!(ids(RowFilter { min_rating: Some(1600), ..RowFilter::default() }), "1");
        assert_eq!(
            ids(RowFilter { since: Some(parse_date("2013-01-02").unwrap()), ..RowFilter::default() }),
            "2"
        );
        assert_eq!(
            ids(RowFilter { until: Some(parse_date("2013-01-02").unwrap()), ..RowFilter::default() }),
            "1"
        );
        assert_eq!(
            parse_date("2013-02-30").unwrap_err().to_string(),
            "invalid date '2013-02-30': expected YYYY-MM-DD"
        );
        std::fs::remove_file(&file).unwrap();
    }
}
