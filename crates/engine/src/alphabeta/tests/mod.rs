//! Tests of the whole engine.

mod engine;
mod search;
mod vocabulary;
