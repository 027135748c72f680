//! Steps and turns.

use std::fmt;
use std::str::FromStr;

use crate::{Board, Direction, NotationError, Piece, Square};

/// The movement of one piece by one square; of an enemy piece in a push or pull.
///
/// ```
/// use surus_rules::Step;
///
/// let step: Step = "Ed2n".parse()?;
/// assert_eq!((step.piece().letter(), step.from().to_string(), step.to().to_string()), ('E', "d2".into(), "d3".into()));
/// # Ok::<(), surus_rules::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    piece: Piece,
    from: Square,
    direction: Direction,
}

impl Step {
    /// A step; `None` if it leaves the board.
    #[must_use]
    pub fn new(piece: Piece, from: Square, direction: Direction) -> Option<Self> {
        from.neighbour(direction).map(|_| Self { piece, from, direction })
    }

    /// A step, which must not leave the board.
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

    /// The direction.
    #[inline]
    #[must_use]
    pub const fn direction(self) -> Direction {
        self.direction
    }

    /// Square and direction in a byte: `4 * square + direction`. The piece is not included.
    #[inline]
    #[must_use]
    pub const fn code(self) -> u8 {
        (self.from.index() as u8) << 2 | self.direction as u8
    }

    /// The step with this [`Step::code`] by the piece on its source square; `None` if the square is empty or the step
    /// leaves the board.
    ///
    /// ```
    /// use surus_rules::{Game, Step};
    ///
    /// let mut game = Game::default();
    /// game.play_text("Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2")?;
    /// let step: Step = "Ee2n".parse()?;
    /// assert_eq!(Step::from_code(step.code(), game.position().board()), Some(step));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn from_code(code: u8, board: &Board) -> Option<Self> {
        let from = Square::wrapping(code >> 2);
        Self::new(board.piece_at(from)?, from, Direction::from_bits(code))
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

/// A turn of up to four steps; empty only while it is being built.
///
/// ```
/// use surus_rules::{Step, Turn};
///
/// let turn = Turn::from_iter(["Ed2n", "Ed3n"].map(|step| step.parse::<Step>().unwrap()));
/// assert_eq!((turn.len(), turn.to_string()), (2, "Ed2n Ed3n".into()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Turn {
    steps: [Option<Step>; Self::MAX],
}

impl Turn {
    /// The maximum number of steps.
    pub const MAX: usize = 4;

    /// A turn without steps.
    pub const EMPTY: Self = Self { steps: [None; Self::MAX] };

    /// Appends a step; returns false, without appending it, if there are already four.
    pub fn push(&mut self, step: Step) -> bool {
        match self.steps.iter_mut().find(|slot| slot.is_none()) {
            Some(slot) => {
                *slot = Some(step);
                true
            }
            None => false,
        }
    }

    /// Removes and returns the last step.
    pub fn pop(&mut self) -> Option<Step> {
        self.steps.iter_mut().rev().find_map(Option::take)
    }

    /// The number of steps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.iter().flatten().count()
    }

    /// Whether there are no steps.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps[0].is_none()
    }

    /// The step with this index.
    #[inline]
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Step> {
        self.steps.get(index).copied().flatten()
    }

    /// The steps in order.
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = Step> + '_ {
        self.steps.iter().copied().flatten()
    }
}

impl FromIterator<Step> for Turn {
    /// Collects the first four steps; further ones are ignored.
    fn from_iter<I: IntoIterator<Item = Step>>(steps: I) -> Self {
        let mut turn = Self::EMPTY;
        for step in steps.into_iter().take(Self::MAX) {
            turn.push(step);
        }
        turn
    }
}

impl fmt::Display for Turn {
    /// The steps without capture marks; see [`Board::notation`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.steps().enumerate() {
            if i > 0 {
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
