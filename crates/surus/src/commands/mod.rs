//! One file for each command.

pub(crate) mod aei;
mod board_art;
pub(crate) mod engine;
pub(crate) mod getmove;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod replay;
pub(crate) mod suite;
mod suite_report;
mod terminal;
