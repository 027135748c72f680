//! Test suites: positions with a condition that scores the answer of an engine.
//!
//! The file formats are those of [`surus_record::ats`]. [`load`] reads files and directories, [`validate()`] checks the tests
//! themselves, and [`run`] runs an engine on them.

mod load;
mod points;
mod run;
#[cfg(test)]
mod tests;
mod validate;

pub use load::{Suite, UnknownTest, load};
pub use points::{Points, points};
pub use run::{NoTurn, SuiteOptions, TagSummary, TestResult, run, summarize_by_tag};
pub use surus_record::ats::{Atom, Block, Condition, Config, SuiteError, SuiteErrorKind, Test};
pub use validate::{TestValidation, validate};
