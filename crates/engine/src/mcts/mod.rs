//! Akimot's engine: Monte Carlo tree search over steps, with every option of \[Akimot\].
//!
//! [`params`] lists the options. A simulation ([`simulation`]) descends the [`tree`] by the tree policy
//! ([`selection`]), expands a mature leaf ([`expansion`]), plays a few turns guided by step knowledge ([`playout`])
//! and evaluates the board ([`akimot_eval`]). [`parallel`] runs several threads, [`pv`] extracts the turn from the
//! tree.

mod advisor;
mod akimot_eval;
mod config;
mod engine;
mod expansion;
mod history;
mod learned;
mod node;
mod node_extras;
mod parallel;
mod params;
mod playout;
mod pv;
mod recycle;
mod report;
mod selection;
mod session;
mod simulation;
mod step_knowledge;
#[cfg(test)]
mod tests;
mod transpositions;
mod tree;
mod update_buffer;
mod worker;

pub use engine::Mcts;
