//! The engine of Surus.
//!
//! [`AlphaBeta`] searches over steps with pushes and pulls as units; at the ends of turns it asks `surus-tactics`,
//! beyond its depth it looks at captures, goals and their defences only. Everything that decides is a whole number:
//! with one thread and a limit of nodes or depth, every machine finds the same turn with the same nodes.

mod bench;
mod deepening;
mod engine;
pub mod eval;
mod features;
mod levels;
mod machine;
mod material;
mod mcts;
mod memory;
mod node;
mod opponents;
mod order;
mod patience;
mod place;
mod plan;
mod prefetch;
mod prune;
mod quiescence;
mod reversible;
mod root;
mod score;
mod search;
#[cfg(test)]
mod search_tests;
mod setups;
mod table;
#[cfg(test)]
mod tests;
mod threads;
mod turnset;
mod whole;
mod window;

pub use bench::{BENCH_DEPTH, Bench, bench};
pub use engine::AlphaBeta;
pub use features::SWITCHES;
pub use mcts::Mcts;
pub use opponents::{Fairylike, Sample};
pub use score::{WIN_SCALE, win_chance};
