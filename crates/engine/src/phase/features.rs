//! The features of a board \[Phase §3.1\].

use surus_rules::{Bitboard, Board, PieceKind, Side};
use surus_tactics::has_goal;

/// The number of features.
pub const FEATURE_COUNT: usize = 3;

/// Their names, in the order of [`PhaseFeatures::vector`].
pub const FEATURE_NAMES: [&str; FEATURE_COUNT] = ["min_pieces", "max_advanced", "goal_threat"];

/// The pieces of a side at the start.
pub const MAX_PIECES: u8 = 16;

/// What the phase of a board depends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct PhaseFeatures {
    /// The number of pieces of the side that has fewer.
    pub min_pieces: u8,
    /// The number of advanced pieces, elephants excepted, of the side that has more: gold pieces on rank 4 or above,
    /// silver ones on rank 5 or below.
    pub max_advanced: u8,
    /// Whether a side could reach goal if it had a full turn now.
    pub goal_threat: bool,
}

/// Ranks 4 to 8, and 5 to 1.
const ADVANCED: [(Side, Bitboard); 2] =
    [(Side::Gold, Bitboard(u64::MAX << 24)), (Side::Silver, Bitboard(u64::MAX >> 24))];

impl PhaseFeatures {
    /// All features of a board.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        let goal_threat = [Side::Gold, Side::Silver].into_iter().any(|side| has_goal(board, side, 4));
        Self { goal_threat, ..Self::without_threat(board) }
    }

    /// The features without the search for goals, which takes most of the time; `goal_threat` is false.
    #[inline]
    #[must_use]
    pub fn without_threat(board: &Board) -> Self {
        let min_pieces = board.by_side(Side::Gold).len().min(board.by_side(Side::Silver).len());
        let weaker = board.weaker_than(PieceKind::Elephant);
        let max_advanced = ADVANCED.map(|(side, ranks)| (board.by_side(side) & weaker & ranks).len());
        Self {
            min_pieces: min_pieces as u8,
            max_advanced: max_advanced[0].max(max_advanced[1]) as u8,
            goal_threat: false,
        }
    }

    /// The features as numbers, the threat as 0 or 1.
    #[must_use]
    pub fn vector(self) -> [f64; FEATURE_COUNT] {
        [self.min_pieces.into(), self.max_advanced.into(), self.goal_threat.into()]
    }
}

#[cfg(test)]
mod tests {
    use surus_rules::Piece;

    use super::*;

    const GOLD: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
    const SILVER: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";

    fn board(words: &str) -> Board {
        let place = |word: &str| {
            let piece = Piece::from_letter(word.chars().next().unwrap()).unwrap();
            (word[1..].parse().unwrap(), piece)
        };
        words.split_whitespace().map(place).collect()
    }

    /// The features, which must not depend on left and right or on the names of the sides.
    fn features(words: &str) -> (u8, u8, bool) {
        let board = board(words);
        let found = PhaseFeatures::new(&board);
        assert_eq!(PhaseFeatures::new(&board.mirrored()), found, "{words}");
        assert_eq!(PhaseFeatures::new(&board.flipped()), found, "{words}");
        let without = PhaseFeatures::without_threat(&board);
        assert_eq!(without, PhaseFeatures { goal_threat: false, ..found }, "{words}");
        (found.min_pieces, found.max_advanced, found.goal_threat)
    }

    #[test]
    fn the_smaller_number_of_pieces_counts() {
        assert_eq!(features(&format!("{GOLD} {SILVER}")), (16, 0, false));
        assert_eq!(features(&format!("{GOLD} {}", &SILVER[8..])).0, 14);
        assert_eq!(features(&format!("{} {}", &GOLD[..44], &SILVER[8..])).0, 11);
    }

    /// Gold advances to rank 4, silver to rank 5.
    #[test]
    fn advanced_pieces_of_the_side_with_more_count_without_elephants() {
        let advanced = |words: &str| features(words).1;
        assert_eq!(advanced("Ra1 Md3 He3 Ce2 rh8 hd6 de6"), 0);
        assert_eq!(advanced("Ra1 Ma4 Ec4 Ce4 rh8"), 2);
        assert_eq!(advanced("Ra1 rh8 hb5 dd5 ef5 ma4"), 3);
        // Not the sum of both sides.
        assert_eq!(advanced("Ra1 Ma4 Hd4 rh8 ha5"), 2);
        assert_eq!(advanced("Ra4 Rb5 Rc7 rh8"), 3);
    }

    #[test]
    fn a_goal_threat_of_either_side_counts() {
        let threat = |words: &str| features(words).2;
        assert!(threat("Ra5 Ee2 rh8 ee7"));
        assert!(!threat("Ra3 Ee2 rh8 ee7"), "a rabbit on rank 3 needs five steps to rank 8");
        assert!(threat("Ra3 Ee2 rh8 ee4 Ra5"));
        // The rabbit on a5 is frozen, and no friend can come next to it in time.
        assert!(!threat("Ra5 Ee2 rh8 eb5"));
    }
}
