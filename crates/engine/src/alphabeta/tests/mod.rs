//! Tests of the whole engine.

mod engine;
mod root_ranking;
mod search;
mod vocabulary;
