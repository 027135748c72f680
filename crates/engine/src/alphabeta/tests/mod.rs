//! Tests of the engine through its public interface.

mod engine;
mod search;
