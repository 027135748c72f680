//! The board in the browser: play and review.
//!
//! The page is plain files, embedded in the program; everything about legality comes from the rules, with each
//! position. [`run`] serves it until it is told to end.

mod archive;
mod assets;
mod blocking;
mod engines;
mod error;
mod guard;
mod http;
mod hub;
mod line;
mod live;
mod lock;
mod read;
mod room;
mod serve;
mod socket;
mod store;
#[cfg(test)]
mod test_folder;
mod view;
mod ways;
mod why;
pub mod wire;

pub use serve::{Ended, Ready, ServeError, Settings, run};
