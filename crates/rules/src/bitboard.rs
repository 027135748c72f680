//! Sets of squares as 64 bits.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

use crate::{Direction, Square};

/// A set of squares: bit 0 is a1, bit 7 is h1, bit 63 is h8.
///
/// ```
/// use surus_rules::{Bitboard, Square};
///
/// let d4: Square = "d4".parse()?;
/// let around = Bitboard::from(d4).neighbours();
/// assert_eq!(around.into_iter().map(|square| square.to_string()).collect::<Vec<_>>(), ["d3", "c4", "e4", "d5"]);
/// assert!((around & Bitboard::TRAPS).is_empty());
/// # Ok::<(), surus_rules::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// All 64 squares.
    pub const ALL: Self = Self(u64::MAX);
    /// The four traps: c3, f3, c6, f6.
    pub const TRAPS: Self = Self(1 << 18 | 1 << 21 | 1 << 42 | 1 << 45);

    /// The squares of one rank, counted from 0.
    #[must_use]
    pub const fn rank(rank: u8) -> Self {
        Self(0xff << (8 * (rank & 7)))
    }

    /// Whether the square is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 & square.bit() != 0
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of squares in the set.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The lowest square, unless the set is empty.
    #[inline]
    #[must_use]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::wrapping(self.0.trailing_zeros() as u8)) }
    }

    /// Every square moved one in this direction; squares that leave the board are dropped.
    #[inline]
    #[must_use]
    pub const fn shifted(self, direction: Direction) -> Self {
        Self(match direction {
            Direction::North => self.0 << 8,
            Direction::East => (self.0 & !FILE_H) << 1,
            Direction::South => self.0 >> 8,
            Direction::West => (self.0 & !FILE_A) >> 1,
        })
    }

    /// All squares next to a square of the set. Squares of the set are included only if they are next to another one.
    #[inline]
    #[must_use]
    pub const fn neighbours(self) -> Self {
        Self(self.0 << 8 | self.0 >> 8 | (self.0 & !FILE_H) << 1 | (self.0 & !FILE_A) >> 1)
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Self(square.bit())
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | square.into())
    }
}

/// An iterator over the squares of a set from a1 to h8.
#[derive(Clone, Debug)]
pub struct Iter(u64);

impl Iterator for Iter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = Bitboard(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.count_ones() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Iter {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Iter;

    #[inline]
    fn into_iter(self) -> Iter {
        Iter(self.0)
    }
}

macro_rules! operator {
    ($trait:ident, $name:ident, $op:tt) => {
        impl $trait for Bitboard {
            type Output = Self;
            #[inline]
            fn $name(self, other: Self) -> Self {
                Self(self.0 $op other.0)
            }
        }
    };
}
operator!(BitAnd, bitand, &);
operator!(BitOr, bitor, |);
operator!(BitXor, bitxor, ^);

impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> Bitboard {
        text.split_whitespace().map(|s| s.parse::<Square>().unwrap()).collect()
    }

    #[test]
    fn shifts_do_not_wrap_around_the_edges() {
        assert_eq!(set("a1 h1 h8").shifted(Direction::East), set("b1"));
        assert_eq!(set("a1 a8 h8").shifted(Direction::West), set("g8"));
        assert_eq!(set("d8 d4").shifted(Direction::North), set("d5"));
        assert_eq!(set("d1 d4").shifted(Direction::South), set("d3"));
        assert_eq!(set("h1").neighbours(), set("g1 h2"));
    }

    #[test]
    fn neighbours_are_the_four_shifts_for_every_square() {
        for square in Bitboard::ALL {
            let shifted = Direction::ALL
                .map(|d| Bitboard::from(square).shifted(d))
                .into_iter()
                .fold(Bitboard::EMPTY, |a, b| a | b);
            assert_eq!(Bitboard::from(square).neighbours(), shifted);
        }
    }

    #[test]
    fn traps_are_where_the_rules_put_them() {
        assert_eq!(Bitboard::TRAPS, set("c3 f3 c6 f6"));
        assert_eq!(Bitboard::rank(0).into_iter().next().unwrap().to_string(), "a1");
    }
}
