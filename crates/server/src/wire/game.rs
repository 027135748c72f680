//! Games that are played and kept here.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{End, Origin, View};

/// Who plays a side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Player {
    /// Somebody at the board.
    Person {
        /// What to call them; may be empty.
        #[serde(default)]
        name: String,
    },
    /// A program of the registry.
    Engine {
        /// `alphabeta` or `alphabeta:level=3`.
        name: String,
        /// Thinking time for a turn in a game without clocks.
        #[serde(default = "usual_seconds")]
        seconds: u32,
    },
}

const fn usual_seconds() -> u32 {
    2
}

/// The pieces that a side does without, as kind letters: `M`, `CC`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
pub struct Handicaps {
    /// Gold's missing pieces.
    pub gold: String,
    /// Silver's missing pieces.
    pub silver: String,
}

/// What a new game is to be.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// Who plays gold.
    pub gold: Player,
    /// Who plays silver.
    pub silver: Player,
    /// A time control such as `2m/2m/100/10m/8h`, or nothing for a game without clocks.
    #[serde(default)]
    pub control: Option<String>,
    /// Missing pieces.
    #[serde(default)]
    pub handicap: Handicaps,
    /// A position to begin with instead of the setups.
    #[serde(default)]
    pub origin: Option<Origin>,
}

/// A finished turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct TurnState {
    /// `2g`
    pub tag: String,
    /// Placements or steps, with captures.
    pub text: String,
    /// How long it took.
    #[ts(type = "number")]
    pub used_ms: u64,
}

/// The clocks at the moment of sending.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct ClockState {
    /// The control in the modern form.
    pub control: String,
    /// What gold has in reserve.
    #[ts(type = "number")]
    pub gold_ms: u64,
    /// What silver has in reserve.
    #[ts(type = "number")]
    pub silver_ms: u64,
    /// What the running turn may take before the reserve is touched.
    #[ts(type = "number")]
    pub per_turn_ms: u64,
    /// What it has taken so far.
    #[ts(type = "number")]
    pub used_ms: u64,
    /// The most that it may take.
    #[ts(type = "number")]
    pub available_ms: u64,
    /// Whether time runs now.
    pub running: bool,
}

/// Everything about a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct GameState {
    /// Its name here.
    pub id: String,
    /// Counts the changes, so that an older state is never shown over a newer one.
    #[ts(type = "number")]
    pub change: u64,
    /// What was agreed.
    pub terms: NewGame,
    /// Where it began.
    pub origin: Origin,
    /// The finished turns.
    pub turns: Vec<TurnState>,
    /// How many undone steps can be taken again.
    pub redo: usize,
    /// The position with all that can be done.
    pub view: View,
    /// The captured pieces, in the order of their strength.
    pub captured: String,
    /// None in a game without.
    pub clock: Option<ClockState>,
    /// Whether an engine is to play now.
    pub engine_to_play: bool,
    /// Milliseconds since 1970.
    #[ts(type = "number")]
    pub created: i64,
}

/// A line of the list of games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct GameSummary {
    /// Its name here.
    pub id: String,
    /// Who plays gold.
    pub gold: Player,
    /// Who plays silver.
    pub silver: Player,
    /// The board as it stands.
    pub board: String,
    /// The turn that runs.
    pub tag: String,
    /// How it ended, if it has.
    pub end: Option<End>,
    /// Milliseconds since 1970.
    #[ts(type = "number")]
    pub created: i64,
    /// When it last changed.
    #[ts(type = "number")]
    pub changed: i64,
}

/// A stored game that cannot be read. It stays as it is until it is deleted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct UnreadableGame {
    /// Its name here.
    pub id: String,
    /// Milliseconds since 1970.
    #[ts(type = "number")]
    pub created: i64,
    /// When it last changed.
    #[ts(type = "number")]
    pub changed: i64,
    /// Why it cannot be read.
    pub reason: String,
}

/// An entry of the list of games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
#[serde(tag = "is", rename_all = "lowercase")]
pub enum ListedGame {
    /// A game that can be opened.
    Game(GameSummary),
    /// A game that can only be deleted.
    Unreadable(UnreadableGame),
}

/// The stored games, the last changed first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct Games {
    /// At most as many as were asked for.
    pub games: Vec<ListedGame>,
    /// How many there are.
    #[ts(type = "number")]
    pub total: u64,
}

/// An option of an engine.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct EngineOption {
    /// Its name.
    pub name: String,
    /// What it does.
    pub help: String,
    /// Its value if nobody sets it.
    pub default: String,
    /// What it takes.
    #[ts(type = "'whole' | 'real' | 'switch' | 'choice'")]
    pub kind: &'static str,
    /// The least number.
    pub low: Option<f64>,
    /// The greatest number that the board allows.
    pub high: Option<f64>,
    /// The words of a choice.
    pub words: Vec<String>,
}

/// An engine that can be played against.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct EngineAbout {
    /// Its name.
    pub name: String,
    /// A sentence about it.
    pub about: String,
    /// Whether a thinking time means something to it.
    pub timed: bool,
    /// What can be set.
    pub options: Vec<EngineOption>,
}

/// A setup by name: front row and back row from file a to h.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct NamedSetup {
    /// What people call it.
    pub name: String,
    /// The row towards the enemy.
    pub front: String,
    /// The row behind.
    pub back: String,
}

/// A time control by name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct NamedControl {
    /// What it is good for.
    pub name: String,
    /// `2m/2m/100/10m/8h`
    pub control: String,
}

/// What this program is and has.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct About {
    /// Of the program.
    pub version: String,
    /// The opponent where nobody names one.
    pub engine: String,
    /// All engines.
    pub engines: Vec<EngineAbout>,
    /// Setups to begin with.
    pub setups: Vec<NamedSetup>,
    /// The gameroom's usual time controls.
    pub controls: Vec<NamedControl>,
    /// Whether games can only be looked at, not started, played or deleted.
    pub read_only: bool,
}

/// Who is served at the moment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct Served {
    /// Connected clients.
    pub clients: usize,
    /// Games that somebody watches.
    pub games: usize,
    /// Engines that think.
    pub thinking: usize,
}

/// Every answer that is not what was asked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct Problem {
    /// A sentence.
    pub error: String,
}
