//! The packed columns of a position: the rank of candidates and the attributes for filters.

use surus_rules::Side;

/// The largest rating that fits.
const MAX_RATING: i32 = 4095;
/// The largest number of turns left that fits.
const MAX_TURNS_LEFT: i32 = 2047;
/// The year before the first one.
const FIRST_YEAR: i32 = 1990;

/// The rank of a stored turn as in \[McKee\]: won games first, then by rating, then by turns left. Smaller is better, so that
/// the best come first in an index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Rank(pub i32);

impl Rank {
    /// Packs a rank.
    #[must_use]
    pub fn new(won: bool, rating: i32, turns_left: i32) -> Self {
        let (rating, left) = (rating.clamp(0, MAX_RATING), turns_left.clamp(0, MAX_TURNS_LEFT));
        Self(i32::from(!won) << 23 | (MAX_RATING - rating) << 11 | left)
    }

    /// Whether the side that played the turn won.
    #[must_use]
    pub const fn won(self) -> bool {
        self.0 >> 23 & 1 == 0
    }

    /// The rating of the side that played the turn, 0 if unknown.
    #[must_use]
    pub const fn rating(self) -> i32 {
        MAX_RATING - (self.0 >> 11 & MAX_RATING)
    }

    /// Turns of that side after this one.
    #[must_use]
    pub const fn turns_left(self) -> i32 {
        self.0 & MAX_TURNS_LEFT
    }
}

/// What filters need to know about a position, so that they need not read the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PositionAttributes {
    /// The rating of the side not to move, 0 if unknown.
    pub rating: i32,
    /// No winner, or the winner is unknown.
    pub no_winner: bool,
    /// Whether the side to move and the other side are bots.
    pub bots: [bool; 2],
    /// The year in which the game started, if known.
    pub year: Option<i32>,
    /// Whether the full key is that of the mirror image.
    pub mirrored: bool,
}

impl PositionAttributes {
    /// Packs the attributes.
    #[must_use]
    pub fn pack(self) -> i32 {
        let year = self.year.map_or(0, |year| (year - FIRST_YEAR).clamp(1, 255));
        self.rating.clamp(0, MAX_RATING)
            | i32::from(self.mirrored) << 12
            | i32::from(self.no_winner) << 13
            | i32::from(self.bots[0]) << 14
            | i32::from(self.bots[1]) << 15
            | year << 16
    }

    /// Unpacks attributes.
    #[must_use]
    pub const fn unpack(number: i32) -> Self {
        let year = number >> 16 & 255;
        Self {
            rating: number & MAX_RATING,
            mirrored: number >> 12 & 1 == 1,
            no_winner: number >> 13 & 1 == 1,
            bots: [number >> 14 & 1 == 1, number >> 15 & 1 == 1],
            year: if year == 0 { None } else { Some(FIRST_YEAR + year) },
        }
    }
}

/// The id of a position: its game's id and its ply.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PositionId(pub i64);

/// The number of plies of a game that ids can represent.
pub(crate) const MAX_PLIES: u32 = 0xffff;

impl PositionId {
    /// The position before this turn.
    #[must_use]
    pub fn new(game: i64, number: u32, side: Side) -> Self {
        Self(game << 16 | i64::from(number.saturating_sub(1)) << 1 | i64::from(side == Side::Silver))
    }

    /// The game's id.
    #[must_use]
    pub const fn game(self) -> i64 {
        self.0 >> 16
    }

    /// The turn number, from 1.
    #[must_use]
    pub const fn turn(self) -> u32 {
        ((self.0 & 0xffff) >> 1) as u32 + 1
    }

    /// The side to move.
    #[must_use]
    pub const fn side(self) -> Side {
        if self.0 & 1 == 0 { Side::Gold } else { Side::Silver }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_come_before_ratings_and_ratings_before_turns_left() {
        let ranks = [(true, 2000, 3), (true, 2000, 9), (true, 1500, 0), (false, 2500, 0), (false, 0, 0)];
        let ranks = ranks.map(|(won, rating, left)| Rank::new(won, rating, left));
        assert!(ranks.is_sorted());
        assert_eq!((ranks[1].won(), ranks[1].rating(), ranks[1].turns_left()), (true, 2000, 9));
        assert!(!ranks[3].won());
        assert_eq!(Rank::new(true, 9999, 99_999), Rank::new(true, 4095, 2047));
    }

    #[test]
    fn what_is_packed_comes_back() {
        for year in [None, Some(2002), Some(2026)] {
            for mirrored in [false, true] {
                let about = PositionAttributes {
                    rating: 1234,
                    no_winner: !mirrored,
                    bots: [mirrored, true],
                    year,
                    mirrored,
                };
                assert_eq!(PositionAttributes::unpack(about.pack()), about);
            }
        }
        let id = PositionId::new(261_080, 37, Side::Silver);
        assert_eq!((id.game(), id.turn(), id.side()), (261_080, 37, Side::Silver));
    }
}
