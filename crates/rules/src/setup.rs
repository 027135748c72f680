//! Setups: the placement of the pieces before the first turn.

use std::fmt;

use crate::notation::shortened;
use crate::{Bitboard, Board, NotationError, Piece, PieceKind, Side, Square, Token};

/// The placement of one side's pieces on its two home ranks.
///
/// ```
/// use surus_rules::{Board, Setup, Side};
///
/// let setup = Setup::from_rows(Side::Gold, "HDCMECDH", "RRRRRRRR")?;
/// assert_eq!(setup.to_string(), "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2");
/// let mut board = Board::EMPTY;
/// setup.place_on(&mut board);
/// setup.flipped().place_on(&mut board);
/// assert_eq!(Setup::from_board(&board, Side::Silver), Some(setup.flipped()));
/// # Ok::<(), surus_rules::SetupError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    side: Side,
    squares: [Option<PieceKind>; 16],
}

/// Whether a side may place fewer than its sixteen pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Handicap {
    /// All sixteen must be placed.
    #[default]
    None,
    /// Any number from one, in a game that was agreed to be a handicap game.
    Allowed,
}

/// The reason why a setup is invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// A piece of the other side.
    #[error("'{token}' places a {} piece: expected a {side} piece", side.other())]
    WrongSide {
        /// The placement.
        token: String,
        /// The side that sets up.
        side: Side,
    },
    /// A square outside the home ranks.
    #[error("'{token}' is outside {side}'s home ranks: expected rank {}", if *side == Side::Gold { "1 or 2" } else { "7 or 8" })]
    OutsideHomeRanks {
        /// The placement.
        token: String,
        /// The side that sets up.
        side: Side,
    },
    /// A square with two pieces.
    #[error("'{token}': {square} is already occupied")]
    Occupied {
        /// The placement.
        token: String,
        /// The square.
        square: Square,
    },
    /// Too many of a kind.
    #[error("'{token}' is one {kind} too many: expected at most {max}")]
    TooMany {
        /// The placement.
        token: String,
        /// The side that sets up.
        side: Side,
        /// The kind that is placed.
        kind: PieceKind,
        /// The number that a side starts with.
        max: u32,
    },
    /// Too few pieces.
    #[error("the setup of {side} has {found} pieces: expected 16; the {missing} is missing")]
    Incomplete {
        /// The side that sets up.
        side: Side,
        /// The number of pieces placed.
        found: usize,
        /// The strongest kind that is missing.
        missing: PieceKind,
    },
    /// A setup without pieces.
    #[error("the setup of {0} has no piece: expected at least one")]
    Empty(Side),
    /// An invalid row.
    #[error("invalid setup row '{0}': expected eight of the letters EMHDCR")]
    Row(String),
    /// A token other than a placement.
    #[error("'{0}' is not a placement: expected a piece and a square, like Ra1")]
    NotAPlacement(String),
    /// A token that is not Arimaa notation.
    #[error(transparent)]
    Notation(#[from] NotationError),
}

impl Setup {
    /// A setup from placements.
    pub fn new(
        side: Side,
        placements: impl IntoIterator<Item = (Piece, Square)>,
        handicap: Handicap,
    ) -> Result<Self, SetupError> {
        let mut setup = Self { side, squares: [None; 16] };
        for (piece, square) in placements {
            let token = Token::Placement(piece, square).to_string();
            if piece.side() != side {
                return Err(SetupError::WrongSide { token, side });
            }
            let Some(slot) = side.home().contains(square).then(|| square.index() % 16) else {
                return Err(SetupError::OutsideHomeRanks { token, side });
            };
            if setup.squares[slot].is_some() {
                return Err(SetupError::Occupied { token, square });
            }
            let kind = piece.kind();
            let max = kind.starting_count();
            if setup.count(kind) >= max {
                return Err(SetupError::TooMany { token, side, kind, max });
            }
            setup.squares[slot] = Some(kind);
        }
        let missing =
            PieceKind::ALL.into_iter().rev().find(|&kind| setup.count(kind) < kind.starting_count());
        let found = setup.squares.iter().flatten().count();
        match (missing, handicap) {
            (Some(missing), Handicap::None) => Err(SetupError::Incomplete { side, found, missing }),
            (Some(_), Handicap::Allowed) if found == 0 => Err(SetupError::Empty(side)),
            _ => Ok(setup),
        }
    }

    /// Parses placements: `Ra1 Rb1 …`.
    pub fn parse(text: &str, side: Side, handicap: Handicap) -> Result<Self, SetupError> {
        let placements: Result<Vec<_>, _> = text
            .split_whitespace()
            .map(|word| match word.parse()? {
                Token::Placement(piece, square) => Ok((piece, square)),
                Token::Step(_) | Token::Capture(..) => Err(SetupError::NotAPlacement(word.into())),
            })
            .collect();
        Self::new(side, placements?, handicap)
    }

    /// A setup from its front and back row, each from file a to file h: a2 to h2 and a1 to h1 for gold, a7 to h7 and a8
    /// to h8 for silver.
    pub fn from_rows(side: Side, front: &str, back: &str) -> Result<Self, SetupError> {
        let mut placements = Vec::new();
        for (row, distance) in [(front, 1), (back, 0)] {
            let wrong = || SetupError::Row(shortened(row));
            let rank = if side == Side::Gold { distance } else { 7 - distance };
            if row.chars().count() != 8 {
                return Err(wrong());
            }
            for (letter, file) in row.chars().zip(0..) {
                let kind = Piece::from_letter(letter).ok_or_else(wrong)?.kind();
                placements.push((Piece::new(side, kind), Square::from_coords(file, rank).ok_or_else(wrong)?));
            }
        }
        Self::new(side, placements, Handicap::None)
    }

    fn count(&self, kind: PieceKind) -> u32 {
        self.squares.iter().filter(|&&k| k == Some(kind)).count() as u32
    }

    /// The side that sets up.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The pieces and their squares in the order of the squares.
    pub fn placements(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        self.side.home().into_iter().filter_map(|square| {
            let kind = self.squares[square.index() % 16]?;
            Some((Piece::new(self.side, kind), square))
        })
    }

    /// Places the pieces on a board.
    pub fn place_on(&self, board: &mut Board) {
        for (piece, square) in self.placements() {
            board.set(square, Some(piece));
        }
    }

    /// The setup with files exchanged: a with h.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut squares = self.squares;
        squares[..8].reverse();
        squares[8..].reverse();
        Self { squares, ..*self }
    }

    /// The same setup for the other side, with the same files and rows.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let mut squares = self.squares;
        let (low, high) = squares.split_at_mut(8);
        low.swap_with_slice(high);
        Self { side: self.side.other(), squares }
    }

    /// The setup on a board, if all pieces of the side are on its home ranks.
    #[must_use]
    pub fn from_board(board: &Board, side: Side) -> Option<Self> {
        let pieces: Bitboard = board.by_side(side);
        let placements = pieces.into_iter().map(|square| (board.piece_at_unchecked(square), square));
        Self::new(side, placements, Handicap::Allowed).ok()
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (piece, square)) in self.placements().enumerate() {
            let gap = if i == 0 { "" } else { " " };
            write!(f, "{gap}{}", Token::Placement(piece, square))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOLD: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";

    #[test]
    fn a_setup_round_trips_and_has_its_symmetries() {
        let setup = Setup::parse(GOLD, Side::Gold, Handicap::None).unwrap();
        assert_eq!(setup.to_string(), GOLD);
        assert_eq!(Setup::from_rows(Side::Gold, "HDCMECDH", "RRRRRRRR"), Ok(setup));
        assert_eq!(setup.mirrored().mirrored(), setup);
        assert_eq!(setup.flipped(), Setup::from_rows(Side::Silver, "hdcmecdh", "rrrrrrrr").unwrap());
        let mut board = Board::EMPTY;
        setup.place_on(&mut board);
        assert_eq!(Setup::from_board(&board, Side::Gold), Some(setup));
    }

    #[test]
    fn a_handicap_is_refused_unless_it_was_agreed() {
        let fewer = GOLD.replace(" Md2", "");
        let error = Setup::parse(&fewer, Side::Gold, Handicap::None).unwrap_err();
        assert_eq!(error.to_string(), "the setup of gold has 15 pieces: expected 16; the camel is missing");
        assert!(Setup::parse(&fewer, Side::Gold, Handicap::Allowed).is_ok());
        assert!(Setup::parse("", Side::Gold, Handicap::Allowed).is_err());
    }

    #[test]
    fn wrong_placements_are_named() {
        for (text, message) in [
            ("ra1", "'ra1' places a silver piece: expected a gold piece"),
            ("Ra3", "'Ra3' is outside gold's home ranks: expected rank 1 or 2"),
            ("Ra1 Ra1", "'Ra1': a1 is already occupied"),
            ("Ea1 Eb1", "'Eb1' is one elephant too many: expected at most 1"),
            ("Ea1n", "'Ea1n' is not a placement: expected a piece and a square, like Ra1"),
            ("Qa1", "'Qa1' does not start with a piece: expected one of EMHDCR (gold) or emhdcr (silver)"),
        ] {
            assert_eq!(Setup::parse(text, Side::Gold, Handicap::None).unwrap_err().to_string(), message);
        }
    }
}
