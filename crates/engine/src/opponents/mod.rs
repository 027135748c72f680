//! Engines for comparison: `sample` and `fairylike` of \[Akimot\], and `geometry` of \[LG\].

mod fairylike;
mod geometry;
mod sample;
#[cfg(test)]
mod tests;

pub use fairylike::Fairylike;
pub use geometry::GeometryEngine;
pub use sample::SampleBot;
