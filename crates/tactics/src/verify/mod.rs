//! Comparing every answer with exhaustive generation.

mod compare;
mod exhaustive;
mod positions;
mod random;

use std::fmt;

use surus_rules::{Board, Position, Side};

use compare::Comparison;
use exhaustive::Generator;
use positions::Positions;

/// The first answer that exhaustive generation does not confirm.
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

/// What was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Positions: a quarter from games as they are, the rest disturbed; a third in mid-turn.
    pub positions: u64,
    /// Positions where the side to move, or the other one, has a goal.
    pub goals: u64,
    /// Pieces that can be captured.
    pub captures: u64,
    /// Positions where all rabbits can be captured.
    pub eliminations: u64,
    /// Positions where the other side can be immobilised.
    pub immobilisations: u64,
    /// Positions whose defences were compared.
    pub defences: u64,
    /// Those of them where none exists.
    pub lost: u64,
}

/// Compares all answers on so many positions, drawn from these boards (or from rough games, if there are none)
/// and from perturbations of them; the same seed draws the same ones. Stops at the first difference. `progress`
/// is called after every position.
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

/// The boards of so many games of random steps, each with the side to move: where no real games are at hand.
#[must_use]
pub fn random_game_boards(games: usize, seed: u64) -> Vec<(Board, Side)> {
    let mut random = random::Rng::new(seed);
    (0..games).flat_map(|_| positions::random_game(&mut random, 80)).collect()
}
