//! The engines of Surus: alpha-beta search, Monte Carlo tree search, the opponents of \[Akimot\], and the engine of
//! Linguistic Geometry.
//!
//! [`AlphaBeta`] searches over steps with pushes and pulls as units. `surus-tactics` finds goals and eliminations
//! exactly at the ends of turns; below the horizon only captures, goals and their defences are searched. All
//! decisions use integers: with one thread and a node or depth limit, every machine finds the same turn with the same
//! number of nodes.

mod alphabeta;
mod common;
pub mod eval;
mod mcts;
mod opponents;
pub mod ordering;
pub mod phase;

pub use alphabeta::{
    AlphaBeta, BENCH_DEPTH, BENCH_POSITIONS, Bench, Cutoffs, FEATURES, LEVEL_DESCRIPTIONS, bench,
};
pub use common::score::win_probability;
pub use mcts::Mcts;
pub use opponents::{Fairylike, GeometryEngine, SampleBot};
