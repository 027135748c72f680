//! Texts that were read: records, positions, archives and trees.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{End, Origin};

/// A text to be read.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ReadRequest {
    /// In any known form.
    pub text: String,
}

/// What was found in a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct Reading {
    /// The games, or one without turns for a position.
    pub games: Vec<ReadGame>,
}

/// A turn in a tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct TreeNode {
    /// The index of the turn before; nothing for the first turns.
    #[ts(type = "number | null")]
    pub parent: Option<usize>,
    /// `2g`
    pub tag: String,
    /// Placements or steps, with captures.
    pub text: String,
    /// How long it took, if that is known.
    #[ts(type = "number | null")]
    pub used_ms: Option<u64>,
    /// What somebody wrote about it.
    pub comment: String,
    /// `!`, `?!` and so on.
    pub mark: String,
    /// Arrows and circles: `g:e2e5`, `r:c3`.
    pub shapes: Vec<String>,
}

/// A game with its variations.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct ReadGame {
    /// What to call it.
    pub title: String,
    /// Who played gold.
    pub gold: String,
    /// Who played silver.
    pub silver: String,
    /// The rules it was played by.
    pub rules: String,
    /// Where it begins.
    pub origin: Origin,
    /// The turns; among those of one parent the first is the main one.
    pub nodes: Vec<TreeNode>,
    /// How it ended, as the text tells.
    pub end: Option<End>,
    /// Where the text could not be followed further, and why.
    pub problem: Option<String>,
}
