//! Decisions: the boards to which the turns of a position lead, and the one that was chosen.

use super::boards::Boards;
use super::examples::Examples;
use super::forward::Model;
use super::params::Params;
use surus_rules::{Board, Side};

/// Decisions between turns. The network's output for the board after a turn, which the other side is to move on, is
/// subtracted from the turn's logit in a linear model; the loss is the cross-entropy of the softmax over the turns.
#[derive(Clone, Debug, Default)]
pub struct TurnChoices {
    boards: Boards,
    /// The logit of each turn, with the logarithm of the number of turns that it stands for.
    logits: Vec<f32>,
    /// The end of each decision's turns; the first was played.
    ends: Vec<usize>,
}

impl TurnChoices {
    /// Adds a turn of the next decision, the played one first.
    pub fn push_turn(&mut self, after: &Board, mover: Side, logit: f32) {
        self.boards.push(after, mover.other());
        self.logits.push(logit);
    }

    /// Ends a decision.
    pub fn end_decision(&mut self) {
        self.ends.push(self.logits.len());
    }

    /// Adds other decisions.
    pub fn append(&mut self, other: &Self) {
        let offset = self.logits.len();
        self.boards.append(&other.boards);
        self.logits.extend(&other.logits);
        self.ends.extend(other.ends.iter().map(|end| end + offset));
    }

    fn turns(&self, index: usize) -> std::ops::Range<usize> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        start..self.ends[index]
    }
}

/// Replaces logits by probabilities; returns the negative logarithm of the first.
fn softmax(logits: &mut [f32]) -> f32 {
    let largest = logits.iter().copied().fold(f32::MIN, f32::max);
    let mut total = 0.0;
    for logit in logits.iter_mut() {
        *logit = (*logit - largest).exp();
        total += *logit;
    }
    logits.iter_mut().for_each(|logit| *logit /= total);
    -logits.first().map_or(1.0, |first| first.max(f32::MIN_POSITIVE)).ln()
}

impl Examples for TurnChoices {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn checksum(&self) -> u32 {
        let mut sum = crc32fast::Hasher::new();
        self.logits.iter().for_each(|logit| sum.update(&logit.to_le_bytes()));
        sum.finalize()
    }

    fn loss<const H: usize>(&self, model: &Model<'_, H>, index: usize) -> f32 {
        let turns = self.turns(index);
        let logit = |turn: usize| self.logits[turn] - model.forward(&self.boards.get(turn)).0;
        softmax(&mut turns.map(logit).collect::<Vec<_>>())
    }

    fn add_gradient<const H: usize>(
        &self,
        model: &Model<'_, H>,
        index: usize,
        gradient: &mut Params<H>,
    ) -> f32 {
        let turns = self.turns(index);
        let outputs: Vec<_> = turns.clone().map(|turn| model.forward(&self.boards.get(turn))).collect();
        let mut shares: Vec<f32> =
            turns.clone().zip(&outputs).map(|(turn, (output, _))| self.logits[turn] - output).collect();
        let loss = softmax(&mut shares);
        for (nth, (turn, (_, hidden))) in turns.zip(&outputs).enumerate() {
            let target = if nth == 0 { 1.0 } else { 0.0 };
            let error = target - shares[nth];
            if error.abs() > 1e-4 {
                model.backward(&self.boards.get(turn), hidden, error, gradient);
            }
        }
        loss
    }
}
