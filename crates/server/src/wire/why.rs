//! Why: what zones say of a turn and of a position.

use serde::Serialize;
use ts_rs::TS;

/// One trajectory of a zone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct Track {
    /// The letter of the piece.
    #[ts(type = "string")]
    pub piece: char,
    /// What it is there for; whatever attacks and is attacked is drawn straight, the rest in arcs.
    #[ts(type = "'attack' | 'victim' | 'intercept' | 'support'")]
    pub role: &'static str,
    /// The squares, the first where the piece stands.
    pub path: Vec<String>,
    /// How much time there is for reaching the last square, in steps.
    #[ts(type = "number")]
    pub time: i16,
}

/// A sentence, with what there is to draw for it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct Remark {
    /// What it is about.
    #[ts(type = "'goal' | 'capture' | 'loss' | 'defence' | 'threat' | 'run' | 'nothing'")]
    pub topic: &'static str,
    /// Whose plan it tells of.
    #[ts(type = "'g' | 's'")]
    pub side: char,
    /// The sentence.
    pub text: String,
    /// The line that shows it, replayed by the rules; with captures.
    pub line: Option<String>,
    /// Its zone.
    pub zone: Vec<Track>,
    /// The board that zone and line belong to: 64 characters, a8 to h1.
    pub board: String,
}

/// What there is to say of the end of a line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct Why {
    /// The tag of the last turn, if there is one that can be explained.
    pub tag: Option<String>,
    /// What that turn is good for.
    pub turn: Vec<Remark>,
    /// What either side could do with a full turn now, and rabbits near their goal.
    pub position: Vec<Remark>,
}
