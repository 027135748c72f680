//! Test suites: positions with a question, and what an engine's answer to it is worth.
//!
//! The files are those of [`surus_record::ats`]. [`load`] reads files and directories, [`check`] looks whether the tests
//! themselves are right, and [`run`] puts them to an engine.

mod check;
mod load;
mod points;
mod run;
#[cfg(test)]
mod tests;

pub use check::{Checked, check};
pub use load::{Suite, UnknownTest, load};
pub use points::{Points, points};
pub use run::{Answered, NoTurn, Settings, Tally, run, tallies};
pub use surus_record::ats::{Atom, Block, Condition, Config, Problem, SuiteError, Test};
