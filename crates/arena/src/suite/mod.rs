//! Test suites: positions with a question, and what an engine's answer to it is worth.
//!
//! A [`Test`] comes out of an ATS file (the form of Akimot's test suite) or out of our own TOML form; from then on
//! there is no difference. [`load`] reads files and directories, [`check`] looks whether the tests themselves are
//! right, and [`run`] puts them to an engine.

mod ats;
mod check;
mod condition;
mod config;
mod error;
mod form;
mod ini;
mod load;
mod model;
mod run;
#[cfg(test)]
mod tests;

pub use check::{Checked, check};
pub use condition::{Atom, Block, Condition};
pub use config::Config;
pub use error::{Problem, SuiteError};
pub use load::{Suite, load};
pub use model::{Points, Test};
pub use run::{Answered, Settings, Tally, run, tallies};
