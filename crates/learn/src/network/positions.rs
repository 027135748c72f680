//! The positions of a training: the active inputs of the network with the win probability to predict.

use surus_engine::eval::{HANDCRAFTED_SCALE, Weights, handcrafted};
use surus_record::packed::{Flags, PackedGame, PackedSample, Score};

use super::boards::Boards;
use super::examples::Examples;
use super::forward::Model;
use super::params::Params;
use crate::tune::{cross_entropy, logistic};

/// Which positions of a file are used, and what the network is to predict for them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PositionSettings {
    /// Weight of the game result in the target, from 0 to 1; the rest is the search score.
    pub result_weight: f64,
    /// The score in centirabbits at which the search predicts e wins per loss.
    pub scale: f64,
    /// Positions with a larger absolute score, in centirabbits, are skipped as decided.
    pub max_abs_score: i32,
    /// One game in this many is held out for validation.
    pub validation_one_in: u64,
    /// The percentage of the log odds of the embedded handcrafted evaluation that is added to the network's output.
    pub base_percent: i32,
}

impl PositionSettings {
    /// The win probability to predict for a position, if it is used: the static evaluation decides where nothing is
    /// captured and no goal is threatened.
    fn target(&self, packed: &PackedSample) -> Option<f32> {
        let score = usable_score(packed, self.max_abs_score)?;
        let searched = logistic(f64::from(score) / self.scale);
        let result = f64::from(packed.outcome());
        Some((self.result_weight * result + (1.0 - self.result_weight) * searched) as f32)
    }

    /// The log odds by the evaluation that the network corrects.
    fn offset(&self, packed: &PackedSample) -> f32 {
        if self.base_percent == 0 {
            return 0.0;
        }
        let score = handcrafted(&Weights::embedded(), &packed.board(), packed.side()) as f32;
        self.base_percent as f32 / 100.0 * score / (10 * HANDCRAFTED_SCALE) as f32
    }
}

/// The score in centirabbits of a position that training can use.
#[must_use]
pub fn usable_score(packed: &PackedSample, max_abs_score: i32) -> Option<i32> {
    let flags = packed.flags();
    let Score::Centirabbits(score) = packed.score() else { return None };
    let is_used = packed.result().is_some()
        && packed.steps_left() == 4
        && score.abs() <= max_abs_score
        && !flags.contains(Flags::GOAL_THREAT)
        && !flags.contains(Flags::RANDOM_TURN)
        && (flags.contains(Flags::QUIET) || !best_turn_captures(packed));
    is_used.then_some(score)
}

fn best_turn_captures(packed: &PackedSample) -> bool {
    let board = packed.board();
    let after = packed.best_turn().steps().fold(board, |board, step| board.after_step(step));
    after.occupied().len() < board.occupied().len()
}

/// Positions with the win probabilities to predict.
#[derive(Clone, Debug, Default)]
pub struct Positions {
    boards: Boards,
    /// What is added to the network's output: log odds.
    offsets: Vec<f32>,
    targets: Vec<f32>,
    checksum: crc32fast::Hasher,
}

impl Positions {
    /// The number of positions.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are no positions.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// The win probabilities to predict.
    #[must_use]
    pub fn targets(&self) -> &[f32] {
        &self.targets
    }

    fn push(&mut self, packed: &PackedSample, target: f32, offset: f32) {
        self.checksum.update(packed.as_bytes());
        self.checksum.update(&target.to_le_bytes());
        self.checksum.update(&offset.to_le_bytes());
        self.boards.push(&packed.board(), packed.side());
        self.offsets.push(offset);
        self.targets.push(target);
    }

    fn predicted(&self, index: usize, output: f32) -> f32 {
        sigmoid(output + self.offsets[index])
    }
}

fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

impl Examples for Positions {
    fn len(&self) -> usize {
        self.targets.len()
    }

    fn checksum(&self) -> u32 {
        self.checksum.clone().finalize()
    }

    fn loss<const H: usize>(&self, model: &Model<'_, H>, index: usize) -> f32 {
        let predicted = self.predicted(index, model.forward(&self.boards.get(index)).0);
        cross_entropy(f64::from(predicted), f64::from(self.targets[index])) as f32
    }

    fn add_gradient<const H: usize>(
        &self,
        model: &Model<'_, H>,
        index: usize,
        gradient: &mut Params<H>,
    ) -> f32 {
        let (board, target) = (self.boards.get(index), self.targets[index]);
        let (output, hidden) = model.forward(&board);
        let predicted = self.predicted(index, output);
        model.backward(&board, &hidden, predicted - target, gradient);
        cross_entropy(f64::from(predicted), f64::from(target)) as f32
    }
}

/// Positions for training, and those of held-out games by source.
#[derive(Clone, Debug, Default)]
pub struct TrainingSet {
    /// Positions to fit.
    pub train: Positions,
    /// The held-out positions of each source.
    pub validation: Vec<Validation>,
    /// Number of positions that were not used.
    pub skipped: u64,
}

/// The held-out positions of a source.
#[derive(Clone, Debug, Default)]
pub struct Validation {
    /// The name of the source.
    pub name: String,
    /// The positions.
    pub positions: Positions,
    /// The boards, for other evaluations.
    pub samples: Vec<PackedSample>,
}

impl TrainingSet {
    /// Begins a source of games.
    pub fn begin_source(&mut self, name: &str) {
        self.validation.push(Validation { name: name.to_string(), ..Validation::default() });
    }

    /// Adds a game to the last source; all its positions are on the same side of the split.
    pub fn add(&mut self, game: &PackedGame, settings: &PositionSettings) {
        let is_held_out = (game.id.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32)
            .is_multiple_of(settings.validation_one_in.max(2));
        for packed in &game.samples {
            let Some(target) = settings.target(packed) else {
                self.skipped += 1;
                continue;
            };
            let offset = settings.offset(packed);
            if !is_held_out {
                self.train.push(packed, target, offset);
            } else if let Some(source) = self.validation.last_mut() {
                source.positions.push(packed, target, offset);
                source.samples.push(*packed);
            }
        }
    }

    /// A checksum of the positions for training and their targets.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        Examples::checksum(&self.train)
    }
}
