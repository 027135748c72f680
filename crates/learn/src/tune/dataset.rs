//! Positions as the fit sees them: which parameters count, and what was to be expected.

use surus_engine::eval;
use surus_record::packed::{Flags, PackedGame, PackedSample, Score};

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
        self.entries.extend(eval::trace(&packed.board(), packed.side()));
        self.ends.push(self.entries.len());
        self.scores.push(score);
        self.outcomes.push(packed.outcome());
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
}

impl Dataset {
    /// Takes the quiet positions of a game. A game is held out or taught as a whole, by its number.
    pub fn add(&mut self, game: &PackedGame, filter: &PositionFilter) {
        let mixed = game.id.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let held_out = mixed.is_multiple_of(filter.held_out.max(2));
        let into = if held_out { &mut self.validation } else { &mut self.train };
        for packed in &game.samples {
            match usable(packed, filter) {
                Some(score) => into.push(packed, score),
                None => self.skipped += 1,
            }
        }
    }
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
