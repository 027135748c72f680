//! An attack on every parser and on the API: random changes of valid texts must neither crash the program nor be
//! answered with an internal error.

mod api;
#[path = "../common/board.rs"]
mod board;
mod mutator;
mod parsers;
mod samples;

/// The number of inputs: 200,000 in `./test full`.
fn inputs(quick: usize) -> usize {
    if std::env::var_os("SURUS_TEST_FULL").is_some() { 10 * quick } else { quick }
}
