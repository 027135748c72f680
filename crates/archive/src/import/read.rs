//! Files of games, read line by line: plain, gz or zip; rows of the archive or records.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use surus_record::{ArchiveHeader, Format};

use crate::error::{ArchiveError, Result};

/// A longer line is no game.
const MAX_LINE_LEN: u64 = 16 << 20;

/// One game as it stands in a file.
#[derive(Clone, Debug)]
pub(crate) struct SourceEntry {
    /// Where it begins, counted from 1.
    pub(crate) line: usize,
    pub(crate) text: Vec<u8>,
    /// How far into the file it reaches, in bytes as they are on disk where that is known.
    pub(crate) byte_offset: u64,
}

/// How the games of a file are written.
#[derive(Clone, Debug)]
pub(crate) enum FileFormat {
    ArchiveRows(ArchiveHeader),
    Records,
}

/// Visits every game of a file; the visitor says whether to go on.
pub(crate) fn each_game(file: &Path, visit: &mut dyn FnMut(&FileFormat, SourceEntry) -> bool) -> Result<()> {
    let fail = |error| ArchiveError::Io { file: file.into(), error };
    let mut open = File::open(file).map_err(fail)?;
    let mut magic = [0; 4];
    let read = open.read(&mut magic).map_err(fail)?;
    open.rewind().map_err(fail)?;
    match &magic[..read] {
        [0x1f, 0x8b, ..] => {
            games(file, &mut BufReader::with_capacity(1 << 16, MultiGzDecoder::new(open)), visit)
        }
        [b'P', b'K', 3 | 5, 4 | 6] => {
            let wrong = |error: zip::result::ZipError| fail(io::Error::other(error));
            let mut zip = zip::ZipArchive::new(BufReader::new(open)).map_err(wrong)?;
            let mut found = Err(no_archive(file, "the zip file is empty"));
            for index in 0..zip.len() {
                let entry = zip.by_index(index).map_err(wrong)?;
                if entry.is_dir() {
                    continue;
                }
                match games(file, &mut BufReader::with_capacity(1 << 16, entry), visit) {
                    // A text beside the games, or what an operating system adds, is no reason to refuse them.
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

fn no_archive(file: &Path, found: &str) -> ArchiveError {
    ArchiveError::UnknownFormat { file: file.into(), found: found.into() }
}

/// Reads a line without its end; false at the end of the file.
fn next_line(reader: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let read = reader.take(MAX_LINE_LEN).read_until(b'\n', line)?;
    while matches!(line.last(), Some(b'\n' | b'\r')) {
        line.pop();
    }
    Ok(0 < read)
}

fn games(
    file: &Path,
    reader: &mut dyn BufRead,
    visit: &mut dyn FnMut(&FileFormat, SourceEntry) -> bool,
) -> Result<()> {
    let fail = |error| ArchiveError::Io { file: file.into(), error };
    let mut line = Vec::new();
    if !next_line(reader, &mut line).map_err(fail)? {
        return Err(no_archive(file, "it is empty"));
    }
    // Some editors put a mark before the first line.
    let first = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line).to_vec();
    let place = first.len() as u64 + 1;
    if let Some(columns) = std::str::from_utf8(&first).ok().and_then(|line| ArchiveHeader::parse(line).ok()) {
        return rows(file, reader, &FileFormat::ArchiveRows(columns), place, visit);
    }
    records(file, reader, first, visit)
}

fn rows(
    file: &Path,
    reader: &mut dyn BufRead,
    layout: &FileFormat,
    mut place: u64,
    visit: &mut dyn FnMut(&FileFormat, SourceEntry) -> bool,
) -> Result<()> {
    let fail = |error| ArchiveError::Io { file: file.into(), error };
    let (mut line, mut number) = (Vec::new(), 1);
    while next_line(reader, &mut line).map_err(fail)? {
        number += 1;
        place += line.len() as u64 + 1;
        let text = std::mem::take(&mut line);
        if !text.trim_ascii().is_empty()
            && !visit(layout, SourceEntry { line: number, text, byte_offset: place })
        {
            return Err(ArchiveError::Cancelled);
        }
    }
    Ok(())
}

/// Records with blank lines between them and # before comments.
fn records(
    file: &Path,
    reader: &mut dyn BufRead,
    first: Vec<u8>,
    visit: &mut dyn FnMut(&FileFormat, SourceEntry) -> bool,
) -> Result<()> {
    let fail = |error| ArchiveError::Io { file: file.into(), error };
    let (mut line, mut number, mut place) = (first, 1, 0);
    let mut open: Option<SourceEntry> = None;
    let mut checked = false;
    loop {
        let trimmed = line.trim_ascii();
        let comment = trimmed.starts_with(b"#");
        place += line.len() as u64 + 1;
        if trimmed.is_empty() {
            if open.take().is_some_and(|item| !visit(&FileFormat::Records, item)) {
                return Err(ArchiveError::Cancelled);
            }
        } else if !comment {
            if !checked {
                is_record(trimmed).map_err(|found| no_archive(file, &found))?;
                checked = true;
            }
            let item = open.get_or_insert_with(|| SourceEntry {
                line: number,
                text: Vec::new(),
                byte_offset: place,
            });
            item.text.extend_from_slice(trimmed);
            item.text.push(b'\n');
            item.byte_offset = place;
        }
        if !next_line(reader, &mut line).map_err(fail)? {
            break;
        }
        number += 1;
    }
    if open.is_some_and(|item| !visit(&FileFormat::Records, item)) {
        return Err(ArchiveError::Cancelled);
    }
    if checked { Ok(()) } else { Err(no_archive(file, "there is no game in it")) }
}

/// A file whose first line of play is none is something else.
fn is_record(line: &[u8]) -> std::result::Result<(), String> {
    let text = String::from_utf8_lossy(line);
    match Format::detect(&text) {
        Ok(Format::Record) => Ok(()),
        Ok(found) => Err(format!("it begins with {found}")),
        Err(_) => Err(format!("it begins with '{}'", text.chars().take(40).collect::<String>())),
    }
}
