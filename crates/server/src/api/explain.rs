//! Explanations of a turn and of a position.

use serde::Serialize;
use ts_rs::TS;

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

/// A sentence, with the zone to draw for it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct Remark {
    /// What it is about.
    #[ts(type = "'goal' | 'capture' | 'loss' | 'defence' | 'threat' | 'run' | 'nothing'")]
    pub topic: &'static str,
    /// The side whose plan it describes.
    #[ts(type = "'g' | 's'")]
    pub side: char,
    /// The sentence.
    pub text: String,
    /// A line of play that demonstrates it, replayed by the rules; with captures.
    pub line: Option<String>,
    /// Its zone.
    pub zone: Vec<Trajectory>,
    /// The board of the zone and the line: 64 characters, a8 to h1.
    pub board: String,
}

/// The explanation of the end of a line of play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct Explanation {
    /// The tag of the last turn, if it can be explained.
    pub tag: Option<String>,
    /// What that turn achieves.
    pub turn: Vec<Remark>,
    /// What either side could do with a full turn now, and rabbits near their goal.
    pub position: Vec<Remark>,
}
