//! The web board: HTTP API, live games and the page.
//!
//! The page consists of static files, embedded in the program. It contains no rules of the game: every position comes
//! with its legal actions. [`run`] serves it until a signal shuts the program down.

mod access;
mod analysis;
pub mod api;
mod app_state;
mod archive;
mod assets;
mod blocking;
mod connections;
mod engine_pool;
mod error;
mod evaluation;
mod explain;
mod finished_game;
mod game;
mod guard;
mod hint;
mod http;
mod lock;
mod parse;
mod paths;
mod phase;
mod position_check;
mod position_view;
mod refused;
mod replay;
mod serve;
mod session;
mod steps;
mod store;
mod tactics_view;
#[cfg(test)]
mod test_dir;
mod websocket;

pub use finished_game::{FinishedGame, FinishedGameError};
pub use serve::{Listening, ServeError, ServeOutcome, ServerConfig, run};
