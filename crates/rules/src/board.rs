//! The board: pieces on squares in four bit planes.

use std::fmt;

use crate::{Bitboard, Piece, PieceKind, Side, Square, Step, zobrist};

/// The pieces on the squares, with a Zobrist key.
///
/// Three planes hold the strength of the piece on each square in binary (0 is empty, 1 a rabbit, 6 an elephant), the
/// fourth marks silver's pieces. A board is copied in two loads, a step is one masked exclusive or per plane, and
/// strengths of neighbours are compared on all squares at once.
///
/// ```
/// use surus_rules::{Position, Side};
///
/// let position: Position = "g [                           e       H                            ]".parse()?;
/// let board = position.board();
/// assert_eq!(board.piece_at("d4".parse().unwrap()).unwrap().letter(), 'H');
/// assert_eq!(board.frozen(Side::Gold), board.by_side(Side::Gold));
/// assert!(!board.has_step(Side::Gold));
/// # Ok::<(), surus_rules::PositionError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Board {
    planes: [u64; 4],
    key: u64,
}

/// The planes in which the bit of each piece is set, as masks.
const PLANES_OF: [[u64; 4]; 16] = {
    let mut planes = [[0; 4]; 16];
    let mut i = 0;
    while i < 64 {
        if ((i / 4) >> (i % 4)) & 1 == 1 {
            planes[i / 4][i % 4] = u64::MAX;
        }
        i += 1;
    }
    planes
};

impl Board {
    /// The board without pieces.
    pub const EMPTY: Self = Self { planes: [0; 4], key: 0 };

    /// A Zobrist key: equal for equal boards, different for others except with a probability of 2⁻⁶⁴.
    #[inline]
    #[must_use]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// A key of the pieces on some squares: equal for equal pieces there. Its low bits are well mixed.
    ///
    /// ```
    /// use surus_rules::{Bitboard, Position};
    ///
    /// let board = |text: &str| *text.parse::<Position>().unwrap().board();
    /// let a = board("g [rr                                                     H       R]");
    /// let b = board("g [rr                                                     C       R]");
    /// let first_ranks = Bitboard::rank(0) | Bitboard::rank(7);
    /// assert_ne!(a.key(), b.key());
    /// assert_eq!(a.key_within(first_ranks), b.key_within(first_ranks));
    /// ```
    #[inline]
    #[must_use]
    pub const fn key_within(&self, squares: Bitboard) -> u64 {
        let [a, b, c, d] = self.planes;
        let mixed = (a & squares.0).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ (b & squares.0).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(17)
            ^ (c & squares.0).wrapping_mul(0x94d0_49bb_1331_11eb).rotate_left(31)
            ^ (d & squares.0).wrapping_mul(0xd6e8_feb8_6659_fd93).rotate_left(47);
        (mixed ^ mixed >> 32).wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32
    }

    /// All squares with a piece.
    #[inline]
    #[must_use]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.planes[0] | self.planes[1] | self.planes[2])
    }

    /// All squares without a piece.
    #[inline]
    #[must_use]
    pub const fn empty(&self) -> Bitboard {
        Bitboard(!self.occupied().0)
    }

    /// The squares of a side's pieces.
    #[inline]
    #[must_use]
    pub const fn by_side(&self, side: Side) -> Bitboard {
        match side {
            Side::Gold => Bitboard(self.occupied().0 & !self.planes[3]),
            Side::Silver => Bitboard(self.planes[3]),
        }
    }

    /// The squares of the pieces of one kind of both sides.
    #[inline]
    #[must_use]
    pub const fn by_kind(&self, kind: PieceKind) -> Bitboard {
        let [low, middle, high, _] = self.planes;
        Bitboard(match kind {
            PieceKind::Rabbit => low & !middle & !high,
            PieceKind::Cat => middle & !low & !high,
            PieceKind::Dog => low & middle,
            PieceKind::Horse => high & !low & !middle,
            PieceKind::Camel => high & low,
            PieceKind::Elephant => high & middle,
        })
    }

    /// The squares of the pieces of one side and kind.
    #[inline]
    #[must_use]
    pub fn pieces(&self, side: Side, kind: PieceKind) -> Bitboard {
        self.by_kind(kind) & self.by_side(side)
    }

    /// The squares of a side's rabbits.
    #[inline]
    #[must_use]
    pub fn rabbits(&self, side: Side) -> Bitboard {
        self.pieces(side, PieceKind::Rabbit)
    }

    #[inline]
    fn code_at(&self, square: Square) -> u8 {
        let bit = |plane: usize| (self.planes[plane] >> square.index() & 1) as u8;
        bit(0) | bit(1) << 1 | bit(2) << 2 | bit(3) << 3
    }

    /// The piece on a square.
    #[inline]
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        match self.code_at(square) {
            0 => None,
            code => Some(Piece::from_code(code)),
        }
    }

    /// The piece on a square, which must be occupied.
    #[inline]
    pub(crate) fn piece_at_unchecked(&self, square: Square) -> Piece {
        Piece::from_code(self.code_at(square))
    }

    /// The occupied squares from a1 to h8 with their pieces.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().into_iter().map(|square| (square, self.piece_at_unchecked(square)))
    }

    /// Sets or clears a square. No rule is checked.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        if let Some(old) = self.piece_at(square) {
            self.toggle(old, square.bit());
            self.key ^= zobrist::piece(old, square);
        }
        if let Some(new) = piece {
            self.toggle(new, square.bit());
            self.key ^= zobrist::piece(new, square);
        }
    }

    #[inline]
    fn toggle(&mut self, piece: Piece, squares: u64) {
        for (plane, mask) in self.planes.iter_mut().zip(PLANES_OF[piece.code()]) {
            *plane ^= mask & squares;
        }
    }

    /// The board after a step and the capture it causes.
    ///
    /// The piece must be on the step's source square and the target must be empty; legality is not checked.
    #[inline(always)]
    #[must_use]
    pub fn after_step(&self, step: Step) -> Self {
        let (piece, from, to) = (step.piece(), step.from(), step.to());
        let mut next = *self;
        next.toggle(piece, from.bit() | to.bit());
        next.key ^= zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
        // Only the side of the moved piece can have lost a guard, and a step leaves at most one trap unguarded.
        if let Some(trap) = next.unguarded(piece.side()).first() {
            let victim = next.piece_at_unchecked(trap);
            next.toggle(victim, trap.bit());
            next.key ^= zobrist::piece(victim, trap);
        }
        next
    }

    /// The piece captured by a step, with its square. The step must satisfy the preconditions of [`Board::after_step`].
    #[must_use]
    pub fn captured_by(&self, step: Step) -> Option<(Piece, Square)> {
        let after = self.after_step(step);
        let kept = after.occupied() | step.from().into();
        let moved = (self.occupied() | step.to().into()) & !kept;
        let square = moved.first()?;
        Some((self.piece_at(square).unwrap_or(step.piece()), square))
    }

    /// The pieces of a side on traps without a friendly piece next to them.
    #[inline]
    #[must_use]
    pub fn unguarded(&self, side: Side) -> Bitboard {
        let friends = self.by_side(side);
        friends & Bitboard::TRAPS & !friends.neighbours()
    }

    /// The strength planes of the pieces in a set.
    #[inline]
    fn strengths(&self, set: Bitboard) -> [u64; 3] {
        [self.planes[0] & set.0, self.planes[1] & set.0, self.planes[2] & set.0]
    }

    /// The pieces of `weak` next to a stronger piece of `strong`.
    #[inline]
    #[must_use]
    pub fn outranked(&self, weak: Bitboard, strong: Bitboard) -> Bitboard {
        let own = self.strengths(Bitboard::ALL);
        let others = self.strengths(strong);
        let mut found = 0;
        for direction in crate::Direction::ALL {
            found |= greater(others.map(|plane| Bitboard(plane).shifted(direction).0), own);
        }
        Bitboard(found) & weak
    }

    /// The pieces of both sides that are stronger than a kind.
    #[inline]
    #[must_use]
    pub fn stronger_than(&self, kind: PieceKind) -> Bitboard {
        let bits = [1, 2, 4].map(|bit| if kind as u8 & bit == 0 { 0 } else { u64::MAX });
        Bitboard(greater(self.strengths(Bitboard::ALL), bits))
    }

    /// The pieces of both sides that are weaker than a kind.
    #[inline]
    #[must_use]
    pub fn weaker_than(&self, kind: PieceKind) -> Bitboard {
        let bits = [1, 2, 4].map(|bit| if kind as u8 & bit == 0 { 0 } else { u64::MAX });
        Bitboard(greater(bits, self.strengths(Bitboard::ALL))) & self.occupied()
    }

    /// The pieces of a side next to a stronger enemy piece, whether supported or not.
    #[inline]
    #[must_use]
    pub fn dominated(&self, side: Side) -> Bitboard {
        self.outranked(self.by_side(side), self.by_side(side.other()))
    }

    /// The frozen pieces of a side: dominated, without a friendly piece next to them.
    #[inline]
    #[must_use]
    pub fn frozen(&self, side: Side) -> Bitboard {
        self.dominated(side) & !self.by_side(side).neighbours()
    }

    /// The pieces of a side that are not frozen.
    #[inline]
    #[must_use]
    pub fn mobile(&self, side: Side) -> Bitboard {
        self.by_side(side) & !self.frozen(side)
    }

    /// The number of pieces of a side and kind.
    #[must_use]
    pub fn count(&self, side: Side, kind: PieceKind) -> u32 {
        self.pieces(side, kind).len()
    }
}

/// The squares where the number in the first three planes is greater than that in the second three: the carry of a
/// subtraction on all squares at once.
#[inline]
fn greater(a: [u64; 3], b: [u64; 3]) -> u64 {
    let mut carry = a[0] & !b[0];
    for i in 1..3 {
        let not_b = !b[i];
        carry = a[i] & not_b | carry & (a[i] | not_b);
    }
    carry
}

impl FromIterator<(Square, Piece)> for Board {
    fn from_iter<I: IntoIterator<Item = (Square, Piece)>>(pieces: I) -> Self {
        let mut board = Self::EMPTY;
        for (square, piece) in pieces {
            board.set(square, Some(piece));
        }
        board
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            for file in 0..8 {
                let piece = Square::from_coords(file, rank).and_then(|square| self.piece_at(square));
                write!(f, "{}", piece.map_or('.', Piece::letter))?;
            }
            f.write_str(if rank == 0 { "" } else { "/" })?;
        }
        Ok(())
    }
}

const _: () = assert!(size_of::<Board>() <= 128);
