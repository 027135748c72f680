//! Positions as the fit sees them: which parameters count, and what was to be expected.

use surus_engine::eval;
use surus_record::packed::{Flags, PackedGame, PackedSample, Score};

use crate::comparison::DECISIONS_PER_GAME;

/// Which positions are taken.
#[derive(Clone, Copy, Debug)]
pub struct PositionFilter {
    /// Scores beyond this (in hundredths of a rabbit) are left out: they are decided.
    pub max_abs_score: i32,
    /// One game in so many is held out.
    pub held_out: u64,
}

/// Traces of many positions, end to end.
#[derive(Clone, Debug, Default)]
pub struct Traces {
    entries: Vec<(u16, i16)>,
    ends: Vec<usize>,
    /// What the search thought of each, in hundredths of a rabbit for the side to move.
    pub scores: Vec<f32>,
    /// How the game ended for the side to move: 1, 0, or a half.
    pub outcomes: Vec<f32>,
}

impl Traces {
    /// How many positions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The parameters that count in one position.
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

/// The leaves of decisions, see [`crate::comparison`].
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

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The leaves of a decision, the played turn's first.
    pub(super) fn leaves(&self, decision: usize) -> std::ops::Range<usize> {
        let start = if decision == 0 { 0 } else { self.ends[decision - 1] };
        start..self.ends[decision]
    }

    /// The parameters of a leaf, and the sign that makes its evaluation that of the side that decided.
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

/// The positions to fit, and those of games that the fit does not see.
#[derive(Clone, Debug, Default)]
pub struct Dataset {
    /// The fit learns from these.
    pub train: Traces,
    /// The loss is told on these.
    pub validation: Traces,
    /// Positions that the filter left out.
    pub skipped: u64,
    /// Decisions to fit.
    pub decisions: Comparisons,
    /// Decisions of held-out games.
    pub validation_decisions: Comparisons,
}

impl Dataset {
    /// Takes the quiet positions of a game. A game is held out or taught as a whole, by its number.
    pub fn add(&mut self, game: &PackedGame, filter: &PositionFilter) {
        let into = if is_held_out(game.id, filter) { &mut self.validation } else { &mut self.train };
        for packed in &game.samples {
            match usable(packed, filter) {
                Some(score) => into.push(packed, score),
                None => self.skipped += 1,
            }
        }
    }

    /// Adds a decision; all decisions of a game are on the same side of the split.
    pub fn add_decision(&mut self, decision: &PackedGame, filter: &PositionFilter) {
        let game = decision.id / DECISIONS_PER_GAME;
        let held_out = is_held_out(game, filter);
        let into = if held_out { &mut self.validation_decisions } else { &mut self.decisions };
        into.push(decision);
    }
}

/// Whether a game is held out, by its number.
fn is_held_out(game: u64, filter: &PositionFilter) -> bool {
    (game.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32).is_multiple_of(filter.held_out.max(2))
}

/// The score of a position that can be judged without looking ahead.
fn usable(packed: &PackedSample, filter: &PositionFilter) -> Option<f32> {
    let Score::Centirabbits(score) = packed.score() else { return None };
    let flags = packed.flags();
    let fits = flags.contains(Flags::QUIET)
        && !flags.contains(Flags::RANDOM_TURN)
        && packed.steps_left() == 4
        && score.abs() <= filter.max_abs_score;
    (fits && packed.result().is_some()).then_some(score as f32)
}
