//! The documents' experiments, run again.
//!
//! A file of [`Settings`] says who plays whom; [`duel`] plays what is not on disk yet; [`page`] writes what is known so
//! far, with a [`Chart`] for each figure. So hours of games can be played in pieces, and the page is true at any time.

mod chart;
mod duel;
mod error;
mod experiment;
mod geometry;
mod measure;
mod mimic;
mod page;
mod settings;
mod switches;

pub use chart::{Chart, Point, Series};
pub use duel::{Duel, Score, duel};
pub use error::LabError;
pub use experiment::{Place, experiment};
pub use geometry::{Geometry, geometry};
pub use measure::{Measured, measure};
pub use mimic::{GameRow, Made, Met, MimicLab, Opponent, Size, mimic};
pub use page::{Results, page};
pub use settings::{Claim, Figure, Line, Probe, Settings, Side, Speed};
pub use switches::{Pair, Switches, switches_page};
