//! Step knowledge: the seven rules of [Akimot §4.6].

use surus_rules::{Bitboard, Board, PackedAction, PieceKind, Side};
use surus_tactics::steps_to_goal;

use super::akimot_eval::VICINITY;
use super::params::Config;

/// The weights of the seven rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepKnowledge {
    elephant: f32,
    reversal: f32,
    displacement: f32,
    capture: f32,
    loss: f32,
    rabbit_early: f32,
    rabbit_late: f32,
    locality: f32,
}

impl StepKnowledge {
    pub(crate) const fn new(config: &Config) -> Self {
        Self {
            elephant: config.step_elephant,
            reversal: config.step_reversal,
            displacement: config.step_displacement,
            capture: config.step_capture,
            loss: config.step_loss,
            rabbit_early: config.step_rabbit_early,
            rabbit_late: config.step_rabbit_late,
            locality: config.step_locality,
        }
    }

    /// The value of an action that leads from `board` to `next`, where `steps_left` steps remain; `last` is the preceding
    /// action of either side.
    #[inline]
    pub(crate) fn value(
        &self,
        board: &Board,
        action: PackedAction,
        next: &Board,
        last: PackedAction,
        side: Side,
        steps_left: u8,
    ) -> f32 {
        let Some(from) = action.from() else { return 0.0 };
        let mut value = 0.0;
        let own = board.by_side(side);
        let mover = if action.displaces() { action.touched() & own } else { Bitboard::from(from) };
        if !(board.by_kind(PieceKind::Elephant) & mover).is_empty() {
            value += self.elephant;
        }
        if action.displaces() {
            value += self.displacement;
            if next.by_side(side.other()).len() < board.by_side(side.other()).len() {
                value += self.capture;
            }
        } else if !(board.by_kind(PieceKind::Rabbit) & mover).is_empty() {
            // The value is interpolated between all pieces and half of the pieces on the board.
            let gone = (32 - board.occupied().len()).min(16) as f32 / 16.0;
            value += self.rabbit_early + gone * (self.rabbit_late - self.rabbit_early);
        }
        if next.by_side(side).len() < own.len() && steps_to_goal(next, side, steps_left).is_none() {
            value += self.loss;
        }
        if let Some(before) = last.to() {
            if !(Bitboard(VICINITY[before.index()]) & action.touched()).is_empty() {
                value += self.locality;
            }
            if action.reverses(last) {
                value += self.reversal;
            }
        }
        value
    }
}
