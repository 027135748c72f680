//! Squares and the four directions.

use std::fmt;
use std::str::FromStr;

use crate::NotationError;
use crate::notation::shortened;

/// One of the 64 squares, a1 to h8.
///
/// ```
/// use surus_rules::{Direction, Square};
///
/// let c3: Square = "c3".parse()?;
/// assert!(c3.is_trap());
/// assert_eq!((c3.file(), c3.rank(), c3.index()), (2, 2, 18));
/// assert_eq!(c3.neighbour(Direction::North).unwrap().to_string(), "c4");
/// # Ok::<(), surus_rules::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square with this index: 0 is a1, 7 is h1, 63 is h8.
    #[must_use]
    pub const fn new(index: u8) -> Option<Self> {
        if index < 64 { Some(Self(index)) } else { None }
    }

    /// The square on a file and rank, both counted from 0.
    #[must_use]
    pub const fn from_coords(file: u8, rank: u8) -> Option<Self> {
        if file < 8 && rank < 8 { Some(Self(rank * 8 + file)) } else { None }
    }

    /// The square of the lowest six bits.
    #[inline]
    pub(crate) const fn wrapping(index: u8) -> Self {
        Self(index & 63)
    }

    /// Its index from 0 for a1 to 63 for h8.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        // The mask lets the compiler omit bounds checks on tables of 64 entries.
        (self.0 & 63) as usize
    }

    /// Its file from 0 for a to 7 for h.
    #[inline]
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// Its rank from 0 for rank 1 to 7 for rank 8.
    #[inline]
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The bit of this square in a [`Bitboard`](crate::Bitboard).
    #[inline]
    #[must_use]
    pub const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }

    /// The adjacent square in a direction, unless it is off the board.
    #[must_use]
    pub const fn neighbour(self, direction: Direction) -> Option<Self> {
        let leaves = match direction {
            Direction::North => self.rank() == 7,
            Direction::East => self.file() == 7,
            Direction::South => self.rank() == 0,
            Direction::West => self.file() == 0,
        };
        if leaves { None } else { Some(self.stepped(direction)) }
    }

    /// The adjacent square in a direction, which must be on the board.
    #[inline]
    pub(crate) const fn stepped(self, direction: Direction) -> Self {
        const OFFSETS: [u8; 4] = [8, 1, 8u8.wrapping_neg(), 1u8.wrapping_neg()];
        Self::wrapping(self.0.wrapping_add(OFFSETS[direction as usize]))
    }

    /// Whether the square is one of the four traps.
    #[must_use]
    pub const fn is_trap(self) -> bool {
        crate::Bitboard::TRAPS.contains(self)
    }

    /// The direction of an adjacent square.
    #[must_use]
    pub fn direction_to(self, other: Self) -> Option<Direction> {
        Direction::ALL.into_iter().find(|&d| self.neighbour(d) == Some(other))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Self((rank - b'1') * 8 + file - b'a')),
            _ => Err(NotationError::Square(shortened(text))),
        }
    }
}

/// A direction on the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// Towards rank 8.
    North,
    /// Towards file h.
    East,
    /// Towards rank 1.
    South,
    /// Towards file a.
    West,
}

impl Direction {
    /// All four, in the order of the letters n, e, s, w.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The direction with this index in [`Direction::ALL`]; only the lowest two bits count.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self::ALL[(bits & 3) as usize]
    }

    /// The opposite direction.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
        }
    }

    /// The letter n, e, s or w.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::North => 'n',
            Self::East => 'e',
            Self::South => 's',
            Self::West => 'w',
        }
    }

    /// The direction of a letter in either case.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter.to_ascii_lowercase() {
            'n' => Some(Self::North),
            'e' => Some(Self::East),
            's' => Some(Self::South),
            'w' => Some(Self::West),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_round_trips() {
        for index in 0..64 {
            let square = Square::new(index).unwrap();
            assert_eq!(square.to_string().parse::<Square>().unwrap(), square);
            assert_eq!(Square::from_coords(square.file(), square.rank()), Some(square));
        }
        assert_eq!(Square::new(64), None);
    }

    #[test]
    fn neighbours_agree_with_directions() {
        for index in 0..64 {
            let square = Square::new(index).unwrap();
            for direction in Direction::ALL {
                if let Some(next) = square.neighbour(direction) {
                    assert_eq!(next.neighbour(direction.opposite()), Some(square));
                    assert_eq!(square.direction_to(next), Some(direction));
                }
            }
        }
        assert_eq!("h8".parse::<Square>().unwrap().neighbour(Direction::East), None);
    }
}
