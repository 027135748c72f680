//! Test suites: positions with a question, and what an engine's answer to it is worth.
//!
//! The files are those of [`surus_record::ats`]. [`load`] reads files and directories, [`validate()`] looks whether the tests
//! themselves are right, and [`run`] puts them to an engine.

mod load;
mod points;
mod run;
#[cfg(test)]
mod tests;
mod validate;

pub use load::{Suite, UnknownTest, load};
pub use points::{Points, points};
pub use run::{NoTurn, SuiteOptions, TagSummary, TestResult, run, summarize_by_tag};
pub use surus_record::ats::{Atom, Block, Condition, Config, Problem, SuiteError, Test};
pub use validate::{TestValidation, validate};
