//! Tests of the whole engine.

mod engine;
mod policy;
mod root_ranking;
mod search;
mod vocabulary;
