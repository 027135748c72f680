//! Files around the game.
//!
//! The rules know one game and its record; here are the files that hold many: the official archive with its
//! columns, collections of plain records, and the packed records that learning reads; and the [`journal`] that
//! long-running commands write through.

mod archive;
mod collection;
mod columns;
mod events;
pub mod journal;
pub mod packed;
mod pgn;
mod shard;
mod wins;

pub use archive::{Archive, ArchiveError, Columns, Row};
pub use collection::{Source, records};
pub use columns::{COLUMNS, GameRow, Player, PlayerKind, header, in_lines};
pub use events::{EventLog, TurnEvent};
pub use pgn::PgnGame;
pub use shard::{Shard, ShardError};
pub use wins::{Win, WinError, wins};
