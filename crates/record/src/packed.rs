//! Packed training records: search results for the turns of games, with the results of the games.
//!
//! A file has a header with the provenance of its games, followed by the games, each with its own checksum, so that a torn last
//! game is detected and removed. `docs/data.md` documents the layout byte by byte.
//!
//! ```no_run
//! use surus_record::packed::{Flags, PackedReader};
//!
//! for game in PackedReader::open("data/selfplay-1-of-1.packed".as_ref())?.into_games() {
//!     let game = game?;
//!     for record in game.samples.iter().filter(|record| record.flags().contains(Flags::QUIET)) {
//!         println!("{} {:?} {:?} {:?}", game.id, record.board(), record.score(), game.result);
//!     }
//! }
//! # Ok::<(), surus_record::packed::PackedFileError>(())
//! ```

mod error;
mod flags;
mod frame;
mod header;
mod reader;
mod sample;
mod score;
#[cfg(test)]
mod tests;
mod writer;

pub use error::{Damage, PackedFileError, SampleError};
pub use flags::Flags;
pub use frame::PackedGame;
pub(crate) use header::MAGIC;
pub use header::{Header, Provenance, VERSION};
pub use reader::{PackedGames, PackedReader};
pub use sample::{PackedSample, Sample};
pub use surus_rules::Score;
pub use writer::{PackedAppender, PackedWriter};

/// The checksum of the files.
#[must_use]
pub fn checksum(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}
