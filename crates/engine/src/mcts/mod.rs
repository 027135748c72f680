//! Akimot's engine: Monte Carlo tree search over steps, with every switch of the document that describes it.
//!
//! [`keys`] is the table of all that can be configured. A simulation ([`search`]) goes down the [`tree`] by the formula of
//! [`select`], gives a mature leaf children ([`expand`]), plays a few turns by chance and knowledge ([`playout`]) and
//! judges the board ([`eval`]). [`parallel`] lets several threads do so, [`choose`] makes a turn of the tree.

mod advisor;
mod beside;
mod choose;
mod config;
mod delayed;
mod engine;
mod eval;
mod expand;
mod history;
pub(crate) mod kept;
mod keys;
mod knowledge;
mod node;
pub(crate) mod number;
mod parallel;
mod playout;
mod recycle;
mod report;
mod search;
mod select;
pub(crate) mod state;
#[cfg(test)]
mod tests;
mod transpositions;
mod tree;
pub(crate) mod way;
mod worker;

pub use engine::Mcts;
