//! Files around the game.
//!
//! The rules know one game and its record; here are the files that hold many: the official archive with its
//! columns, collections of plain records, and the packed records that learning reads; and the [`journal`] that
//! long-running commands write through.

mod archive;
mod collection;
pub mod journal;
pub mod packed;
mod shard;
mod wins;

pub use archive::{Archive, ArchiveError, Columns, Row};
pub use collection::{Source, records};
pub use shard::Shard;
pub use wins::{Win, WinError, wins};
