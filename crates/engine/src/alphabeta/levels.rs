//! Ten levels of playing strength: how deep a level searches, what it overlooks, and how well it evaluates.
//!
//! All limits are nodes, steps and integers, so that a level plays the same on every machine.

use surus_rules::{Board, Side};

use crate::common::score::Score;
use crate::eval::Evaluate;

/// The limits of a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Level {
    /// Maximum nodes per turn.
    pub(crate) nodes: u64,
    /// Maximum depth in steps.
    pub(crate) depth: u32,
    /// Maximum error of the evaluation in millirabbits.
    pub(crate) eval_noise: Score,
    pub(crate) tactical_depth: TacticalDepth,
}

/// What a search examines beyond its depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TacticalDepth {
    /// Maximum steps of a goal; longer ones are overlooked.
    pub(crate) goal_steps: u8,
    /// Turns of captures and defences in quiescence.
    pub(crate) qsearch_turns: u32,
}

/// The strongest level, which is the default.
pub(crate) const MAX_LEVEL: usize = 10;

const fn level(nodes: u64, depth: u32, eval_noise: Score, goal_steps: u8, qsearch_turns: u32) -> Level {
    Level { nodes, depth, eval_noise, tactical_depth: TacticalDepth { goal_steps, qsearch_turns } }
}

/// From beginner to full strength; docs/levels.md has their ratings.
const LEVELS: [Level; MAX_LEVEL] = [
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

/// The names of the levels and what they play like; docs/levels.md has the same.
pub const LEVEL_DESCRIPTIONS: [(&str, &str); MAX_LEVEL] = [
    ("Newcomer", "For the first day. Wanders, hangs pieces and misses goals."),
    ("Beginner", "Captures pieces that are offered."),
    ("Novice", "Captures when it can, and overlooks your captures."),
    ("Casual player", "No longer hangs pieces."),
    ("Learner", "Sees goals one turn ahead."),
    ("Intermediate", "Considers your reply."),
    ("Experienced", "Evaluates positions reasonably well."),
    ("Club player", "For club players."),
    ("Expert", "For strong players."),
    ("Full strength", "Searches as deeply as its time allows."),
];

impl Level {
    /// The level of a number from 1 to 10.
    pub(crate) fn from_number(number: i64) -> Self {
        LEVELS[(number.clamp(1, MAX_LEVEL as i64) - 1) as usize]
    }
}

/// An evaluation with an error that is always the same for the same board.
#[derive(Clone, Debug)]
pub(crate) struct NoisyEval<E> {
    pub(crate) eval: E,
    pub(crate) noise: Score,
    pub(crate) seed: u64,
}

impl<E: Evaluate> Evaluate for NoisyEval<E> {
    fn evaluate(&mut self, board: &Board, side: Side) -> Score {
        let mut hash = (board.key() ^ self.seed.rotate_left(40)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash = (hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash ^= hash >> 32;
        // The sum of two dice: small errors are more common than large ones.
        let die = |bits: u64| (bits & 0xffff) as i64 - 0x8000;
        let error = (die(hash) + die(hash >> 16)) * i64::from(self.noise) / 0x10000;
        let error = if side == Side::Gold { error } else { -error };
        self.eval.evaluate(board, side) + error as Score
    }

    fn scale(&self) -> i32 {
        self.eval.scale()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::HandcraftedEval;
    use surus_rules::Position;

    #[test]
    fn limits_grow_with_the_level() {
        for pair in LEVELS.windows(2) {
            let [low, high] = pair else { panic!() };
            assert!(high.eval_noise <= low.eval_noise && low.depth <= high.depth, "{low:?} {high:?}");
            assert!(
                low.tactical_depth.goal_steps <= high.tactical_depth.goal_steps
                    && low.tactical_depth.qsearch_turns <= high.tactical_depth.qsearch_turns
            );
            assert_ne!(low, high);
        }
        assert_eq!(
            Level::from_number(10),
            Level {
                nodes: u64::MAX,
                depth: 100,
                eval_noise: 0,
                tactical_depth: TacticalDepth { goal_steps: 4, qsearch_turns: 2 }
            }
        );
        assert_eq!((Level::from_number(-5), Level::from_number(99)), (LEVELS[0], LEVELS[9]));
    }

    #[test]
    fn docs_have_the_names_and_descriptions() {
        let docs = include_str!("../../../../docs/levels.md");
        for (index, (name, description)) in LEVEL_DESCRIPTIONS.iter().enumerate() {
            let number = index + 1;
            let row = docs.lines().find(|line| line.starts_with(&format!("| {number} | {name} |")));
            assert!(row.is_some_and(|row| row.ends_with(&format!("| {description} |"))), "level {number}");
        }
    }

    #[test]
    fn noise_is_deterministic_and_bounded() {
        let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
        let mut position: Position = start.parse().unwrap();
        let mut different = 0;
        for step in ["Ee2n", "Ee3n", "Md2n", "Ha2n"] {
            position = position.try_step(step.parse().unwrap()).unwrap();
            let (board, side) = (position.board(), position.side());
            let right = HandcraftedEval::default().evaluate(board, side);
            let [one, again, other] = [1, 1, 2].map(|seed| {
                NoisyEval { eval: HandcraftedEval::default(), noise: 900, seed }.evaluate(board, side)
            });
            assert_eq!(one, again);
            assert!((one - right).abs() <= 900 && (other - right).abs() <= 900);
            different += usize::from(one != right) + usize::from(one != other);
        }
        assert!(different >= 6, "{different}");
    }
}
