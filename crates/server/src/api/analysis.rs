//! Analyses of positions and games by an engine.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{PlayedLine, StepInfo};

/// A position to analyse until it is stopped or its limit is reached.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct AnalysisRequest {
    /// Chosen by the client; names the analysis in messages.
    pub analysis: u32,
    /// The line to the position, which may be in mid-turn.
    pub line: PlayedLine,
    /// The number of turns to report, 1 to 5.
    pub lines: u8,
    /// The limit in nodes, so that the answer repeats; missing to search until stopped.
    #[serde(default)]
    #[ts(type = "number | null")]
    pub nodes: Option<u64>,
    /// The number of threads.
    pub threads: u8,
    /// The size of the transposition table in megabytes.
    pub hash: u16,
    /// What the other side would do if it were to move.
    #[serde(default)]
    pub threat: bool,
}

/// A line whose positions are to be analysed.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct GameAnalysisRequest {
    /// Chosen by the client; names the analysis in messages.
    pub analysis: u32,
    /// The line; steps of an incomplete turn are ignored.
    pub line: PlayedLine,
    /// The limit for each position.
    #[ts(type = "number")]
    pub nodes: u64,
}

/// The limits of analyses.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct AnalysisLimits {
    /// The engine.
    pub engine: String,
    /// The maximum number of threads of all analyses together.
    pub max_threads: u8,
    /// The maximum size of one transposition table in megabytes.
    pub max_hash: u16,
    /// The maximum number of lines.
    pub max_lines: u8,
}

/// A turn of a principal variation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct AnalysisTurn {
    /// `8s`
    pub tag: String,
    /// The steps as a game record writes them, with captures; in the first turn those that complete it.
    pub text: String,
    /// The same steps.
    pub steps: Vec<StepInfo>,
}

/// A principal variation.
#[derive(Clone, PartialEq, Debug, Default, Serialize, TS)]
pub struct AnalysisLine {
    /// For gold: in centirabbits, `win N` or `loss N` with the number of turns.
    pub score: String,
    /// Gold's win probability, from 0 to 1.
    pub gold_win: f64,
    /// The turns, the first of the side to move.
    pub turns: Vec<AnalysisTurn>,
}

/// The state of an analysis.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct AnalysisUpdate {
    /// Whether it waits for others, searches, has reached its limit or the end, or its engine has failed.
    #[ts(type = "'waiting' | 'searching' | 'done' | 'failed'")]
    pub state: &'static str,
    /// How many clients are served before, while it waits.
    pub waiting_for: usize,
    /// The depth of the search in steps.
    pub depth: u32,
    /// Positions searched.
    #[ts(type = "number")]
    pub nodes: u64,
    /// Nodes per second; 0 if unknown.
    #[ts(type = "number")]
    pub nps: u64,
    /// Use of the transposition table in thousandths.
    pub hashfull: u32,
    /// The principal variations, best first.
    pub lines: Vec<AnalysisLine>,
    /// Whether the lines are from an earlier analysis of this position.
    pub cached: bool,
    /// Why the engine has failed.
    pub error: Option<String>,
}

/// One analysed position of a game.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct AnalysedPosition {
    /// The number of turns of the line before it.
    pub played: usize,
    /// The turn that is played there; the tag after the last turn for the last position.
    pub tag: String,
    /// For gold: in centirabbits, `win N` or `loss N`.
    pub score: String,
    /// Gold's win probability, from 0 to 1.
    pub gold_win: f64,
    /// The best line; empty at the end of a game.
    pub turns: Vec<AnalysisTurn>,
}

/// A turn of a game, judged by the loss of win probability.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct JudgedTurn {
    /// The number of turns of the line before it.
    pub played: usize,
    /// `8s`
    pub tag: String,
    /// Its side.
    #[ts(type = "'g' | 's'")]
    pub side: char,
    /// The win probability that it loses compared with the engine's turn, from 0 to 1.
    pub loss: f64,
    /// From 0 to 100.
    pub accuracy: f64,
    /// Missing for a good turn.
    #[ts(type = "'inaccuracy' | 'mistake' | 'blunder' | null")]
    pub verdict: Option<&'static str>,
}

/// The turns of one player in numbers.
#[derive(Clone, PartialEq, Debug, Default, Serialize, TS)]
pub struct PlayerReport {
    /// Judged turns.
    pub turns: usize,
    /// The mean accuracy of the turns, from 0 to 100; missing without turns.
    pub accuracy: Option<f64>,
    /// Turns that lose a little.
    pub inaccuracies: usize,
    /// Turns that lose more.
    pub mistakes: usize,
    /// Turns that lose much.
    pub blunders: usize,
}

/// All turns of a game, judged.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct GameReport {
    /// The turns in order, without setups.
    pub turns: Vec<JudgedTurn>,
    /// Gold's turns.
    pub gold: PlayerReport,
    /// Silver's turns.
    pub silver: PlayerReport,
}

/// The progress of the analysis of a game.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct GameAnalysisUpdate {
    /// Positions analysed since the last message.
    pub positions: Vec<AnalysedPosition>,
    /// The number of analysed positions.
    pub analysed: usize,
    /// The number of positions.
    pub total: usize,
    /// The verdicts, once all positions are analysed.
    pub report: Option<GameReport>,
    /// Why the analysis has failed.
    pub error: Option<String>,
}
