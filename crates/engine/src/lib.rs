//! The engine of Surus.
//!
//! [`AlphaBeta`] searches over steps with pushes and pulls as units; at the ends of turns it asks `surus-tactics`,
//! beyond its depth it looks at captures, goals and their defences only. Everything that decides is a whole number:
//! with one thread and a limit of nodes or depth, every machine finds the same turn with the same nodes.

mod alphabeta;
mod common;
pub mod eval;
mod mcts;
mod opponents;

pub use alphabeta::{AlphaBeta, BENCH_DEPTH, Bench, FEATURES as SWITCHES, bench};
pub use common::score::{WIN_PROBABILITY_SCALE, win_probability};
pub use mcts::Mcts;
pub use opponents::{Fairylike, Sample};
