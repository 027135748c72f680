//! Studying a position: tactics of both sides, the evaluation in words, and checks of an edited position.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{PlacedPiece, StepInfo};

/// A sequence of steps that achieves something.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct TacticalLine {
    /// As in a game record, with captures.
    pub text: String,
    /// The same steps.
    pub steps: Vec<StepInfo>,
}

/// An enemy piece that a side can capture, as long as it is its turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct PossibleCapture {
    /// The piece and its square now.
    pub piece: PlacedPiece,
    /// The trap on which it is captured.
    pub trap: String,
    /// A shortest way.
    pub line: TacticalLine,
}

/// The shortest way of a rabbit to its goal by steps of its own.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct RabbitRun {
    /// Its squares, starting at the rabbit.
    pub path: Vec<String>,
    /// Whether it is frozen now.
    pub frozen: bool,
}

/// What a side could do if it were its turn; the side to move has only the rest of its turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct SideTactics {
    /// The side.
    #[ts(type = "'g' | 's'")]
    pub side: char,
    /// The steps it has.
    pub steps: u8,
    /// A shortest goal.
    pub goal: Option<TacticalLine>,
    /// The captures, those with fewer steps first.
    pub captures: Vec<PossibleCapture>,
    /// The rabbits that have a free way to their goal, the shortest first.
    pub rabbits: Vec<RabbitRun>,
}

/// The guards of a trap.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct TrapControl {
    /// The trap.
    pub square: String,
    /// Gold's pieces next to it.
    pub gold: u32,
    /// Silver's pieces next to it.
    pub silver: u32,
    /// The side that controls it: more guards, where an elephant counts as two.
    #[ts(type = "'g' | 's' | null")]
    pub side: Option<char>,
}

/// The tactics of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct PositionTactics {
    /// The side to move first.
    pub sides: Vec<SideTactics>,
    /// The four traps.
    pub traps: Vec<TrapControl>,
}

/// A part of the evaluation, in centirabbits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct EvaluationPart {
    /// Its name.
    pub name: String,
    /// What it measures.
    pub description: String,
    /// Gold's value.
    pub gold: i32,
    /// Silver's value.
    pub silver: i32,
    /// Who is better in it, in a sentence.
    pub text: String,
}

/// The static evaluation of a position.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct EvaluationBreakdown {
    /// The sum for gold, in centirabbits.
    pub score: i32,
    /// Gold's win probability, from 0 to 1.
    pub gold_win: f64,
    /// The sum in a sentence.
    pub text: String,
    /// The parts, the most important first.
    pub parts: Vec<EvaluationPart>,
}

/// An edited position.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct EditedPosition {
    /// 64 characters, a8 to h1, a space for an empty square.
    pub board: String,
    /// The first turn: `2g`.
    pub tag: String,
    /// The number of steps left in it.
    pub steps_left: u8,
}

/// What is wrong with an edited position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct PositionCheck {
    /// Why it cannot occur, in sentences; empty if it can.
    pub errors: Vec<String>,
    /// What is unusual about it, in sentences.
    pub notes: Vec<String>,
    /// Whether a turn can be played in it.
    pub playable: bool,
}
