//! Roughly what pieces are worth, for the order in which captures are tried and for what `mcts` expects of them.

use surus_rules::{Board, Kind, Side};

use crate::common::score::Score;

/// 1000 / (Q + n) / N for n stronger enemies, Q = 1.447530126, N = 0.12507: the first rabbit is 1000.
const BY_STRONGER: [Score; 9] = [5524, 3267, 2319, 1798, 1468, 1240, 1074, 946, 846];

/// How many pieces of each kind a side has, from rabbits on.
pub(crate) type Counts = [u32; 6];

pub(crate) fn counts(board: &Board, side: Side) -> Counts {
    Kind::ALL.map(|kind| board.count(side, kind))
}

/// For each kind how many pieces of the other side are stronger.
pub(crate) fn stronger(enemies: &Counts) -> Counts {
    let mut sum = 0;
    let mut stronger = [0; 6];
    for kind in (0..6).rev() {
        stronger[kind] = sum;
        sum += enemies[kind];
    }
    stronger
}

/// Roughly what one piece is worth, with what its mere number counts.
pub(crate) fn of_piece(kind: usize, stronger: &Counts) -> Score {
    if kind == 0 { 1000 } else { BY_STRONGER[stronger[kind].min(8) as usize] + 500 }
}

/// What each kind of the pieces is worth that a side could capture.
pub(crate) fn victims(board: &Board, side: Side) -> [Score; 6] {
    let stronger = stronger(&counts(board, side));
    std::array::from_fn(|kind| of_piece(kind, &stronger))
}
