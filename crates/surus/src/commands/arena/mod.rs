//! Engines against each other: match, tournament, sprt, ratings, merge; and test suites.

mod arena_run;
mod base_build;
pub(crate) mod matches;
pub(crate) mod merge;
mod options;
mod pace;
pub(crate) mod ratings;
mod report;
pub(crate) mod sprt;
pub(crate) mod suite;
mod suite_report;
pub(crate) mod tournament;
