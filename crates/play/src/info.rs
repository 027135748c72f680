//! What an engine tells while it thinks.

use std::time::Duration;

use surus_rules::{Score, Turn};

/// One report; whatever is known is filled in.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Info {
    /// Which of several lines this is, from 0 for the best.
    pub pv_index: usize,
    /// Steps looked ahead.
    pub depth: Option<u32>,
    /// Whether that depth is finished.
    pub depth_complete: bool,
    /// For the side to move.
    pub score: Option<Score>,
    /// The chance of the side to move to win, 0 to 1.
    pub win_probability: Option<f64>,
    /// Positions looked at.
    pub nodes: Option<u64>,
    /// Time since the start.
    pub time: Option<Duration>,
    /// How full the table of positions is, in thousandths.
    pub hashfull: Option<u32>,
    /// The best turns of both sides from here on, the first of them finishing the running turn.
    pub pv: Vec<Turn>,
    /// Anything else, in words.
    pub messages: Vec<String>,
}
