//! Reads a file game by game.

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
    /// How many bytes are read.
    at: u64,
}

impl PackedReader {
    /// Opens a file and reads its header.
    pub fn open(path: &Path) -> Result<Self, PackedFileError> {
        let failed = |error| PackedFileError::Io { path: path.into(), error };
        let file = File::open(path).map_err(failed)?;
        let mut file = BufReader::with_capacity(1 << 18, file);
        let (header, at) = Header::read(path, &mut file)?;
        Ok(Self { path: path.into(), file, header, at })
    }

    /// Where the games come from.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The games in the file's order.
    ///
    /// A game whose records are damaged gives an error, and the next one follows; after any other error there is
    /// nothing more.
    #[must_use]
    pub const fn into_games(self) -> PackedGames {
        PackedGames { reader: self, count: 0, exhausted: false }
    }

    /// The game that begins at a byte, as [`PackedGames::offset`] told it.
    pub fn game_at(&mut self, at: u64) -> Result<PackedGame, PackedFileError> {
        let failed = |error| PackedFileError::Io { path: self.path.clone(), error };
        let way = i64::try_from(at).unwrap_or(i64::MAX).saturating_sub_unsigned(self.at);
        self.file.seek_relative(way).map_err(failed)?;
        self.at = at;
        let end = PackedFileError::Truncated { path: self.path.clone(), offset: at, games: 0 };
        self.next_game(0).map_or(Err(end), |(_, game)| game)
    }

    /// The next game and whether another can follow; nothing at the end of the file.
    fn next_game(&mut self, games: u64) -> Option<(bool, Result<PackedGame, PackedFileError>)> {
        let start = self.at;
        let torn = || PackedFileError::Truncated { path: self.path.clone(), offset: start, games };
        let failed = |error| PackedFileError::Io { path: self.path.clone(), error };
        let damaged =
            |problem| PackedFileError::Corrupt { path: self.path.clone(), offset: start, games, problem };
        let mut front = [0; FrameHeader::SIZE];
        match read_up_to(&mut self.file, &mut front) {
            Ok(0) => return None,
            Ok(FrameHeader::SIZE) => {}
            Ok(_) => return Some((false, Err(torn()))),
            Err(error) => return Some((false, Err(failed(error)))),
        }
        let Some(front) = FrameHeader::parse(&front) else {
            return Some((false, Err(damaged(Damage::NoGame))));
        };
        let mut rest = vec![0; front.payload_len()];
        match read_up_to(&mut self.file, &mut rest) {
            Ok(read) if read == rest.len() => {}
            Ok(_) => return Some((false, Err(torn()))),
            Err(error) => return Some((false, Err(failed(error)))),
        }
        let game = front.decode_payload(&rest, self.header.origins.len()).map_err(damaged);
        self.at += (FrameHeader::SIZE + rest.len()) as u64;
        Some((true, game))
    }
}

/// As many bytes as there are.
fn read_up_to(file: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut read = 0;
    while read < buffer.len() {
        match file.read(&mut buffer[read..]) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(read)
}

/// The games of a file, one after the other.
#[derive(Debug)]
pub struct PackedGames {
    reader: PackedReader,
    count: u64,
    exhausted: bool,
}

impl PackedGames {
    /// The byte where the next game begins; after an error that ends the file, where that part begins.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.reader.at
    }

    /// Whether the error before was that of a single game, after which others may follow.
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
        let (goes_on, game) = self.reader.next_game(self.count)?;
        self.exhausted = !goes_on;
        self.count += u64::from(game.is_ok());
        Some(game)
    }
}
