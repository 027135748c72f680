//! Protocols of Arimaa engines: AEI version 1 (both sides) and getMove.

mod aei;
mod command;
mod controller;
mod engine_thread;
mod format;
mod getmove;
mod guard;
mod lifeline;
mod time_options;

pub use aei::{Session, SessionEnd, SessionOptions};
pub use command::{AeiCommand, CommandError};
pub use controller::{
    AeiEngine, CheckResult, CheckStatus, EngineProcessOptions, GetMoveEngine, SideLetters, check_engine,
};
pub use getmove::{GetMoveError, load_game, parse_state_clock};
pub use guard::{Guard, become_engine};
