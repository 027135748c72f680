//! How Arimaa programs talk to each other: AEI, version 1, and the old getMove.

mod aei;
mod clocks;
mod command;
mod controller;
mod engine_thread;
mod format;
mod getmove;
mod guard;
mod lifeline;

pub use aei::{Session, SessionEnd, SessionOptions};
pub use command::{AeiCommand, CommandError};
pub use controller::{
    AeiEngine, CheckResult, CheckStatus, EngineProcessOptions, GetMoveEngine, SideLetters, check_engine,
};
pub use getmove::{GetMoveError, load_game, parse_state_clock};
pub use guard::{Guard, become_engine};
