//! What is known of a step before it is tried: the seven rules of 4.6.

use surus_rules::{Board, Kind, Side, Squares};
use surus_tactics::goal;

use super::akimot_eval::VICINITY;
use super::params::Config;
use crate::common::packed_action::PackedAction;

/// The weights of the seven rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepKnowledge {
    elephant: f32,
    inverse: f32,
    displace: f32,
    kill: f32,
    suicide: f32,
    rabbit: f32,
    rabbit_late: f32,
    local: f32,
}

impl StepKnowledge {
    pub(crate) const fn new(config: &Config) -> Self {
        Self {
            elephant: config.step_elephant,
            inverse: config.step_reversal,
            displace: config.step_displacement,
            kill: config.step_capture,
            suicide: config.step_loss,
            rabbit: config.step_rabbit_early,
            rabbit_late: config.step_rabbit_late,
            local: config.step_locality,
        }
    }

    /// The value of a way that leads from one board to the next with so many steps left then; `last` is what was done
    /// before it, by either side.
    #[inline]
    pub(crate) fn value(
        &self,
        board: &Board,
        way: PackedAction,
        next: &Board,
        last: PackedAction,
        side: Side,
        left: u8,
    ) -> f32 {
        let Some(from) = way.from() else { return 0.0 };
        let mut value = 0.0;
        let own = board.side(side);
        let mover = if way.displaces() { way.touched() & own } else { Squares::from(from) };
        if !(board.kind(Kind::Elephant) & mover).is_empty() {
            value += self.elephant;
        }
        if way.displaces() {
            value += self.displace;
            if next.side(side.other()).len() < board.side(side.other()).len() {
                value += self.kill;
            }
        } else if !(board.kind(Kind::Rabbit) & mover).is_empty() {
            // From all pieces on the board to half of them the value goes from the early to the late one.
            let gone = (32 - board.occupied().len()).min(16) as f32 / 16.0;
            value += self.rabbit + gone * (self.rabbit_late - self.rabbit);
        }
        if next.side(side).len() < own.len() && goal(next, side, left).is_none() {
            value += self.suicide;
        }
        if let Some(before) = last.to() {
            if !(Squares(VICINITY[before.index()]) & way.touched()).is_empty() {
                value += self.local;
            }
            if way.reverses(last) {
                value += self.inverse;
            }
        }
        value
    }
}
