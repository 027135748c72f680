//! Journals of text: a header line, then rows that each end with a tab and a checksum.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::Path;

use super::{Journal, JournalError};

/// A journal whose rows are lines of text. A row on disk is the text, a tab, the CRC-32 of the text in eight hexadecimal
/// digits and a newline.
///
/// ```
/// use surus_record::journal::LineJournal;
///
/// let path = std::env::temp_dir().join(format!("surus-doc-journal-{}", std::process::id()));
/// let mut journal = LineJournal::open(&path, "name\tvalue\tcrc32", |_| Ok(()))?;
/// journal.append("speed\t12")?;
/// drop(journal);
/// let mut rows = Vec::new();
/// LineJournal::open(&path, "name\tvalue\tcrc32", |row| Ok(rows.push(row.to_owned())))?;
/// assert_eq!(rows, ["speed\t12"]);
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), surus_record::journal::JournalError>(())
/// ```
#[derive(Debug)]
pub struct LineJournal {
    journal: Journal,
}

impl LineJournal {
    /// Opens and locks a journal, writes the header if the file is new, passes every row to `on_row` and removes a torn
    /// last row. `on_row` returns what is wrong with a row that it cannot use.
    pub fn open(
        path: &Path,
        header: &str,
        on_row: impl FnMut(&str) -> Result<(), String>,
    ) -> Result<Self, JournalError> {
        let mut journal = Journal::open(path)?;
        let end = for_each_line(path, header, on_row)?;
        if end < journal.len() {
            journal.truncate(end)?;
        }
        if journal.is_empty() {
            journal.append(format!("{header}\n").as_bytes())?;
        }
        Ok(Self { journal })
    }

    /// Appends a row. A newline in it is refused, because the row could not be read back.
    pub fn append(&mut self, row: &str) -> Result<(), JournalError> {
        if row.contains('\n') {
            let error = std::io::Error::new(std::io::ErrorKind::InvalidInput, "a row contains a newline");
            return Err(JournalError::Io { path: self.journal.path().into(), error });
        }
        self.journal.append(format!("{row}\t{}\n", checksum(row)).as_bytes())
    }

    /// Forces all rows to the disk.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.journal.sync()
    }
}

/// Passes every complete row of a journal to `on_row`, without a lock, and returns where the last one ends. What follows
/// there is a torn row, or one that is being written.
pub fn for_each_line(
    path: &Path,
    header: &str,
    on_row: impl FnMut(&str) -> Result<(), String>,
) -> Result<u64, JournalError> {
    for_each_line_after(path, 0, header, on_row)
}

/// Does the same for the rows after `offset`: 0, or where an earlier call ended. Line numbers in errors count from there.
pub fn for_each_line_after(
    path: &Path,
    offset: u64,
    header: &str,
    mut on_row: impl FnMut(&str) -> Result<(), String>,
) -> Result<u64, JournalError> {
    let mut lines = Lines::open(path, offset)?;
    if offset == 0 {
        if !lines.advance()? {
            // The process ended before the header was complete.
            let torn = format!("{header}\n").as_bytes().starts_with(&lines.line);
            return if torn { Ok(0) } else { Err(lines.unexpected_header(header)) };
        }
        if lines.text()? != header {
            return Err(lines.unexpected_header(header));
        }
    }
    let mut end = lines.offset;
    while lines.advance()? {
        verify(lines.text()?).and_then(&mut on_row).map_err(|problem| lines.corrupt(problem))?;
        end = lines.offset;
    }
    Ok(end)
}

fn checksum(row: &str) -> String {
    format!("{:08x}", crc32fast::hash(row.as_bytes()))
}

/// The row of a line, without its checksum.
fn verify(line: &str) -> Result<&str, String> {
    let (row, found) = line.rsplit_once('\t').ok_or("no checksum at the end of the row")?;
    let expected = checksum(row);
    if found == expected { Ok(row) } else { Err(format!("checksum '{found}': expected '{expected}'")) }
}

struct Lines<'a> {
    path: &'a Path,
    reader: BufReader<File>,
    /// The bytes of the current line.
    line: Vec<u8>,
    line_number: u64,
    /// Where the current line ends.
    offset: u64,
}

impl<'a> Lines<'a> {
    fn open(path: &'a Path, offset: u64) -> Result<Self, JournalError> {
        let mut file = File::open(path).map_err(JournalError::io(path))?;
        file.seek(SeekFrom::Start(offset)).map_err(JournalError::io(path))?;
        Ok(Self { path, reader: BufReader::new(file), line: Vec::new(), line_number: 0, offset })
    }

    /// Reads the next line; false at the end of the file and at a line without its newline.
    fn advance(&mut self) -> Result<bool, JournalError> {
        self.line.clear();
        self.reader.read_until(b'\n', &mut self.line).map_err(JournalError::io(self.path))?;
        self.line_number += 1;
        let complete = self.line.last() == Some(&b'\n');
        if complete {
            self.offset += self.line.len() as u64;
        }
        Ok(complete)
    }

    /// The current line, without its newline.
    fn text(&self) -> Result<&str, JournalError> {
        let text = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        std::str::from_utf8(text).map_err(|_| self.corrupt("not UTF-8".into()))
    }

    fn corrupt(&self, problem: String) -> JournalError {
        JournalError::Corrupt { path: self.path.into(), line: self.line_number, problem }
    }

    fn unexpected_header(&self, expected: &str) -> JournalError {
        let found: String = String::from_utf8_lossy(&self.line)
            .trim_end()
            .chars()
            .filter(|c| !c.is_control())
            .take(60)
            .collect();
        let expected = expected.replace('\t', " ");
        JournalError::Header { path: self.path.into(), found, expected }
    }
}
