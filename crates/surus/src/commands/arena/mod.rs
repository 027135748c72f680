//! Engines against each other: match, tournament, sprt, ratings, merge.

mod base;
mod contest;
pub(crate) mod matches;
pub(crate) mod merge;
mod options;
pub(crate) mod ratings;
mod report;
pub(crate) mod sprt;
pub(crate) mod tournament;
