//! One file for each command.

pub(crate) mod aei;
mod analysis;
pub(crate) mod analyze;
pub(crate) mod archive;
pub(crate) mod arena;
pub(crate) mod bench;
pub(crate) mod check_engine;
mod cluster;
pub(crate) mod engine;
pub(crate) mod gameroom;
pub(crate) mod geometry;
pub(crate) mod getmove;
pub(crate) mod guard;
pub(crate) mod lab;
pub(crate) mod learn;
pub(crate) mod net;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod tactics;
mod terminal;
mod terminal_board;
