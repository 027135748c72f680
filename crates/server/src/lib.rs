//! The web board: HTTP API, live games and the page.
//!
//! The page consists of static files, embedded in the program. It contains no rules of the game: every position comes
//! with its legal actions. [`run`] serves it until a signal shuts the program down.

pub mod api;
mod app_state;
mod archive;
mod assets;
mod blocking;
mod engine_pool;
mod error;
mod explain;
mod game;
mod guard;
mod http;
mod lock;
mod parse;
mod paths;
mod phase;
mod position_view;
mod replay;
mod serve;
mod session;
mod steps;
mod store;
#[cfg(test)]
mod test_dir;
mod websocket;

pub use serve::{Listening, ServeError, ServeOutcome, ServerConfig, run};
