//! The games that are played on the board.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{GameEnd, PositionView, StartPosition, StepInfo};

/// A player of one side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Player {
    /// A person at the board.
    Human {
        /// The displayed name; may be empty.
        #[serde(default)]
        name: String,
    },
    /// An engine of the registry.
    Engine {
        /// `alphabeta` or `alphabeta:level=3`.
        name: String,
        /// Thinking time per turn in a game without clocks.
        #[serde(default = "default_seconds")]
        seconds: u32,
    },
}

const fn default_seconds() -> u32 {
    2
}

/// The missing pieces of each side, as piece letters: `M`, `CC`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
pub struct Handicaps {
    /// Gold's missing pieces.
    pub gold: String,
    /// Silver's missing pieces.
    pub silver: String,
}

/// The configuration of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// The player of gold.
    pub gold: Player,
    /// The player of silver.
    pub silver: Player,
    /// A time control such as `2m/2m/100/10m/8h`; missing for a game without clocks.
    #[serde(default)]
    pub time_control: Option<String>,
    /// Missing pieces.
    #[serde(default)]
    pub handicap: Handicaps,
    /// The position to start with instead of the setups.
    #[serde(default)]
    pub start: Option<StartPosition>,
    /// Turns that were played before, each as in a game record without its tag; empty in the state of a game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub turns: Vec<String>,
}

/// A complete turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct PlayedTurn {
    /// `2g`
    pub tag: String,
    /// Placements or steps, with captures.
    pub text: String,
    /// The steps; empty for a setup.
    pub steps: Vec<StepInfo>,
    /// Thinking time.
    #[ts(type = "number")]
    pub elapsed_ms: u64,
}

/// The clocks at the time the message was sent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct ClockState {
    /// The time control in the modern form.
    pub time_control: String,
    /// Gold's reserve.
    #[ts(type = "number")]
    pub gold_ms: u64,
    /// Silver's reserve.
    #[ts(type = "number")]
    pub silver_ms: u64,
    /// The time of the current turn before the reserve is used.
    #[ts(type = "number")]
    pub per_turn_ms: u64,
    /// The time that the current turn has taken so far.
    #[ts(type = "number")]
    pub elapsed_ms: u64,
    /// The maximum time of the current turn.
    #[ts(type = "number")]
    pub available_ms: u64,
    /// Whether the clock is running.
    pub running: bool,
}

/// The complete state of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct GameState {
    /// Its id.
    pub id: String,
    /// Incremented by every change, so that an older state never replaces a newer one.
    #[ts(type = "number")]
    pub version: u64,
    /// The configuration.
    pub config: NewGame,
    /// The position in which it started.
    pub start: StartPosition,
    /// The complete turns.
    pub turns: Vec<PlayedTurn>,
    /// The number of undone steps that can be redone.
    pub redo_count: usize,
    /// The current position with its legal actions.
    pub position: PositionView,
    /// The captured pieces of both sides, strongest first.
    pub captured: String,
    /// Missing in a game without clocks.
    pub clock: Option<ClockState>,
    /// Whether an engine is to move.
    pub engine_to_move: bool,
    /// Milliseconds since 1970.
    #[ts(type = "number")]
    pub created_at: i64,
}

/// A turn that an engine at full strength recommends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct Hint {
    /// The steps that remain of the turn, with captures.
    pub text: String,
    /// The same steps.
    pub steps: Vec<StepInfo>,
}

/// The finished games of the people at this board against an engine, without those that did not start with full setups.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct EngineResults {
    /// `alphabeta:level=3`
    pub engine: String,
    /// Games that the person won.
    #[ts(type = "number")]
    pub won: u64,
    /// Games that the engine won.
    #[ts(type = "number")]
    pub lost: u64,
    /// Games without a winner.
    #[ts(type = "number")]
    pub drawn: u64,
}

/// A game in the list of games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct GameSummary {
    /// Its id.
    pub id: String,
    /// The player of gold.
    pub gold: Player,
    /// The player of silver.
    pub silver: Player,
    /// The current board.
    pub board: String,
    /// The current turn.
    pub tag: String,
    /// The result, if it is over.
    pub end: Option<GameEnd>,
    /// Milliseconds since 1970.
    #[ts(type = "number")]
    pub created_at: i64,
    /// The time of its last change.
    #[ts(type = "number")]
    pub updated_at: i64,
}

/// A stored game that cannot be read. It is kept unchanged until it is deleted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct UnreadableGame {
    /// Its id.
    pub id: String,
    /// Milliseconds since 1970.
    #[ts(type = "number")]
    pub created_at: i64,
    /// The time of its last change.
    #[ts(type = "number")]
    pub updated_at: i64,
    /// Why it cannot be read.
    pub reason: String,
}

/// An entry of the list of games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ListedGame {
    /// A game that can be opened.
    Game(GameSummary),
    /// A game that can only be deleted.
    Unreadable(UnreadableGame),
}

/// One page of the stored games, the most recently changed first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct GameList {
    /// The games of this page.
    pub games: Vec<ListedGame>,
    /// The number of all stored games.
    #[ts(type = "number")]
    pub total: u64,
}
