//! What can be wrong with records and their files.

use std::io;
use std::path::PathBuf;

use surus_rules::{PositionError, Step};

use crate::journal::JournalError;

/// A position that can't be recorded, or a record that no sample makes.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SampleError {
    /// The board can't occur.
    #[error(transparent)]
    Board(#[from] PositionError),
    /// No steps, or more than a turn has.
    #[error("{0} steps are left: expected 1 to 4")]
    StepsLeft(u8),
    /// A step of the best turn has no piece to move, or nowhere to go.
    #[error("the best turn's step {0} does not fit the board")]
    InvalidBestStep(Step),
    /// Bytes that no sample is packed to.
    #[error("byte {0} of the record has a value that nothing is packed to")]
    NonCanonicalByte(usize),
}

/// What no writer leaves in a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Damage {
    /// The length of the header is beyond what a header can have.
    #[error("its header has an impossible length of {0} bytes")]
    HeaderLength(u32),
    /// The header was changed.
    #[error("the checksum of its header is wrong")]
    HeaderChecksum,
    /// The header is sound, but is not the JSON of one.
    #[error("its header can't be read: {0}")]
    Header(String),
    /// No game begins where one has to.
    #[error("no game begins there")]
    NoGame,
    /// A game ends before its checksum.
    #[error("game {0} has no checksum")]
    NoChecksum(u64),
    /// A game was changed.
    #[error("the checksum of game {0} is wrong")]
    Checksum(u64),
    /// A game names an origin that the header does not have.
    #[error("game {game} has origin {origin}, of {origins}")]
    Origin {
        /// Which game.
        game: u64,
        /// The place that it names.
        origin: u16,
        /// How many origins the header has.
        origins: usize,
    },
    /// A game names an ending that there is not.
    #[error("game {game} ended by the unknown reason {found}")]
    Reason {
        /// Which game.
        game: u64,
        /// The byte that stands there.
        found: u8,
    },
    /// A game names a winner that there is not.
    #[error("game {game} has the unknown result {found}")]
    Result {
        /// Which game.
        game: u64,
        /// The byte that stands there.
        found: u8,
    },
}

/// A file of packed records that can't be used.
#[derive(Debug, thiserror::Error)]
pub enum PackedFileError {
    /// Reading or writing failed.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// Some other file.
    #[error("{}: not a file of packed records: expected it to begin with SURUSDAT", .0.display())]
    BadMagic(PathBuf),
    /// Written by another version of this program.
    #[error(
        "{}: version {found} of the packed records: this program reads version {expected}; use the one that wrote it",
        path.display()
    )]
    UnsupportedVersion {
        /// Which file.
        path: PathBuf,
        /// The version it has.
        found: u16,
        /// The version we read.
        expected: u16,
    },
    /// A checksum that is wrong, or something else that no writer leaves.
    #[error("{}: damaged at byte {offset}, after {games} whole games: {problem}", path.display())]
    Corrupt {
        /// Which file.
        path: PathBuf,
        /// Where the damaged part begins.
        offset: u64,
        /// How many games come before it.
        games: u64,
        /// What is wrong.
        problem: Damage,
    },
    /// The last game is unfinished, as a killed writer leaves it.
    #[error(
        "{}: torn at byte {offset}, after {games} whole games: the same command again goes on from there, and \
         'surus learn data merge' with --skip-corrupt keeps the whole games",
        path.display()
    )]
    Truncated {
        /// Which file.
        path: PathBuf,
        /// Where the unfinished part begins.
        offset: u64,
        /// How many games come before it.
        games: u64,
    },
    /// The file cannot be appended to.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The header cannot be written as JSON.
    #[error("the header cannot be written: {0}")]
    Header(serde_json::Error),
    /// The file there is of another run.
    #[error("{} contains another run, which cannot be continued (there against here): {}", path.display(), differences.join("; "))]
    ProvenanceMismatch {
        /// Which file.
        path: PathBuf,
        /// What was different there.
        differences: Vec<String>,
    },
    /// A game that a file can't hold.
    #[error("game {id} can't be written: {problem}")]
    GameTooLong {
        /// Which game.
        id: u64,
        /// Why not.
        problem: String,
    },
}
