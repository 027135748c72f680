//! The training data of a fit: evaluation traces with scores and results.

use surus_engine::eval;
use surus_record::packed::{Flags, PackedGame, PackedSample, Score};

use crate::comparison::DECISIONS_PER_GAME;

/// Selects positions and splits them into training and validation sets.
#[derive(Clone, Copy, Debug)]
pub struct PositionFilter {
    /// Positions with a larger absolute score, in centirabbits, are skipped as decided.
    pub max_abs_score: i32,
    /// One game in `validation_one_in` is held out for validation.
    pub validation_one_in: u64,
}

/// Evaluation traces of many positions, concatenated.
#[derive(Clone, Debug, Default)]
pub struct Traces {
    entries: Vec<(u16, i16)>,
    ends: Vec<usize>,
    /// Search scores in centirabbits, for the side to move.
    pub scores: Vec<f32>,
    /// Game results for the side to move: 1, 0.5 or 0.
    pub outcomes: Vec<f32>,
}

impl Traces {
    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The trace of a position: parameters with their coefficients.
    pub(super) fn entries(&self, index: usize) -> &[(u16, i16)] {
        let from = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.entries[from..self.ends[index]]
    }

    fn push(&mut self, packed: &PackedSample, score: f32) {
        self.push_trace(packed);
        self.scores.push(score);
        self.outcomes.push(packed.outcome());
    }

    fn push_trace_without_tempo(&mut self, packed: &PackedSample) {
        let trace = eval::trace(&packed.board(), packed.side());
        self.entries
            .extend(trace.into_iter().filter(|&(parameter, _)| usize::from(parameter) != eval::TEMPO));
        self.ends.push(self.entries.len());
    }

    fn push_trace(&mut self, packed: &PackedSample) {
        self.entries.extend(eval::trace(&packed.board(), packed.side()));
        self.ends.push(self.entries.len());
    }
}

/// The leaves of decisions; see [`crate::comparison`].
#[derive(Clone, Debug, Default)]
pub struct Comparisons {
    leaves: Traces,
    /// For each leaf, 1 if the side that decided is to move there, else -1.
    signs: Vec<f32>,
    /// For each decision, the end of its leaves.
    ends: Vec<usize>,
}

impl Comparisons {
    /// The number of decisions.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no decisions.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The indices of a decision's leaves, that of the played turn first.
    pub(super) fn leaves(&self, decision: usize) -> std::ops::Range<usize> {
        let start = if decision == 0 { 0 } else { self.ends[decision - 1] };
        start..self.ends[decision]
    }

    /// The trace of a leaf, and the sign that converts its evaluation to the view of the side that decided.
    pub(super) fn leaf(&self, index: usize) -> (&[(u16, i16)], f64) {
        (self.leaves.entries(index), f64::from(self.signs[index]))
    }

    fn push(&mut self, decision: &PackedGame) {
        if decision.samples.is_empty() {
            return;
        }
        for leaf in &decision.samples {
            // Which side is to move at a leaf depends on the depth, not on the turn.
            self.leaves.push_trace_without_tempo(leaf);
            self.signs.push(if Some(leaf.side()) == decision.result { 1.0 } else { -1.0 });
        }
        self.ends.push(self.leaves.len());
    }
}

/// The training and validation sets.
#[derive(Clone, Debug, Default)]
pub struct Dataset {
    /// Positions to fit.
    pub train: Traces,
    /// Positions of held-out games.
    pub validation: Traces,
    /// Number of positions that did not pass the filter.
    pub skipped: u64,
    /// Decisions to fit.
    pub decisions: Comparisons,
    /// Decisions of held-out games.
    pub validation_decisions: Comparisons,
}

impl Dataset {
    /// Adds the quiet positions of a game; all positions of a game are on the same side of the split.
    pub fn add(&mut self, game: &PackedGame, filter: &PositionFilter) {
        let into = if is_held_out(game.id, filter) { &mut self.validation } else { &mut self.train };
        for packed in &game.samples {
            match usable_score(packed, filter) {
                Some(score) => into.push(packed, score),
                None => self.skipped += 1,
            }
        }
    }

    /// Adds a decision; all decisions of a game are on the same side of the split.
    pub fn add_decision(&mut self, decision: &PackedGame, filter: &PositionFilter) {
        let game = decision.id / DECISIONS_PER_GAME;
        let into =
            if is_held_out(game, filter) { &mut self.validation_decisions } else { &mut self.decisions };
        into.push(decision);
    }
}

/// Whether a game is held out, determined by its number.
fn is_held_out(game: u64, filter: &PositionFilter) -> bool {
    (game.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32).is_multiple_of(filter.validation_one_in.max(2))
}

/// The score of a position that the static evaluation can be expected to match.
fn usable_score(packed: &PackedSample, filter: &PositionFilter) -> Option<f32> {
    let Score::Centirabbits(score) = packed.score() else { return None };
    let flags = packed.flags();
    let is_usable = flags.contains(Flags::QUIET)
        && !flags.contains(Flags::RANDOM_TURN)
        && packed.steps_left() == 4
        && score.abs() <= filter.max_abs_score;
    (is_usable && packed.result().is_some()).then_some(score as f32)
}
