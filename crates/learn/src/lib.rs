//! What learning needs: labelled positions from self-play and from real games, and the files that hold them.
//!
//! A position is labelled by a search and by the result of its game. The files are those of
//! [`surus_record::packed`]; a game of a run is told by its number alone, so a run can be killed, resumed, lengthened
//! and split without changing a game.

mod adjudication;
pub mod comparison;
pub mod data;
pub mod decisions;
pub mod import;
mod labelling;
pub mod selfplay;
pub mod spsa;
pub mod tune;
mod worker_pool;

pub use adjudication::Adjudicator;
pub use labelling::{LabelledTurn, label_position};
pub use worker_pool::{RunError, run_workers};
