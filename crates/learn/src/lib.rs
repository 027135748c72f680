//! Training data from self-play and existing games, and tuning of weights and options.
//!
//! A position is labelled with a search score and the result of its game. The file format is
//! [`surus_record::packed`]. A game of a run is determined by its number, so a run can be killed, resumed, extended and
//! sharded without changing any game.

mod adjudication;
pub mod comparison;
pub mod data;
pub mod decisions;
pub mod import;
mod labelling;
pub mod network;
pub mod ordering;
pub mod phase;
pub mod planted;
mod relabel;
pub mod selfplay;
pub mod spsa;
pub mod tune;
mod worker_pool;

pub use adjudication::Adjudicator;
pub use labelling::{LabelledTurn, label_position};
pub use relabel::relabel;
pub use worker_pool::{RunError, run_workers};
