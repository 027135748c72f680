//! Steps, and turns of one to four of them.

use std::fmt;
use std::str::FromStr;

use crate::{Direction, NotationError, Piece, Square};

/// One piece moves one square; an enemy piece when it is pushed or pulled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    piece: Piece,
    from: Square,
    direction: Direction,
}

impl Step {
    /// A step that stays on the board, or nothing.
    #[must_use]
    pub fn new(piece: Piece, from: Square, direction: Direction) -> Option<Self> {
        from.neighbour(direction).map(|_| Self { piece, from, direction })
    }

    /// Trusts that the step stays on the board.
    #[inline]
    pub(crate) const fn new_unchecked(piece: Piece, from: Square, direction: Direction) -> Self {
        Self { piece, from, direction }
    }

    /// The piece that moves.
    #[inline]
    #[must_use]
    pub const fn piece(self) -> Piece {
        self.piece
    }

    /// The square it leaves.
    #[inline]
    #[must_use]
    pub const fn from(self) -> Square {
        self.from
    }

    /// Where it goes.
    #[inline]
    #[must_use]
    pub const fn direction(self) -> Direction {
        self.direction
    }

    /// The square it enters.
    #[inline]
    #[must_use]
    pub const fn to(self) -> Square {
        self.from.stepped(self.direction)
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.piece.letter(), self.from, self.direction.letter())
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Step {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        match text.parse()? {
            crate::Token::Step(step) => Ok(step),
            _ => Err(NotationError::NotAStep(text.into())),
        }
    }
}

/// The steps of a turn: none while it is being built, at most four.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Turn {
    steps: [Option<Step>; Self::MAX],
}

impl Turn {
    /// A turn has at most four steps.
    pub const MAX: usize = 4;

    /// A turn without steps yet.
    pub const EMPTY: Self = Self { steps: [None; Self::MAX] };

    /// Adds a step; false (and nothing added) when there are four already.
    pub fn push(&mut self, step: Step) -> bool {
        match self.steps.iter_mut().find(|slot| slot.is_none()) {
            Some(slot) => {
                *slot = Some(step);
                true
            }
            None => false,
        }
    }

    /// Takes the last step away and hands it out.
    pub fn pop(&mut self) -> Option<Step> {
        self.steps.iter_mut().rev().find_map(Option::take)
    }

    /// How many steps there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.iter().flatten().count()
    }

    /// Whether there is no step yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps[0].is_none()
    }

    /// The steps in order.
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = Step> + '_ {
        self.steps.iter().copied().flatten()
    }
}

impl FromIterator<Step> for Turn {
    /// Takes the first four steps; a caller with more has checked before.
    fn from_iter<I: IntoIterator<Item = Step>>(steps: I) -> Self {
        let mut turn = Self::EMPTY;
        for step in steps.into_iter().take(Self::MAX) {
            turn.push(step);
        }
        turn
    }
}

impl fmt::Display for Turn {
    /// The steps alone; [`crate::Board::notation`] adds the captures.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.steps().enumerate() {
            if 0 < i {
                f.write_str(" ")?;
            }
            write!(f, "{step}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_holds_four_steps_and_gives_them_back() {
        let steps: Vec<Step> =
            ["Ed2n", "Ed3n", "rc3x", "Ed4n"].iter().filter_map(|s| s.parse().ok()).collect();
        assert_eq!(steps.len(), 3);
        let mut turn: Turn = steps.iter().copied().collect();
        assert!(turn.push("Ed5e".parse().unwrap()));
        assert!(!turn.push("Ee5e".parse().unwrap()));
        assert_eq!(turn.to_string(), "Ed2n Ed3n Ed4n Ed5e");
        assert_eq!(turn.pop().unwrap().to_string(), "Ed5e");
        assert_eq!(turn.len(), 3);
    }
}
