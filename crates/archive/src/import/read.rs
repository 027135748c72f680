//! Reads game files line by line: plain, gz or zip; archive rows or game records.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use surus_record::{ArchiveHeader, Format};

use crate::error::{ArchiveError, Result};

/// Longer lines are split, so that a file without line breaks does not exhaust memory.
const MAX_LINE_LEN: u64 = 16 << 20;

/// A game as it appears in a file.
#[derive(Clone, Debug)]
pub(crate) struct SourceEntry {
    /// The line on which it starts, from 1.
    pub(crate) line: usize,
    pub(crate) text: Vec<u8>,
    /// The offset of its end in the decompressed data.
    pub(crate) byte_offset: u64,
}

/// The format of a file of games.
#[derive(Clone, Debug)]
pub(crate) enum FileFormat {
    ArchiveRows(ArchiveHeader),
    Records,
}

/// Visits every game of a file until `visit` returns false.
pub(crate) fn for_each_game(
    file: &Path,
    visit: &mut dyn FnMut(&FileFormat, SourceEntry) -> bool,
) -> Result<()> {
    let io_error = |error| ArchiveError::Io { file: file.into(), error };
    let mut open = File::open(file).map_err(io_error)?;
    let mut magic = [0; 4];
    let read = open.read(&mut magic).map_err(io_error)?;
    open.rewind().map_err(io_error)?;
    match &magic[..read] {
        [0x1f, 0x8b, ..] => {
            games(file, &mut BufReader::with_capacity(1 << 16, MultiGzDecoder::new(open)), visit)
        }
        [b'P', b'K', 3 | 5, 4 | 6] => {
            let zip_error = |error: zip::result::ZipError| io_error(io::Error::other(error));
            let mut zip = zip::ZipArchive::new(BufReader::new(open)).map_err(zip_error)?;
            let mut found = Err(unknown_format(file, "the zip file is empty"));
            for index in 0..zip.len() {
                let entry = zip.by_index(index).map_err(zip_error)?;
                if entry.is_dir() {
                    continue;
                }
                match games(file, &mut BufReader::with_capacity(1 << 16, entry), visit) {
                    // Other files in a zip, such as a README, are ignored.
                    Err(error @ ArchiveError::UnknownFormat { .. }) => found = found.or(Err(error)),
                    other => {
                        other?;
                        found = Ok(());
                    }
                }
            }
            found
        }
        _ => games(file, &mut BufReader::with_capacity(1 << 16, open), visit),
    }
}

fn unknown_format(file: &Path, found: &str) -> ArchiveError {
    ArchiveError::UnknownFormat { file: file.into(), found: found.into() }
}

/// Reads a line without its line break; returns false at the end of the file.
fn next_line(reader: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let read = reader.take(MAX_LINE_LEN).read_until(b'\n', line)?;
    while matches!(line.last(), Some(b'\n' | b'\r')) {
        line.pop();
    }
    Ok(read > 0)
}

fn games(
    file: &Path,
    reader: &mut dyn BufRead,
    visit: &mut dyn FnMut(&FileFormat, SourceEntry) -> bool,
) -> Result<()> {
    let io_error = |error| ArchiveError::Io { file: file.into(), error };
    let mut line = Vec::new();
    if !next_line(reader, &mut line).map_err(io_error)? {
        return Err(unknown_format(file, "it is empty"));
    }
    // Some editors write a byte order mark.
    let first = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line).to_vec();
    let byte_offset = first.len() as u64 + 1;
    if let Some(columns) = std::str::from_utf8(&first).ok().and_then(|line| ArchiveHeader::parse(line).ok()) {
        return rows(file, reader, &FileFormat::ArchiveRows(columns), byte_offset, visit);
    }
    records(file, reader, first, visit)
}

fn rows(
    file: &Path,
    reader: &mut dyn BufRead,
    format: &FileFormat,
    mut byte_offset: u64,
    visit: &mut dyn FnMut(&FileFormat, SourceEntry) -> bool,
) -> Result<()> {
    let io_error = |error| ArchiveError::Io { file: file.into(), error };
    let (mut line, mut number) = (Vec::new(), 1);
    while next_line(reader, &mut line).map_err(io_error)? {
        number += 1;
        byte_offset += line.len() as u64 + 1;
        let text = std::mem::take(&mut line);
        if !text.trim_ascii().is_empty() && !visit(format, SourceEntry { line: number, text, byte_offset }) {
            return Err(ArchiveError::Cancelled);
        }
    }
    Ok(())
}

/// Game records, separated by blank lines; lines that start with # are comments.
fn records(
    file: &Path,
    reader: &mut dyn BufRead,
    first: Vec<u8>,
    visit: &mut dyn FnMut(&FileFormat, SourceEntry) -> bool,
) -> Result<()> {
    let io_error = |error| ArchiveError::Io { file: file.into(), error };
    let (mut line, mut number, mut byte_offset) = (first, 1, 0);
    let mut open: Option<SourceEntry> = None;
    let mut checked = false;
    loop {
        let trimmed = line.trim_ascii();
        let comment = trimmed.starts_with(b"#");
        byte_offset += line.len() as u64 + 1;
        if trimmed.is_empty() {
            if open.take().is_some_and(|entry| !visit(&FileFormat::Records, entry)) {
                return Err(ArchiveError::Cancelled);
            }
        } else if !comment {
            if !checked {
                check_is_record(trimmed).map_err(|found| unknown_format(file, &found))?;
                checked = true;
            }
            let entry =
                open.get_or_insert_with(|| SourceEntry { line: number, text: Vec::new(), byte_offset });
            entry.text.extend_from_slice(trimmed);
            entry.text.push(b'\n');
            entry.byte_offset = byte_offset;
        }
        if !next_line(reader, &mut line).map_err(io_error)? {
            break;
        }
        number += 1;
    }
    if open.is_some_and(|entry| !visit(&FileFormat::Records, entry)) {
        return Err(ArchiveError::Cancelled);
    }
    if checked { Ok(()) } else { Err(unknown_format(file, "it contains no game")) }
}

/// Checks that the first line is the first line of a record.
fn check_is_record(line: &[u8]) -> std::result::Result<(), String> {
    let text = String::from_utf8_lossy(line);
    match Format::detect(&text) {
        Ok(Format::Record) => Ok(()),
        Ok(found) => Err(format!("it starts with {found}")),
        Err(_) => Err(format!("it starts with '{}'", text.chars().take(40).collect::<String>())),
    }
}
