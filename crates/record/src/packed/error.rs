//! Errors of samples and their files.

use std::io;
use std::path::PathBuf;

use surus_rules::{PositionError, Step};

use crate::journal::JournalError;

/// A sample that cannot be packed, or invalid packed bytes.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SampleError {
    /// An invalid board.
    #[error(transparent)]
    Board(#[from] PositionError),
    /// An invalid number of steps.
    #[error("{0} steps are left: expected 1 to 4")]
    StepsLeft(u8),
    /// A step of the best turn has no piece to move, or its target is occupied.
    #[error("invalid step {0} of the best turn")]
    InvalidBestStep(Step),
    /// A byte that packing never produces.
    #[error("invalid value of byte {0} of the record")]
    NonCanonicalByte(usize),
}

/// Damage of a file that an interrupted writer cannot cause.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Damage {
    /// The length of the header exceeds its maximum.
    #[error("invalid header length of {0} bytes")]
    HeaderLength(u32),
    /// The checksum of the header is wrong.
    #[error("wrong checksum of the header")]
    HeaderChecksum,
    /// The header is not valid JSON.
    #[error("invalid header: {0}")]
    Header(String),
    /// No game starts at the offset.
    #[error("expected the start of a game")]
    NoGame,
    /// A game ends before its checksum.
    #[error("game {0} has no checksum")]
    NoChecksum(u64),
    /// The checksum of a game is wrong.
    #[error("wrong checksum of game {0}")]
    Checksum(u64),
    /// The origin of a game is not in the header.
    #[error("game {game} has origin {origin}: expected less than {origins}")]
    Origin {
        /// The number of the game.
        game: u64,
        /// Index of the origin.
        origin: u16,
        /// Number of origins in the header.
        origins: usize,
    },
    /// Unknown termination code.
    #[error("unknown termination code {found} of game {game}")]
    Reason {
        /// The number of the game.
        game: u64,
        /// The byte that was found.
        found: u8,
    },
    /// Unknown result code.
    #[error("unknown result code {found} of game {game}")]
    Result {
        /// The number of the game.
        game: u64,
        /// The byte that was found.
        found: u8,
    },
}

/// A file of packed records that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PackedFileError {
    /// Reading or writing failed.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// Another kind of file.
    #[error("{}: not a file of packed records: expected SURUSDAT at the start", .0.display())]
    BadMagic(PathBuf),
    /// Written by another version of this program.
    #[error(
        "{}: version {found} of the packed records: this program reads version {expected}; use the one that wrote it",
        path.display()
    )]
    UnsupportedVersion {
        /// The file.
        path: PathBuf,
        /// The version of the file.
        found: u16,
        /// The supported version.
        expected: u16,
    },
    /// The file is damaged.
    #[error("{}: damaged at byte {offset}, after {games} complete games: {problem}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// Start of the damaged part.
        offset: u64,
        /// Number of complete games before it.
        games: u64,
        /// The damage.
        problem: Damage,
    },
    /// The last game is incomplete, because the writer was interrupted.
    #[error(
        "{}: truncated at byte {offset}, after {games} complete games: repeat the command to continue, or use 'surus learn \
         data merge' with --skip-corrupt to keep the complete games",
        path.display()
    )]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Start of the incomplete part.
        offset: u64,
        /// Number of complete games before it.
        games: u64,
    },
    /// The file cannot be appended to.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The header cannot be written as JSON.
    #[error("the header cannot be written: {0}")]
    Header(serde_json::Error),
    /// The file is from another run.
    #[error("{} contains another run, which cannot be continued (saved against new settings): {}", path.display(), differences.join("; "))]
    ProvenanceMismatch {
        /// The file.
        path: PathBuf,
        /// Settings that differ.
        differences: Vec<String>,
    },
    /// A game that is too long for the format.
    #[error("game {id} cannot be written: {problem}")]
    GameTooLong {
        /// The number of the game.
        id: u64,
        /// The cause.
        problem: String,
    },
}
