//! The inputs of boards, one after the other in flat vectors.

use surus_engine::eval::network::{ActiveInputs, bucket};
use surus_rules::{Board, Side};

/// Boards as the network sees them, without the boards themselves.
#[derive(Clone, Debug, Default)]
pub(super) struct Boards {
    /// The inputs of both views, the side to move first; both have the same number.
    inputs: Vec<u16>,
    ends: Vec<usize>,
    buckets: Vec<u8>,
}

/// One of [`Boards`].
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardInputs<'a> {
    /// The active inputs in the view of the side to move and in the other side's.
    pub(super) views: [&'a [u16]; 2],
    pub(super) bucket: usize,
}

impl Boards {
    pub(super) fn get(&self, index: usize) -> BoardInputs<'_> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        let inputs = &self.inputs[start..self.ends[index]];
        let (own, other) = inputs.split_at(inputs.len() / 2);
        BoardInputs { views: [own, other], bucket: usize::from(self.buckets[index]) }
    }

    pub(super) fn push(&mut self, board: &Board, side: Side) {
        for rows in ActiveInputs::new(board, side).views() {
            self.inputs.extend(rows);
        }
        self.ends.push(self.inputs.len());
        self.buckets.push(bucket(board) as u8);
    }

    pub(super) fn append(&mut self, other: &Self) {
        let offset = self.inputs.len();
        self.inputs.extend(&other.inputs);
        self.ends.extend(other.ends.iter().map(|end| end + offset));
        self.buckets.extend(&other.buckets);
    }
}
