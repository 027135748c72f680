//! Sides, piece kinds and pieces.

use std::fmt;

/// A side. Gold moves first and towards rank 8, silver towards rank 1.
///
/// ```
/// use surus_rules::Side;
///
/// assert_eq!(Side::from_letter('w'), Some(Side::Gold));
/// assert_eq!(Side::Gold.other().goal_rank(), 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// Written in capital letters.
    Gold,
    /// Written in small letters.
    Silver,
}

impl Side {
    /// Both sides, gold first.
    pub const BOTH: [Self; 2] = [Self::Gold, Self::Silver];

    /// The opponent.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Gold => Self::Silver,
            Self::Silver => Self::Gold,
        }
    }

    /// The letter g or s.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Gold => 'g',
            Self::Silver => 's',
        }
    }

    /// Parses g and s, and w and b of old files, in either case.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter.to_ascii_lowercase() {
            'g' | 'w' => Some(Self::Gold),
            's' | 'b' => Some(Self::Silver),
            _ => None,
        }
    }

    /// The rank that this side's rabbits must reach, counted from 0.
    #[inline]
    #[must_use]
    pub const fn goal_rank(self) -> u8 {
        match self {
            Self::Gold => 7,
            Self::Silver => 0,
        }
    }

    /// The squares of the goal rank.
    #[inline]
    #[must_use]
    pub const fn goal(self) -> crate::Bitboard {
        crate::Bitboard::rank(self.goal_rank())
    }

    /// The sixteen squares of this side's setup.
    #[must_use]
    pub const fn home(self) -> crate::Bitboard {
        match self {
            Self::Gold => crate::Bitboard(0xffff),
            Self::Silver => crate::Bitboard(0xffff << 48),
        }
    }

    /// The direction in which this side's rabbits cannot step.
    #[inline]
    #[must_use]
    pub const fn backward(self) -> crate::Direction {
        match self {
            Self::Gold => crate::Direction::South,
            Self::Silver => crate::Direction::North,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Gold => "gold",
            Self::Silver => "silver",
        })
    }
}

/// A kind of piece, in ascending order of strength.
///
/// ```
/// use surus_rules::PieceKind;
///
/// assert!(PieceKind::Camel > PieceKind::Horse);
/// assert_eq!(PieceKind::ALL.map(PieceKind::starting_count), [8, 2, 2, 2, 1, 1]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum PieceKind {
    /// The weakest kind, eight per side; wins by reaching the goal rank.
    Rabbit = 1,
    /// Two per side.
    Cat = 2,
    /// Two per side.
    Dog = 3,
    /// Two per side.
    Horse = 4,
    /// One per side.
    Camel = 5,
    /// The strongest kind, one per side.
    Elephant = 6,
}

impl PieceKind {
    /// From rabbit to elephant.
    pub const ALL: [Self; 6] = [Self::Rabbit, Self::Cat, Self::Dog, Self::Horse, Self::Camel, Self::Elephant];

    /// The number of pieces of this kind that a side starts with.
    #[must_use]
    pub const fn starting_count(self) -> u32 {
        match self {
            Self::Rabbit => 8,
            Self::Cat | Self::Dog | Self::Horse => 2,
            Self::Camel | Self::Elephant => 1,
        }
    }

    /// The capital letter: E M H D C R.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Rabbit => 'R',
            Self::Cat => 'C',
            Self::Dog => 'D',
            Self::Horse => 'H',
            Self::Camel => 'M',
            Self::Elephant => 'E',
        }
    }
}

impl fmt::Display for PieceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Rabbit => "rabbit",
            Self::Cat => "cat",
            Self::Dog => "dog",
            Self::Horse => "horse",
            Self::Camel => "camel",
            Self::Elephant => "elephant",
        })
    }
}

/// A piece: side and kind, packed to index tables of 16 entries.
///
/// ```
/// use surus_rules::{Piece, PieceKind, Side};
///
/// let camel = Piece::from_letter('m').unwrap();
/// assert_eq!((camel.side(), camel.kind()), (Side::Silver, PieceKind::Camel));
/// assert!(camel.outranks(Piece::new(Side::Gold, PieceKind::Horse)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(u8);

impl Piece {
    /// The piece of a side and a kind.
    #[inline]
    #[must_use]
    pub const fn new(side: Side, kind: PieceKind) -> Self {
        Self((side as u8) << 3 | kind as u8)
    }

    /// The piece of a code, which must be valid: three bits of strength and a fourth for silver.
    #[inline]
    pub(crate) const fn from_code(code: u8) -> Self {
        debug_assert!(1 <= code & 7 && code & 7 <= 6 && code < 16);
        Self(code)
    }

    /// A number under 16, different for every piece: strength 1 to 6, plus 8 for silver.
    #[inline]
    #[must_use]
    pub const fn code(self) -> usize {
        (self.0 & 15) as usize
    }

    /// The side it belongs to.
    #[inline]
    #[must_use]
    pub const fn side(self) -> Side {
        if self.0 & 8 == 0 { Side::Gold } else { Side::Silver }
    }

    /// Its kind.
    #[inline]
    #[must_use]
    pub const fn kind(self) -> PieceKind {
        match self.0 & 7 {
            2 => PieceKind::Cat,
            3 => PieceKind::Dog,
            4 => PieceKind::Horse,
            5 => PieceKind::Camel,
            6 => PieceKind::Elephant,
            _ => PieceKind::Rabbit,
        }
    }

    /// Whether this piece is stronger than the other, of either side.
    #[inline]
    #[must_use]
    pub const fn outranks(self, other: Self) -> bool {
        self.0 & 7 > other.0 & 7
    }

    /// E M H D C R for gold, e m h d c r for silver.
    #[must_use]
    pub const fn letter(self) -> char {
        match self.side() {
            Side::Gold => self.kind().letter(),
            Side::Silver => self.kind().letter().to_ascii_lowercase(),
        }
    }

    /// The piece of a letter.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        let kind = PieceKind::ALL.into_iter().find(|k| k.letter() == letter.to_ascii_uppercase())?;
        let side = if letter.is_ascii_uppercase() { Side::Gold } else { Side::Silver };
        Some(Self::new(side, kind))
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.side(), self.kind())
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_round_trip_and_keep_side_and_kind() {
        for side in Side::BOTH {
            assert_eq!(Side::from_letter(side.letter()), Some(side));
            for kind in PieceKind::ALL {
                let piece = Piece::new(side, kind);
                assert_eq!((piece.side(), piece.kind()), (side, kind));
                assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            }
        }
        assert_eq!(Piece::from_letter('x'), None);
        assert_eq!(Side::from_letter('W'), Some(Side::Gold));
        assert_eq!(Side::from_letter('b'), Some(Side::Silver));
    }

    #[test]
    fn a_full_side_has_sixteen_pieces_and_ranks_are_strict() {
        assert_eq!(PieceKind::ALL.map(PieceKind::starting_count).iter().sum::<u32>(), 16);
        let [rabbit, elephant] = [PieceKind::Rabbit, PieceKind::Elephant].map(|k| Piece::new(Side::Gold, k));
        assert!(elephant.outranks(rabbit) && !rabbit.outranks(elephant) && !rabbit.outranks(rabbit));
    }
}
