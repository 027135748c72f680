//! Files around the game.
//!
//! The rules know one game and its record; here are the files that hold many: the official archive with its
//! columns, and collections of plain records.

mod archive;
mod collection;

pub use archive::{Archive, ArchiveError, Row};
pub use collection::{Source, records};
