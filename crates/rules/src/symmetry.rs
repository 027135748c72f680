//! The two symmetries of the game: left and right, and gold and silver.

use crate::{Board, Direction, Piece, Side, Square, Step, Turn};

impl Square {
    /// File a becomes file h.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self::wrapping(self.index() as u8 ^ 7)
    }

    /// Rank 1 becomes rank 8.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self::wrapping(self.index() as u8 ^ 56)
    }
}

impl Direction {
    /// East becomes west.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        match self {
            Self::East | Self::West => self.opposite(),
            Self::North | Self::South => self,
        }
    }

    /// North becomes south.
    #[must_use]
    pub const fn flipped(self) -> Self {
        match self {
            Self::North | Self::South => self.opposite(),
            Self::East | Self::West => self,
        }
    }
}

impl Piece {
    /// The same animal of the other side.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self::new(self.side().other(), self.kind())
    }
}

impl Step {
    /// The step seen in a mirror.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self::new_unchecked(self.piece(), self.from().mirrored(), self.direction().mirrored())
    }

    /// The step with the sides exchanged.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self::new_unchecked(self.piece().flipped(), self.from().flipped(), self.direction().flipped())
    }
}

impl Turn {
    /// The turn seen in a mirror.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        self.steps().map(Step::mirrored).collect()
    }

    /// The turn with the sides exchanged.
    #[must_use]
    pub fn flipped(&self) -> Self {
        self.steps().map(Step::flipped).collect()
    }
}

impl Board {
    /// The board seen in a mirror: file a becomes file h.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        self.iter().map(|(square, piece)| (square.mirrored(), piece)).collect()
    }

    /// The board with the sides exchanged, seen from the other end: gold's pieces become silver's.
    #[must_use]
    pub fn flipped(&self) -> Self {
        self.iter().map(|(square, piece)| (square.flipped(), piece.flipped())).collect()
    }

    /// The board as its owner sees it: as it is for gold, flipped for silver.
    #[must_use]
    pub fn relative_to(&self, side: Side) -> Self {
        match side {
            Side::Gold => *self,
            Side::Silver => self.flipped(),
        }
    }
}
