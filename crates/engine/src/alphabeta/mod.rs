//! The engine `alphabeta`: principal variation search over steps.

mod aspiration;
mod bench;
mod correction;
mod engine;
mod features;
mod history;
mod iterative_deepening;
mod lazy_smp;
mod levels;
mod ordering;
mod packed_turn;
mod params;
mod policy;
mod prefetch;
mod pruning;
mod pvs;
mod quiescence;
mod repetition;
mod reversible;
mod root;
mod root_ranking;
mod search;
mod stack;
mod state;
mod stored_turns;
#[cfg(test)]
mod tests;
mod time_manager;
mod tt;
mod turn_dedup;

pub use bench::{BENCH_DEPTH, BENCH_POSITIONS, Bench, bench};
pub use engine::AlphaBeta;
pub use features::FEATURES;
pub use history::Cutoffs;
pub use levels::LEVEL_DESCRIPTIONS;
