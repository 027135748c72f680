//! The evaluation of `fairylike`: piece placement, mainly of rabbits, material, and pieces around the traps.

use surus_rules::{Bitboard, Board, PieceKind, Side};

use crate::common::by_kind::ByKind;

/// In centirabbits.
const PIECE_VALUES: ByKind<i32> = ByKind::new([100, 250, 300, 550, 800, 1500]);

/// Value of a trap guard, by its kind.
const GUARD: ByKind<i32> = ByKind::new([4, 8, 11, 16, 22, 30]);

/// Value of the number of guards: a second one makes a trap safe, more add little.
const GUARDS: [i32; 5] = [0, 10, 34, 40, 42];

/// Value of a rabbit by rank: safe at home, a threat when far advanced, only in danger in between.
const RABBIT: [i32; 8] = [8, 6, -4, -8, 0, 25, 70, 0];

/// Bonus for a rabbit without enemies ahead on its file and the adjacent ones.
const PASSED_RABBIT: [i32; 8] = [0, 0, 4, 10, 25, 60, 120, 0];

/// Officers belong in the centre, a rank or two ahead of home.
const FILE: [i32; 8] = [0, 3, 6, 8, 8, 6, 3, 0];
const RANK: [i32; 8] = [0, 4, 8, 10, 10, 6, 2, 0];

/// Weight of the placement of an officer, in quarters.
const CENTRALITY_WEIGHT: ByKind<i32> = ByKind::new([0, 1, 2, 4, 5, 8]);

/// The fraction of its value that a framed piece loses, in eighths.
const FRAMED: i32 = 2;

/// The rank from which a piece is advanced, counted from 0 at home.
const ADVANCED_RANK: usize = 3;

/// The terms of the evaluation, own minus enemy, in centirabbits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Parts {
    /// The values of the pieces.
    pub(super) material: i32,
    /// The placement of rabbits.
    pub(super) rabbits: i32,
    /// The placement of the other pieces.
    pub(super) officers: i32,
    /// The guards of traps.
    pub(super) traps: i32,
    /// What framed pieces lose.
    pub(super) framed: i32,
    /// The value of cats and dogs on their fourth rank or beyond; not a term of its own.
    pub(super) advanced_minors: i32,
}

impl Parts {
    pub(super) fn new(board: &Board, side: Side) -> Self {
        let mut parts = Self::default();
        parts.add_side(board, side, 1);
        parts.add_side(board, side.other(), -1);
        parts
    }

    /// The score that does not depend on the phase.
    pub(super) const fn plain(&self) -> i32 {
        self.material + self.rabbits + self.officers + self.traps - self.framed
    }

    /// Adds the terms of a side with a sign.
    fn add_side(&mut self, board: &Board, side: Side, sign: i32) {
        let (own, enemies) = (board.by_side(side), board.by_side(side.other()));
        for kind in PieceKind::ALL {
            for square in board.by_kind(kind) & own {
                let rank = if side == Side::Gold { square.rank() } else { 7 - square.rank() } as usize;
                self.material += sign * PIECE_VALUES[kind];
                if kind == PieceKind::Rabbit {
                    let passed = is_passed(square.file(), rank, side, enemies);
                    self.rabbits += sign * (RABBIT[rank] + if passed { PASSED_RABBIT[rank] } else { 0 });
                    continue;
                }
                // Cats and dogs stay at home as guards.
                let is_minor = kind <= PieceKind::Dog;
                if is_minor && rank >= ADVANCED_RANK {
                    self.advanced_minors += sign * PIECE_VALUES[kind];
                }
                let rank = if is_minor { RANK[rank] / 2 - 3 * rank as i32 } else { RANK[rank] };
                self.officers += sign * (CENTRALITY_WEIGHT[kind] * (FILE[square.file() as usize] + rank) / 4);
            }
        }
        for trap in Bitboard::TRAPS {
            let near = Bitboard::from(trap).neighbours();
            let (own_guards, enemy_guards) = (near & own, near & enemies);
            self.traps += sign * GUARDS[own_guards.len() as usize];
            for kind in PieceKind::ALL {
                self.traps += sign * (GUARD[kind] * (board.by_kind(kind) & own_guards).len() as i32);
            }
            if own.contains(trap)
                && own_guards.len() == 1
                && enemy_guards.len() == 3
                && let Some(piece) = board.piece_at(trap)
            {
                self.framed += sign * (PIECE_VALUES[piece.kind()] * FRAMED / 8);
            }
        }
    }
}

/// Whether no enemy is ahead of a rabbit on its file or the adjacent ones.
fn is_passed(file: u8, rank: usize, side: Side, enemies: Bitboard) -> bool {
    let column = 0x0101_0101_0101_0101u64 << file;
    let files = Bitboard(column)
        | Bitboard(column).shifted(surus_rules::Direction::East)
        | Bitboard(column).shifted(surus_rules::Direction::West);
    let ahead = match side {
        Side::Gold => u64::MAX.checked_shl(8 * (rank as u32 + 1)).unwrap_or(0),
        Side::Silver => u64::MAX.checked_shr(8 * (rank as u32 + 1)).unwrap_or(0),
    };
    (files & Bitboard(ahead) & enemies).is_empty()
}
