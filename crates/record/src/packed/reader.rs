//! Reads files game by game.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::frame::FrameHeader;
use super::{Damage, Header, PackedFileError, PackedGame};

/// An open file of packed records.
#[derive(Debug)]
pub struct PackedReader {
    path: PathBuf,
    file: BufReader<File>,
    header: Header,
    /// Number of bytes read.
    offset: u64,
}

impl PackedReader {
    /// Opens a file and reads its header.
    pub fn open(path: &Path) -> Result<Self, PackedFileError> {
        let failed = |error| PackedFileError::Io { path: path.into(), error };
        let file = File::open(path).map_err(failed)?;
        let mut file = BufReader::with_capacity(1 << 18, file);
        let (header, offset) = Header::read(path, &mut file)?;
        Ok(Self { path: path.into(), file, header, offset })
    }

    /// The header, with the provenance of the games.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The games in file order.
    ///
    /// If only the records of a game are damaged, the iterator returns an error and continues with the next game; after any
    /// other error it ends.
    #[must_use]
    pub const fn into_games(self) -> PackedGames {
        PackedGames { reader: self, count: 0, exhausted: false }
    }

    /// The game at an offset that [`PackedGames::offset`] returned.
    pub fn game_at(&mut self, offset: u64) -> Result<PackedGame, PackedFileError> {
        let failed = |error| PackedFileError::Io { path: self.path.clone(), error };
        let distance = i64::try_from(offset).unwrap_or(i64::MAX).saturating_sub_unsigned(self.offset);
        self.file.seek_relative(distance).map_err(failed)?;
        self.offset = offset;
        let end = PackedFileError::Truncated { path: self.path.clone(), offset, games: 0 };
        self.next_game(0).map_or(Err(end), |(_, game)| game)
    }

    /// The next game, and whether another can follow. Returns `None` at the end of the file.
    fn next_game(&mut self, games: u64) -> Option<(bool, Result<PackedGame, PackedFileError>)> {
        let start = self.offset;
        let torn = || PackedFileError::Truncated { path: self.path.clone(), offset: start, games };
        let failed = |error| PackedFileError::Io { path: self.path.clone(), error };
        let damaged =
            |problem| PackedFileError::Corrupt { path: self.path.clone(), offset: start, games, problem };
        let mut frame_header = [0; FrameHeader::SIZE];
        match read_up_to(&mut self.file, &mut frame_header) {
            Ok(0) => return None,
            Ok(FrameHeader::SIZE) => {}
            Ok(_) => return Some((false, Err(torn()))),
            Err(error) => return Some((false, Err(failed(error)))),
        }
        let Some(frame_header) = FrameHeader::parse(&frame_header) else {
            return Some((false, Err(damaged(Damage::NoGame))));
        };
        let mut payload = vec![0; frame_header.payload_len()];
        match read_up_to(&mut self.file, &mut payload) {
            Ok(read) if read == payload.len() => {}
            Ok(_) => return Some((false, Err(torn()))),
            Err(error) => return Some((false, Err(failed(error)))),
        }
        let game = frame_header.decode_payload(&payload, self.header.origins.len()).map_err(damaged);
        self.offset += (FrameHeader::SIZE + payload.len()) as u64;
        Some((true, game))
    }
}

/// Fills the buffer, or reads to the end of the file; returns the number of bytes.
fn read_up_to(file: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut read = 0;
    while read < buffer.len() {
        match file.read(&mut buffer[read..]) {
            Ok(0) => break,
            Ok(count) => read += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(read)
}

/// An iterator over the games of a file.
#[derive(Debug)]
pub struct PackedGames {
    reader: PackedReader,
    count: u64,
    exhausted: bool,
}

impl PackedGames {
    /// The offset of the next game; after an error that ends the iterator, that of the damaged part.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.reader.offset
    }

    /// Whether more games may follow after the last error.
    #[must_use]
    pub const fn can_continue(&self) -> bool {
        !self.exhausted
    }
}

impl Iterator for PackedGames {
    type Item = Result<PackedGame, PackedFileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.exhausted {
            return None;
        }
        let (can_continue, game) = self.reader.next_game(self.count)?;
        self.exhausted = !can_continue;
        self.count += u64::from(game.is_ok());
        Some(game)
    }
}
