//! The two symmetries of the game: exchange of files (mirrored) and of sides (flipped).

use crate::{Board, Direction, Piece, Side, Square, Step, Turn};

impl Square {
    /// The square on the other wing: a1 for h1.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self::wrapping(self.index() as u8 ^ 7)
    }

    /// The square on the other side: a1 for a8.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self::wrapping(self.index() as u8 ^ 56)
    }
}

impl Direction {
    /// East and west exchanged.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        match self {
            Self::East | Self::West => self.opposite(),
            Self::North | Self::South => self,
        }
    }

    /// North and south exchanged.
    #[must_use]
    pub const fn flipped(self) -> Self {
        match self {
            Self::North | Self::South => self.opposite(),
            Self::East | Self::West => self,
        }
    }
}

impl Piece {
    /// The piece of the same kind of the other side.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self::new(self.side().other(), self.kind())
    }
}

impl Step {
    /// The step with files exchanged.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self::new_unchecked(self.piece(), self.from().mirrored(), self.direction().mirrored())
    }

    /// The step with sides exchanged.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self::new_unchecked(self.piece().flipped(), self.from().flipped(), self.direction().flipped())
    }
}

impl Turn {
    /// The turn with files exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        self.steps().map(Step::mirrored).collect()
    }

    /// The turn with sides exchanged.
    #[must_use]
    pub fn flipped(&self) -> Self {
        self.steps().map(Step::flipped).collect()
    }
}

impl Board {
    /// The board with files exchanged.
    ///
    /// ```
    /// use surus_rules::Position;
    ///
    /// let position: Position = "g [r                                                              E]".parse()?;
    /// let board = position.board();
    /// assert_eq!(board.mirrored().piece_at("h8".parse().unwrap()).unwrap().letter(), 'r');
    /// assert_eq!(board.flipped().piece_at("a1".parse().unwrap()).unwrap().letter(), 'R');
    /// # Ok::<(), surus_rules::PositionError>(())
    /// ```
    #[must_use]
    pub fn mirrored(&self) -> Self {
        self.iter().map(|(square, piece)| (square.mirrored(), piece)).collect()
    }

    /// The board with sides exchanged: ranks are reversed, and gold's pieces become silver's.
    #[must_use]
    pub fn flipped(&self) -> Self {
        self.iter().map(|(square, piece)| (square.flipped(), piece.flipped())).collect()
    }

    /// The board from the point of view of a side: unchanged for gold, flipped for silver.
    #[must_use]
    pub fn relative_to(&self, side: Side) -> Self {
        match side {
            Side::Gold => *self,
            Side::Silver => self.flipped(),
        }
    }
}
