//! A position with everything that can be done in it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Where a game or a line begins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
pub struct Origin {
    /// 64 characters, a8 to h1, a space for an empty square.
    pub board: String,
    /// The turn that comes first: `2g`.
    pub tag: String,
}

/// A way to a position: where it begins, the turns, and steps of the turn that runs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
pub struct Line {
    /// The empty board and `1g` if there is none.
    pub origin: Option<Origin>,
    /// official, classic2004 or classic2005; official if empty.
    pub rules: String,
    /// Each as in a record, without its tag.
    pub turns: Vec<String>,
    /// Steps of the turn that runs, also in the short form `Ha2nnn`.
    pub steps: String,
}

/// A step, or a push or pull with both its steps.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct LegalAction {
    /// What it is; a push or pull that is half done is finished by a single step.
    #[ts(type = "'step' | 'push' | 'pull'")]
    pub kind: &'static str,
    /// In order: `Ed2n`.
    pub steps: Vec<String>,
    /// What dies in a trap by it: `Rf3`.
    pub captures: Vec<String>,
}

/// The shortest way of one piece to a square by single steps of its own.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct Way {
    /// The square it stands on.
    pub from: String,
    /// The square it comes to.
    pub to: String,
    /// The directions, one letter each: `nne`.
    pub path: String,
    /// Own pieces that die in a trap on the way: `Rf3`.
    pub loses: Vec<String>,
}

/// A piece that can't be moved now, and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct Stuck {
    /// Where it stands.
    pub square: String,
    /// A sentence.
    pub why: String,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct End {
    /// g or s; nobody in a draw of old times.
    #[ts(type = "'g' | 's' | null")]
    pub winner: Option<char>,
    /// goal, elimination, …: in words.
    pub reason: String,
    /// The letter of the official archive.
    #[ts(type = "string")]
    pub letter: char,
}

/// A position and everything that can be done in it, so that hovering and dragging ask nobody.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct View {
    /// 64 characters, a8 to h1, a space for an empty square.
    pub board: String,
    /// The side to set up or to move.
    #[ts(type = "'g' | 's'")]
    pub side: char,
    /// The turn that runs: `8s`.
    pub tag: String,
    /// What is to be done.
    #[ts(type = "'setup' | 'play' | 'over'")]
    pub phase: &'static str,
    /// The steps taken in this turn, with the captures they caused: `Ed2n rc3x`.
    pub running: String,
    /// How many steps are left.
    pub steps_left: u8,
    /// All steps, pushes and pulls.
    pub actions: Vec<LegalAction>,
    /// How far each piece comes by itself.
    pub ways: Vec<Way>,
    /// The square that a piece must enter to finish a push.
    pub push_to: Option<String>,
    /// The square that a weaker enemy may be pulled to.
    pub pull_to: Option<String>,
    /// Pieces of either side that can't be moved.
    pub stuck: Vec<Stuck>,
    /// The squares of frozen pieces of both sides.
    pub frozen: Vec<String>,
    /// Whether the turn may end here.
    pub may_end: bool,
    /// If it may not, why.
    pub cannot_end: Option<String>,
    /// How the game ended.
    pub end: Option<End>,
}
