//! Perft: counts of the steps and turns of a position, to compare implementations.

use crate::{Board, DistinctTurns, Pending, Position, Step};

/// The counts of one turn, as printed by `surus perft`.
///
/// ```
/// use surus_rules::{Perft, Position};
///
/// let position: Position = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse()?;
/// assert_eq!(Perft::count(&position, 2).steps[0], 8);
/// # Ok::<(), surus_rules::PositionError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Perft {
    /// Step sequences of exactly one to four steps that a legal turn may start with, including those in mid-push.
    pub steps: [u64; 4],
    /// Sequences of one to four steps that do not end in mid-push, including those that restore the board.
    pub complete: u64,
    /// Those that change the board.
    pub legal: u64,
    /// The distinct boards that those lead to.
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

    /// The counts of step sequences by their first step. `unique` is 0, because different first steps lead to the same
    /// boards.
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

/// Walks all step sequences of the rest of a turn, for benchmarks. Returns the number of boards and the sum of their keys.
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
