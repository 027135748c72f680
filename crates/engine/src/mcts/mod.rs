//! Akimot's engine: Monte Carlo tree search over steps, with every switch of the document that describes it.
//!
//! [`params`] is the table of all that can be configured. A simulation ([`simulation`]) goes down the [`tree`] by the
//! formula of [`selection`], gives a mature leaf children ([`expansion`]), plays a few turns by chance and knowledge
//! ([`playout`]) and judges the board ([`akimot_eval`]). [`parallel`] lets several threads do so, [`pv`] makes a turn of
//! the tree.

mod advisor;
mod akimot_eval;
mod config;
mod engine;
mod expansion;
mod history;
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
