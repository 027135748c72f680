//! Ten levels for people: how far a search looks, what it overlooks, and how well it judges.
//!
//! Everything is counted in nodes, steps and whole numbers, so that a level plays the same on every machine.

use surus_rules::{Board, Side};

use crate::common::score::Score;
use crate::eval::Evaluate;

/// What a search of a level may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Level {
    /// The most nodes for a turn.
    pub(crate) nodes: u64,
    /// The most steps to look ahead.
    pub(crate) depth: u32,
    /// How far it can be wrong about a board, in thousandths of a rabbit.
    pub(crate) error: Score,
    pub(crate) care: Care,
}

/// What a search looks for beyond its depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Care {
    /// Goals that take more steps than this are overlooked.
    pub(crate) sight: u8,
    /// Turns of captures and defences looked at where the depth is used up.
    pub(crate) beyond: u32,
}

impl Care {
    pub(crate) const FULL: Self = Self { sight: 4, beyond: 2 };
}

/// The strongest of the levels, and the one that is played unless another is asked for.
pub(crate) const HIGHEST: usize = 10;

const fn level(nodes: u64, depth: u32, error: Score, sight: u8, beyond: u32) -> Level {
    Level { nodes, depth, error, care: Care { sight, beyond } }
}

/// From the first day to full strength; docs/levels.md has what the steps are worth.
const LEVELS: [Level; HIGHEST] = [
    level(600, 4, 4_000, 1, 0),
    level(800, 4, 3_200, 2, 0),
    level(1_500, 4, 2_200, 3, 0),
    level(1_500, 4, 2_000, 3, 1),
    level(2_000, 4, 1_600, 4, 1),
    level(2_500, 5, 1_200, 4, 1),
    level(4_000, 7, 800, 4, 2),
    level(10_000, 9, 500, 4, 2),
    level(40_000, 100, 200, 4, 2),
    level(u64::MAX, 100, 0, 4, 2),
];

impl Level {
    /// The level of a number from 1 to 10.
    pub(crate) fn of(number: i64) -> Self {
        LEVELS[(number.clamp(1, HIGHEST as i64) - 1) as usize]
    }
}

/// Judges as another does, but not exactly: of the same board it always has the same wrong opinion.
#[derive(Clone, Debug)]
pub(crate) struct Blurred<E> {
    pub(crate) eval: E,
    pub(crate) error: Score,
    pub(crate) seed: u64,
}

impl<E: Evaluate> Evaluate for Blurred<E> {
    fn score(&mut self, board: &Board, side: Side) -> Score {
        let mut chance = (board.key() ^ self.seed.rotate_left(40)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        chance = (chance ^ chance >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        chance ^= chance >> 32;
        // The sum of two dice: small errors are more common than great ones.
        let die = |bits: u64| (bits & 0xffff) as i64 - 0x8000;
        let error = (die(chance) + die(chance >> 16)) * i64::from(self.error) / 0x10000;
        let error = if side == Side::Gold { error } else { -error };
        self.eval.score(board, side) + error as Score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::HandWritten;
    use surus_rules::Position;

    #[test]
    fn every_level_may_do_more_than_the_one_below() {
        for pair in LEVELS.windows(2) {
            let [low, high] = pair else { panic!() };
            assert!(high.error <= low.error && low.depth <= high.depth, "{low:?} {high:?}");
            assert!(low.care.sight <= high.care.sight && low.care.beyond <= high.care.beyond);
            assert_ne!(low, high);
        }
        assert_eq!(Level::of(10), Level { nodes: u64::MAX, depth: 100, error: 0, care: Care::FULL });
        assert_eq!((Level::of(-5), Level::of(99)), (LEVELS[0], LEVELS[9]));
    }

    #[test]
    fn a_blurred_opinion_is_always_the_same_and_not_too_wrong() {
        let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
        let mut position: Position = start.parse().unwrap();
        let mut different = 0;
        for step in ["Ee2n", "Ee3n", "Md2n", "Ha2n"] {
            position = position.try_step(step.parse().unwrap()).unwrap();
            let (board, side) = (position.board(), position.side());
            let right = HandWritten::default().evaluate(board, side);
            let [one, again, other] = [1, 1, 2]
                .map(|seed| Blurred { eval: HandWritten::default(), error: 900, seed }.score(board, side));
            assert_eq!(one, again);
            assert!((one - right).abs() <= 900 && (other - right).abs() <= 900);
            different += usize::from(one != right) + usize::from(one != other);
        }
        assert!(6 <= different, "{different}");
    }
}
