//! Progress reports of a search.

use std::time::Duration;

use surus_rules::{Score, Turn};

/// One report; unknown fields are empty.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Info {
    /// Index of the principal variation with multi-PV; 0 is the best.
    pub pv_index: usize,
    /// Search depth in steps.
    pub depth: Option<u32>,
    /// Whether that depth is complete.
    pub depth_complete: bool,
    /// Score for the side to move.
    pub score: Option<Score>,
    /// Win probability of the side to move, from 0 to 1.
    pub win_probability: Option<f64>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Time since the start of the search.
    pub time: Option<Duration>,
    /// Use of the transposition table in thousandths.
    pub hashfull: Option<u32>,
    /// The principal variation; its first turn completes the current one.
    pub pv: Vec<Turn>,
    /// Other messages.
    pub messages: Vec<String>,
}
