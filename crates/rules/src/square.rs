//! Squares and the four directions.

use std::fmt;
use std::str::FromStr;

use crate::NotationError;
use crate::notation::shortened;

/// One of the 64 squares, a1 to h8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square with this index: 0 is a1, 7 is h1, 63 is h8.
    #[must_use]
    pub const fn new(index: u8) -> Option<Self> {
        if index < 64 { Some(Self(index)) } else { None }
    }

    /// The square of a file and a rank, both counted from 0.
    #[must_use]
    pub const fn from_coords(file: u8, rank: u8) -> Option<Self> {
        if file < 8 && rank < 8 { Some(Self(rank * 8 + file)) } else { None }
    }

    /// The low six bits of a number that is known to be a square.
    #[inline]
    pub(crate) const fn wrapping(index: u8) -> Self {
        Self(index & 63)
    }

    /// 0 for a1 to 63 for h8.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        // The mask tells the compiler what the invariant promises, so that tables of 64 need no bounds check.
        (self.0 & 63) as usize
    }

    /// 0 for file a to 7 for file h.
    #[inline]
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 for rank 1 to 7 for rank 8.
    #[inline]
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The set that holds only this square, as bits.
    #[inline]
    #[must_use]
    pub const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }

    /// The square next to this one, if it is on the board.
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

    /// The square next to this one; trusts that it is on the board.
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

    /// The direction of a neighbouring square.
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

/// North is towards rank 8, east towards file h.
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

    /// The way back.
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

    /// n, e, s or w.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::North => 'n',
            Self::East => 'e',
            Self::South => 's',
            Self::West => 'w',
        }
    }

    /// The direction of a letter, small or capital.
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
