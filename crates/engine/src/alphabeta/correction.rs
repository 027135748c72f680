//! Correction history: by how much searches differed from the static evaluation of boards that have something in common.
//!
//! The evaluation does not know every structure, but what holds for one board of a game usually holds for the next. Boards
//! are grouped by the pieces around each trap and by the placement of elephants and camels.

use surus_rules::{Bitboard, Board, PieceKind, Side};

use super::params::Params;
use crate::common::score::Score;

/// Entries of a group for each side to move.
const ENTRIES: usize = 1 << 13;
/// The squares within two steps of each trap.
const TRAP_AREAS: [Bitboard; 4] = [
    Bitboard(0x0000_0004_0e1f_0e04),
    Bitboard(0x0000_0020_70f8_7020),
    Bitboard(0x040e_1f0e_0400_0000),
    Bitboard(0x2070_f870_2000_0000),
];
const GROUPS: usize = TRAP_AREAS.len() + 1;
/// Units of an entry per millirabbit.
const PRECISION: i32 = 8;
/// Differences beyond this are caused by tactics, not by structures.
const MAX_DIFFERENCE: i32 = 2_000;
/// The parts of a difference that enter an entry.
const WEIGHT_ONE: i32 = 256;

/// The corrections of one thread.
#[derive(Clone, Debug)]
pub(crate) struct CorrectionHistory {
    /// Moving averages of the differences, for the side that starts its turn.
    entries: Vec<i16>,
}

impl CorrectionHistory {
    pub(crate) fn new() -> Self {
        Self { entries: vec![0; GROUPS * 2 * ENTRIES] }
    }

    /// What to add to the static evaluation of a board on which `side` starts its turn.
    #[inline]
    pub(crate) fn correction(&self, board: &Board, side: Side, params: &Params) -> Score {
        let sum: i32 = slots(board, side).map(|slot| i32::from(self.entries[slot])).iter().sum();
        let mean = sum / (GROUPS as i32 * PRECISION);
        (mean * params.correction_percent() / 100).clamp(-params.correction_max(), params.correction_max())
    }

    /// Records that a search of a board differed from the uncorrected static evaluation.
    pub(crate) fn update(
        &mut self,
        board: &Board,
        side: Side,
        difference: Score,
        depth: i32,
        params: &Params,
    ) {
        let target = difference.clamp(-MAX_DIFFERENCE, MAX_DIFFERENCE) * PRECISION;
        let weight = (depth * params.correction_rate()).clamp(0, WEIGHT_ONE / 4);
        for slot in slots(board, side) {
            let entry = &mut self.entries[slot];
            *entry += ((target - i32::from(*entry)) * weight / WEIGHT_ONE) as i16;
        }
    }
}

/// The entries of a board, one in each group.
#[inline]
fn slots(board: &Board, side: Side) -> [usize; GROUPS] {
    let strongest = board.by_kind(PieceKind::Elephant) | board.by_kind(PieceKind::Camel);
    let [a, b, c, d] = TRAP_AREAS;
    let mut group = 0;
    [a, b, c, d, strongest].map(|area| {
        let index = board.key_within(area) as usize % ENTRIES;
        group += 1;
        ((group - 1) * 2 + side as usize) * ENTRIES + index
    })
}

#[cfg(test)]
mod tests {
    use surus_rules::Position;

    use super::*;

    #[test]
    fn areas_are_the_squares_within_two_steps() {
        for (trap, area) in Bitboard::TRAPS.into_iter().zip(TRAP_AREAS) {
            let near = Bitboard::from(trap).neighbours();
            assert_eq!(area, near | near.neighbours(), "{trap}");
        }
    }

    #[test]
    fn entries_approach_the_difference_and_corrections_are_limited() {
        let position: Position =
            "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
        let (board, side, params) = (*position.board(), position.side(), Params::default());
        let mut history = CorrectionHistory::new();
        assert_eq!(history.correction(&board, side, &params), 0);
        for _ in 0..200 {
            history.update(&board, side, -100_000, 20, &params);
        }
        assert_eq!(history.correction(&board, side, &params), -params.correction_max());
        for _ in 0..400 {
            history.update(&board, side, 200, 8, &params);
        }
        let expected = 200 * params.correction_percent() / 100;
        assert!((history.correction(&board, side, &params) - expected).abs() < 20);
        assert_eq!(history.correction(&board, side.other(), &params), 0);
    }

    #[test]
    fn boards_with_the_same_structures_share_entries() {
        let parse = |text: &str| *text.parse::<Position>().unwrap().board();
        let one = parse("g [r      r   e                                    E       R      R]");
        let other = parse("g [r      r   e                                    E      R       R]");
        let shared = |a: &Board, b: &Board| {
            let slots = [a, b].map(|board| slots(board, Side::Gold));
            slots[0].iter().zip(&slots[1]).filter(|(a, b)| a == b).count()
        };
        assert_eq!(shared(&one, &one), GROUPS);
        assert_eq!(shared(&one, &other), GROUPS);
        // The elephant goes from a2 to a3, which is near c3.
        let moved = parse("g [r      r   e                            E               R      R]");
        assert_eq!(shared(&one, &moved), 3);
    }
}
