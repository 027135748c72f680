//! Assigning boards to game phases.

use std::fmt;
use std::str::FromStr;

use surus_rules::{Board, Side};

/// Gives a board a share in each of several phases.
pub trait PhaseAssignment {
    /// The number of phases, at least one.
    fn count(&self) -> usize;

    /// Sets the membership in each phase; the sum is 1.
    fn membership(&self, board: &Board, shares: &mut [f32]);
}

/// The assignments that a model can use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Phases {
    /// One phase.
    #[default]
    Single,
    /// Three phases by the number of pieces of the side that has fewer: 15 or 16, 12 to 14, less.
    Pieces,
    /// The same with gradual transitions.
    SoftPieces,
}

impl Phases {
    /// All assignments.
    pub const ALL: [Self; 3] = [Self::Single, Self::Pieces, Self::SoftPieces];

    /// The shares of a board.
    #[must_use]
    pub fn shares(self, board: &Board) -> Vec<f32> {
        let mut shares = vec![0.0; self.count()];
        self.membership(board, &mut shares);
        shares
    }
}

/// The piece counts at the centres of the three phases.
const CENTRES: [f32; 3] = [15.5, 13.0, 9.0];

impl PhaseAssignment for Phases {
    fn count(&self) -> usize {
        match self {
            Self::Single => 1,
            Self::Pieces | Self::SoftPieces => CENTRES.len(),
        }
    }

    fn membership(&self, board: &Board, shares: &mut [f32]) {
        let pieces = Side::BOTH.map(|side| board.by_side(side).len()).into_iter().min().unwrap_or_default();
        shares.fill(0.0);
        let [first, second, third] = CENTRES;
        let pieces_now = pieces as f32;
        match (self, shares) {
            (Self::Single, [all, ..]) => *all = 1.0,
            (Self::Pieces, [opening, middle, end, ..]) => {
                let phase = if pieces >= 15 {
                    opening
                } else if pieces >= 12 {
                    middle
                } else {
                    end
                };
                *phase = 1.0;
            }
            (Self::SoftPieces, [opening, middle, end, ..]) => {
                *opening = ((pieces_now - second) / (first - second)).clamp(0.0, 1.0);
                *end = ((second - pieces_now) / (second - third)).clamp(0.0, 1.0);
                *middle = 1.0 - *opening - *end;
            }
            _ => {}
        }
    }
}

impl fmt::Display for Phases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Single => "single",
            Self::Pieces => "pieces",
            Self::SoftPieces => "soft-pieces",
        })
    }
}

/// A name of no assignment.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown phases '{0}': expected single, pieces or soft-pieces")]
pub struct UnknownPhases(pub String);

impl FromStr for Phases {
    type Err = UnknownPhases;

    fn from_str(text: &str) -> Result<Self, UnknownPhases> {
        let found = Self::ALL.into_iter().find(|phases| phases.to_string() == text);
        found.ok_or_else(|| UnknownPhases(text.into()))
    }
}

#[cfg(test)]
mod tests {
    use surus_rules::Position;

    use super::*;

    fn shares(phases: Phases, gold_rabbits: usize) -> Vec<f32> {
        let rows = format!("{:<16}", "R".repeat(gold_rabbits));
        let text = format!("g [rrrrrrrrhdcemcdh{:32}{rows}]", "");
        phases.shares(text.parse::<Position>().unwrap().board())
    }

    #[test]
    fn shares_add_up_to_one_for_every_number_of_pieces() {
        for phases in Phases::ALL {
            for rabbits in 0..=8 {
                let shares = shares(phases, rabbits);
                assert_eq!(shares.len(), phases.count());
                assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{phases} {rabbits}: {shares:?}");
                assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{phases} {shares:?}");
            }
        }
        assert_eq!(shares(Phases::Pieces, 8), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn names_round_trip() {
        for phases in Phases::ALL {
            assert_eq!(phases.to_string().parse(), Ok(phases));
        }
        assert_eq!("late".parse::<Phases>(), Err(UnknownPhases("late".into())));
    }
}
