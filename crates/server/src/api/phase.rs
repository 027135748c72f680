//! The phases of a game.

use serde::Serialize;
use ts_rs::TS;

/// The phase of the position before a turn.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct TurnPhase {
    /// The turn that was or is to be played there.
    pub tag: String,
    /// The phase.
    #[ts(type = "'opening' | 'middlegame' | 'endgame'")]
    pub phase: &'static str,
    /// The probabilities of the three phases, in this order; they sum to 1.
    #[ts(type = "[number, number, number]")]
    pub probabilities: [f32; 3],
    /// The number of pieces of the side that has fewer.
    pub min_pieces: u8,
    /// The number of advanced pieces, elephants excepted, of the side that has more.
    pub max_advanced: u8,
    /// Whether a side could reach goal with a full turn.
    pub goal_threat: bool,
}

/// The phases of a line of play.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct PhaseCourse {
    /// Every position of the line in which a turn is played, the last one included; setups have no phase.
    pub turns: Vec<TurnPhase>,
}
