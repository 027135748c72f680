//! Comparison of every answer with exhaustive generation.

mod compare;
mod defences;
mod exhaustive;
mod positions;
mod random;

use std::fmt;

use surus_rules::{Board, Position, Side};

use compare::Comparison;
use exhaustive::Generator;
use positions::Positions;

/// An answer that differs from exhaustive generation.
#[derive(Clone, Debug)]
pub struct Mismatch {
    position: Position,
    start: Board,
    query: String,
    actual: String,
    expected: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = &self.position;
        writeln!(f, "{} [{}]", position.side().letter(), position.board().compact())?;
        if position.steps_taken() != 0 {
            let (taken, pending) = (position.steps_taken(), position.pending());
            writeln!(f, "{taken} steps taken since [{}], pending: {pending:?}", self.start.compact())?;
        }
        write!(f, "{}: {} instead of {}", self.query, self.actual, self.expected)
    }
}

/// Counts of what was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Positions: a quarter unchanged from games, the others perturbed; a third in mid-turn.
    pub positions: u64,
    /// Positions where one of the sides has a goal.
    pub goals: u64,
    /// Pieces that can be captured.
    pub captures: u64,
    /// Positions where all rabbits can be captured.
    pub eliminations: u64,
    /// Positions where the other side can be immobilised.
    pub immobilisations: u64,
    /// Positions whose goal defences were compared.
    pub defences: u64,
    /// Those without a defence.
    pub lost: u64,
    /// Pieces whose defences against capture were compared: at most one in a position.
    pub threatened_pieces: u64,
    /// Those without a defence.
    pub lost_pieces: u64,
}

/// Compares all answers on `count` positions, drawn with `seed` from `boards`, or from random games if there are none, and
/// perturbed. Stops at the first mismatch. Calls `progress` after every position.
///
/// ```
/// let report = surus_tactics::verify::verify(2, 1, &[], |_| {}).unwrap();
/// assert_eq!(report.positions, 2);
/// ```
pub fn verify(
    count: u64,
    seed: u64,
    boards: &[(Board, Side)],
    mut progress: impl FnMut(&Report),
) -> Result<Report, Box<Mismatch>> {
    let mut positions = Positions::new(seed, boards);
    let mut report = Report::default();
    let mut generator = Generator::default();
    while report.positions < count {
        let (position, start) = positions.next();
        let comparison = Comparison { position, start };
        comparison.run(&mut generator, &mut report)?;
        report.positions += 1;
        progress(&report);
    }
    Ok(report)
}

/// The boards of random games, each with the side to move.
#[must_use]
pub fn random_game_boards(games: usize, seed: u64) -> Vec<(Board, Side)> {
    let mut rng = random::Rng::new(seed);
    (0..games).flat_map(|_| positions::random_game(&mut rng, 80)).collect()
}
