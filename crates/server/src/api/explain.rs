//! Explanations of a turn and of a position.

use serde::Serialize;
use ts_rs::TS;

use super::StepInfo;

/// One trajectory of a zone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct Trajectory {
    /// The letter of the piece.
    #[ts(type = "string")]
    pub piece: char,
    /// Its purpose; attackers and targets are drawn with straight lines, the others with arcs.
    #[ts(type = "'attack' | 'victim' | 'intercept' | 'support'")]
    pub role: &'static str,
    /// Its squares, starting at the piece.
    pub path: Vec<String>,
    /// The steps available for reaching the last square.
    #[ts(type = "number")]
    pub time: i16,
}

/// A line of steps on a board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct DemoLine {
    /// The board before it: 64 characters, a8 to h1.
    pub board: String,
    /// Its steps.
    pub steps: Vec<StepInfo>,
    /// As a game record writes it, with captures.
    pub text: String,
}

/// A turn that answers a line, or the reply of the other side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct AnswerLine {
    /// A sentence.
    pub text: String,
    /// Its steps.
    pub line: DemoLine,
}

/// A sentence that exact tactics have confirmed, with what illustrates it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct Remark {
    /// What it is about.
    #[ts(type = "'win' | 'capture' | 'loss' | 'defence' | 'threat' | 'guard' | 'nothing'")]
    pub topic: &'static str,
    /// The side whose possibility it describes.
    #[ts(type = "'g' | 's'")]
    pub side: char,
    /// The sentence.
    pub text: String,
    /// The shortest line that demonstrates it.
    pub line: Option<DemoLine>,
    /// What follows on the line, in a sentence; empty if nothing is stated.
    pub response: String,
    /// The answers to a threat, the best one first; or the reply to a capture.
    pub answers: Vec<AnswerLine>,
    /// How many shortest answers there are, of which only some are listed.
    #[ts(type = "number")]
    pub answer_count: usize,
    /// A zone that illustrates it.
    pub zone: Vec<Trajectory>,
    /// The board of the zone: 64 characters, a8 to h1.
    pub board: String,
}

/// The explanation of the end of a line of play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct Explanation {
    /// The side to move, which the remarks on the position address.
    #[ts(type = "'g' | 's'")]
    pub side: char,
    /// The board now: 64 characters, a8 to h1.
    pub board: String,
    /// The tag of the last turn, if it can be explained.
    pub tag: Option<String>,
    /// What that turn achieves.
    pub turn: Vec<Remark>,
    /// What the side to move can do now and the other side threatens, the most important first. Empty if the game is over.
    pub position: Vec<Remark>,
}
