//! Test positions: a question, and what the answers to it are worth.
//!
//! A [`Test`] comes out of an ATS file (the form of Akimot's test suite, [`parse`]) or out of our own TOML form
//! ([`parse_toml`]); from then on there is no difference. [`Config`] is an `ats.cfg`.
//!
//! ```
//! let text = "[settings]\nposition = g [r                                                              R]\n\
//!     tags = easy\n[criteria]\ncondition = piece_position\nafter_piece_position = Rh2 | Rg1 : 0.5";
//! let test = surus_record::ats::parse("tests/one.txt", text)?;
//! assert_eq!((test.name.as_str(), test.condition.max_points()), ("one", 1.0));
//! # Ok::<(), surus_record::ats::SuiteError>(())
//! ```

mod condition;
mod config;
mod error;
mod file;
mod form;
mod ini;
mod model;
#[cfg(test)]
mod tests;

pub use condition::{Atom, Block, Condition};
pub use config::Config;
pub use error::{Problem, SuiteError};
pub use file::{is_one, parse, position, stem};
pub use form::parse_toml;
pub use model::Test;
