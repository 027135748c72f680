//! The experiments of \[Akimot\], \[McKee\] and \[LG\], repeated, and measurements of Surus itself.
//!
//! An [`ExperimentConfig`] file lists the matches; [`play_match`] plays the games that are not on disk yet;
//! [`render_report`] writes a page of the results so far, with a [`Chart`] for each figure.

mod ablation;
mod board_map;
mod calibration;
mod chart;
mod config;
mod error;
mod experiment;
mod geometry;
mod heat_map;
mod match_run;
mod measure;
mod mimic;
mod ordering;
mod phase;
mod report;
mod strength;

pub use ablation::{Ablation, Pair, ablation_report};
pub use board_map::{BoardMap, board_maps_svg};
pub use calibration::{Calibration, CalibrationData, Observation, ObservedGame, calibration_report};
pub use chart::{Chart, Point, Series};
pub use config::{Claim, ExperimentConfig, Figure, MatchSide, PlayoutProbe, SeriesConfig, SpeedComparison};
pub use error::LabError;
pub use experiment::{ExperimentPaths, experiment_settings, run_experiment, run_experiment_task};
pub use geometry::{GeometryExperiment, RealGame, geometry};
pub use heat_map::HeatMap;
pub use match_run::{MatchRun, MatchScore, play_match};
pub use measure::{Measurements, measure};
pub use mimic::{ArchiveSizeResult, ArchiveSummary, MimicExperiment, MimicGame, Opponent, TierHits, mimic};
pub use ordering::{OrderingExperiment, ordering};
pub use phase::{
    Costs, EvaluationCost, GameCourse, GameSet, MatchRow, MatchTable, PhaseConfig, PhaseExperiment, Verdict,
    course_svg, phase, phase_heat_map,
};
pub use report::{Results, render_report};
pub use strength::{LoserPrediction, PartLoss, Strength, StrengthResults, ValidationPart, strength_report};
