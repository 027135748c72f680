//! Counting the steps and turns of one position: the yardstick that implementations are compared by.

use crate::{Board, DistinctTurns, Pending, Position, Step};

/// The counts of one turn, as `surus perft` prints them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Perft {
    /// Step sequences of exactly one to four steps that a legal turn may begin with; they may end in mid-push.
    pub steps: [u64; 4],
    /// Sequences of one to four steps that may end the turn, also where they bring the board back.
    pub complete: u64,
    /// Those that change the board.
    pub legal: u64,
    /// The different boards that those lead to.
    pub unique: u64,
}

impl Perft {
    /// Counts all turns of up to `depth` steps (at most four).
    #[must_use]
    pub fn count(position: &Position, depth: u8) -> Self {
        let mut perft = Self::default();
        perft.walk(position, position.board(), depth);
        perft.unique = DistinctTurns::new(position, position.board(), depth).len() as u64;
        perft
    }

    /// The counts of step sequences split by their first step (its `unique` is left at 0, because boards are
    /// shared between first steps).
    #[must_use]
    pub fn divide(position: &Position, depth: u8) -> Vec<(Step, Self)> {
        let mut parts = Vec::new();
        if depth != 0 {
            position.for_each_next(|step, next| {
                let mut part = Self::default();
                part.add(next, position.board());
                part.walk(next, position.board(), depth - 1);
                parts.push((step, part));
            });
        }
        parts
    }

    fn walk(&mut self, position: &Position, start: &Board, depth: u8) {
        if depth == 0 {
            return;
        }
        position.for_each_next(|_, next| {
            self.add(next, start);
            self.walk(next, start, depth - 1);
        });
    }

    #[inline]
    fn add(&mut self, reached: &Position, start: &Board) {
        self.steps[(reached.steps_taken() as usize).clamp(1, 4) - 1] += 1;
        if !matches!(reached.pending(), Pending::Push { .. }) {
            self.complete += 1;
            self.legal += u64::from(reached.board() != start);
        }
    }
}

/// Walks every step sequence of the rest of a turn, makes every board, and sums up their keys: the work of
/// [`Perft`] without its questions, for measuring. Returns the number of boards and the sum.
#[must_use]
pub fn walk_steps(position: &Position) -> (u64, u64) {
    let (mut boards, mut sum) = (0, 0u64);
    position.for_each_next(|_, next| {
        boards += 1;
        sum = sum.wrapping_add(next.board().key());
        if next.steps_left() != 0 {
            let (more, part) = walk_steps(next);
            boards += more;
            sum = sum.wrapping_add(part);
        }
    });
    (boards, sum)
}
