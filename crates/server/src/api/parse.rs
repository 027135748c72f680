//! Parsed texts: records, positions, archives and trees.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{GameEnd, StartPosition, StepInfo};

/// A text to be parsed.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ParseRequest {
    /// In any supported format.
    pub text: String,
}

/// The games of a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct ParseResponse {
    /// A position is a game without turns.
    pub games: Vec<ParsedGame>,
    /// The games that cannot be read.
    pub failures: Vec<ParseFailure>,
}

/// A game of a text that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct ParseFailure {
    /// Its number in the archive, or its position in the text; may be empty.
    pub name: String,
    /// Its first line in the text.
    pub line: usize,
    /// The place, what was found and what was expected.
    pub error: String,
}

/// A turn in a tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct TreeNode {
    /// The index of the previous turn; missing for the first turns.
    #[ts(type = "number | null")]
    pub parent: Option<usize>,
    /// `2g`
    pub tag: String,
    /// Placements or steps, with captures.
    pub text: String,
    /// The steps; empty for a setup.
    pub steps: Vec<StepInfo>,
    /// Thinking time, if known.
    #[ts(type = "number | null")]
    pub elapsed_ms: Option<u64>,
    /// Annotation text.
    pub comment: String,
    /// `!`, `?!` and so on.
    pub glyph: String,
    /// Arrows and circles: `g:e2e5`, `r:c3`.
    pub shapes: Vec<String>,
}

/// A game with its variations.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct ParsedGame {
    /// Event and number, or what else the text names it by.
    pub title: String,
    /// Gold's name.
    pub gold: String,
    /// Silver's name.
    pub silver: String,
    /// The rule set.
    pub rules: String,
    /// The position in which it starts.
    pub start: StartPosition,
    /// The turns; the first child of each node is the main line.
    pub nodes: Vec<TreeNode>,
    /// The result according to the text.
    pub end: Option<GameEnd>,
    /// Where parsing stopped, and why.
    pub error: Option<String>,
}
