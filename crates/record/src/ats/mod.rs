//! Test positions, with conditions that score the answers.
//!
//! A [`Test`] is read from an ATS file, the format of Akimot's test suite ([`parse`]), or from TOML ([`parse_toml`]).
//! [`Config`] is an `ats.cfg`.
//!
//! ```
//! let text = "[settings]\nposition = g [r                                                              R]\n\
//!     tags = easy\n[criteria]\ncondition = piece_position\nafter_piece_position = Rh2 | Rg1 : 0.5";
//! let test = surus_record::ats::parse("tests/one.txt", text)?;
//! assert_eq!((test.name.as_str(), test.condition.max_points()), ("one", 1.0));
//! # Ok::<(), surus_record::ats::SuiteError>(())
//! ```

mod ats_format;
mod condition;
mod config;
mod error;
mod ini;
mod model;
#[cfg(test)]
mod tests;
mod toml_format;

pub use ats_format::{looks_like_ats, parse, position, stem};
pub use condition::{Atom, Block, Condition};
pub use config::Config;
pub use error::{SuiteError, SuiteErrorKind};
pub use model::Test;
pub use toml_format::parse_toml;
