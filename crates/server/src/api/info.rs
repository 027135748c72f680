//! The server itself: engines, presets, statistics and errors.

use serde::Serialize;
use ts_rs::TS;

use super::AnalysisLimits;

/// An option of an engine.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct EngineOption {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// Its default value.
    pub default: String,
    /// The type of its value.
    #[ts(type = "'integer' | 'number' | 'boolean' | 'enum'")]
    pub kind: &'static str,
    /// The minimum of a number.
    pub min: Option<f64>,
    /// The maximum of a number that the board allows.
    pub max: Option<f64>,
    /// The values of an enum.
    pub choices: Vec<String>,
}

/// An engine that can be played against.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct EngineInfo {
    /// Its name.
    pub name: String,
    /// A short description.
    pub description: String,
    /// Whether it uses the thinking time of a turn.
    pub uses_time: bool,
    /// Its options.
    pub options: Vec<EngineOption>,
}

/// A level of the default engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct LevelInfo {
    /// Its name.
    pub name: String,
    /// What it plays like, in a sentence.
    pub description: String,
}

/// A named setup: front row and back row from file a to h.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct SetupPreset {
    /// Its common name.
    pub name: String,
    /// The row closer to the enemy.
    pub front: String,
    /// The row behind.
    pub back: String,
}

/// A named time control.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct TimeControlPreset {
    /// Its common name.
    pub name: String,
    /// `2m/2m/100/10m/8h`
    pub time_control: String,
}

/// The program with its engines and presets.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct AppInfo {
    /// The version of the program.
    pub version: String,
    /// The default opponent.
    pub default_engine: String,
    /// All engines.
    pub engines: Vec<EngineInfo>,
    /// The levels of `alphabeta`, from 1 on.
    pub levels: Vec<LevelInfo>,
    /// Common setups.
    pub setups: Vec<SetupPreset>,
    /// The usual time controls of the gameroom.
    pub time_controls: Vec<TimeControlPreset>,
    /// Whether games can only be viewed, not created, played or deleted.
    pub read_only: bool,
    /// What can be asked of the analysis engine.
    pub analysis: AnalysisLimits,
}

/// The current load of the server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct ServerStats {
    /// Connected clients.
    pub clients: usize,
    /// Games with at least one subscriber.
    pub games: usize,
    /// Engines that are searching.
    pub searching: usize,
    /// The memory of the engines of games, idle ones included, in megabytes.
    pub memory: u32,
    /// Analyses that run or wait.
    pub analyses: usize,
    /// Refused requests since the start.
    pub refused: RefusedRequests,
}

/// Requests and WebSocket commands that were answered with an error, by reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS)]
pub struct RefusedRequests {
    /// Without a valid token, from other pages or hosts, or changes of a read-only board.
    pub access: u64,
    /// Too large, too slow, or too many at a time.
    pub limits: u64,
    /// Malformed or impossible.
    pub invalid: u64,
    /// Internal errors.
    pub failed: u64,
}

/// The body of every error response.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct ErrorBody {
    /// The message.
    pub error: String,
}
