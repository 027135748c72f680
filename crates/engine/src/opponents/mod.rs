//! The opponents that Akimot was measured with, in our own words: `sample` and `fairylike`.

mod fairylike;
mod sample;
#[cfg(test)]
mod tests;

pub use fairylike::Fairylike;
pub use sample::Sample;
