//! How Arimaa programs talk to each other: AEI, version 1, and the old getMove.

mod aei;
mod clocks;
mod command;
mod controller;
mod getmove;
mod guard;
mod lifeline;
mod speak;
mod worker;

pub use aei::{End, Session, Settings};
pub use command::{Command, CommandError};
pub use controller::{
    AeiProgram, Finding, GetMoveProgram, ProgramSettings, SideLetters, Verdict, check_engine,
};
pub use getmove::{GetMoveError, game_of, state_clock};
pub use guard::{Guard, become_engine};
