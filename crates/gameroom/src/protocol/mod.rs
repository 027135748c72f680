//! The protocol of the gameroom for bots, without I/O.
//!
//! A bot logs in at the *room*, which lists and opens games, and reserves a seat at a *table*, where one game is played.
//! Each has its own URL and session id. A request is a form ([`RoomRequest`], [`TableRequest`]), an answer a list of
//! [`Fields`]. [`TableState`] is the full state of a game, [`TableState::due`] says who has to act.

mod clock;
mod encoding;
mod failure;
mod lists;
mod request;
mod result;
mod secret;
mod state;

pub use clock::{TurnClock, TurnTimes};
pub use encoding::{Fields, escape, unescape};
pub use failure::{Failure, check};
pub use lists::{GameEntry, Seat, game_entries};
pub use request::{RequestError, Role, RoomRequest, TableRequest};
pub use result::{ResultCode, RoomResult};
pub use secret::Secret;
pub use state::{
    Contradiction, StateError, TableState, Takeback, TurnDue, read_side, replay_moves, side_letter,
};
