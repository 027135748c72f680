//! File formats.
//!
//! Every format is implemented once: the official archive with its columns and event logs, collections of plain records,
//! game trees, tests ([`ats`]), lists of known wins, PGN, and packed training records. [`Format::detect`] detects the format of
//! a text, and [`games`] reads any format that contains games. Long-running commands write through the [`journal`].

mod archive_file;
pub mod ats;
mod collection;
mod columns;
mod composed;
mod events;
mod format;
pub mod ini;
pub mod journal;
mod known_wins;
pub mod packed;
mod pgn;
mod read;
mod shard;
pub mod tree;

pub use archive_file::{ArchiveFile, ArchiveFileError, ArchiveHeader, ArchiveRow};
pub use collection::{RawGame, parse_games};
pub use columns::{COLUMNS, GameRow, Player, PlayerKind, header, in_lines};
pub use events::{EventLog, TurnEvent};
pub use format::{Format, FormatError};
pub use known_wins::{KnownWin, KnownWinError, parse_known_wins};
pub use pgn::PgnGame;
pub use read::{Games, ReadError, ReadFailure, game, games};
pub use shard::{Shard, ShardError};
pub use tree::{GameTree, Node, TreeError};
