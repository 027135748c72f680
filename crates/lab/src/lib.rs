//! The documents' experiments, run again.
//!
//! A file of [`Settings`] says who plays whom; [`duel`] plays what is not on disk yet; [`page`] writes what is known so
//! far, with a [`Chart`] for each figure. So hours of games can be played in pieces, and the page is true at any time.

mod ablation;
mod chart;
mod config;
mod error;
mod experiment;
mod geometry;
mod match_run;
mod measure;
mod mimic;
mod report;

pub use ablation::{Ablation, Pair, ablation_report};
pub use chart::{Chart, Point, Series};
pub use config::{Claim, ExperimentConfig, Figure, MatchSide, PlayoutProbe, SeriesConfig, SpeedComparison};
pub use error::LabError;
pub use experiment::{ExperimentPaths, run_experiment};
pub use geometry::{GeometryExperiment, geometry};
pub use match_run::{MatchRun, MatchScore, play_match};
pub use measure::{Measurements, measure};
pub use mimic::{ArchiveSizeResult, ArchiveSummary, MimicExperiment, MimicGame, Opponent, TierHits, mimic};
pub use report::{Results, render_report};
