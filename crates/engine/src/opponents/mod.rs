//! The opponents of \[Akimot\], implemented anew: `sample` and `fairylike`.

mod fairylike;
mod sample;
#[cfg(test)]
mod tests;

pub use fairylike::Fairylike;
pub use sample::SampleBot;
