//! Games between engines (match, tournament, sprt, ratings, merge) and test suites.

mod arena_run;
mod base_build;
pub(crate) mod cluster;
mod limits;
pub(crate) mod matches;
pub(crate) mod merge;
mod options;
pub(crate) mod ratings;
pub(crate) mod report;
pub(crate) mod sprt;
pub(crate) mod suite;
mod suite_report;
pub(crate) mod table;
pub(crate) mod tournament;
