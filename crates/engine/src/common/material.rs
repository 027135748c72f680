//! Approximate piece values, for ordering captures and for the trap check of `mcts`.

use surus_rules::{Board, PieceKind, Side};

use super::by_kind::{ByKind, OFFICERS};
use super::score::Score;

/// 1000 / (Q + n) / N for n stronger enemies, Q = 1.447530126, N = 0.12507: the first rabbit is 1000.
const BY_STRONGER: [Score; 9] = [5524, 3267, 2319, 1798, 1468, 1240, 1074, 946, 846];

/// Number of pieces of each kind.
pub(crate) type Counts = ByKind<u32>;

pub(crate) fn counts(board: &Board, side: Side) -> Counts {
    Counts::from_fn(|kind| board.count(side, kind))
}

/// The number of enemies stronger than each kind.
pub(crate) fn stronger(enemies: &Counts) -> Counts {
    let mut sum = 0;
    let mut stronger = Counts::default();
    for kind in PieceKind::ALL.into_iter().rev() {
        stronger[kind] = sum;
        sum += enemies[kind];
    }
    stronger
}

/// The approximate value of a piece, including what its mere number counts.
fn piece_value(kind: PieceKind, stronger: &Counts) -> Score {
    if OFFICERS.contains(&kind) { BY_STRONGER[stronger[kind].min(8) as usize] + 500 } else { 1000 }
}

/// The value of each kind of enemy piece that a side could capture.
pub(crate) fn capture_values(board: &Board, side: Side) -> ByKind<Score> {
    let stronger = stronger(&counts(board, side));
    ByKind::from_fn(|kind| piece_value(kind, &stronger))
}
