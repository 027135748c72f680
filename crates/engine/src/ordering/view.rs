//! A board as one side sees it, as plain bit planes.

use surus_rules::{Board, PieceKind, Side};

pub(super) const TRAPS: u64 = 1 << 18 | 1 << 21 | 1 << 42 | 1 << 45;
/// West and east trap of the own half, then of the other half.
pub(super) const TRAP_SQUARES: [usize; 4] = [18, 21, 42, 45];
pub(super) const HOME_TRAPS: u64 = 1 << 18 | 1 << 21;
pub(super) const AWAY_TRAPS: u64 = 1 << 42 | 1 << 45;
pub(super) const GOAL: u64 = 0xff << 56;
const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

pub(super) const RABBIT: usize = 0;
pub(super) const HORSE: usize = 3;
pub(super) const CAMEL: usize = 4;
pub(super) const ELEPHANT: usize = 5;

#[inline]
pub(super) const fn east(set: u64) -> u64 {
    (set & !FILE_H) << 1
}

#[inline]
pub(super) const fn neighbours(set: u64) -> u64 {
    set << 8 | set >> 8 | east(set) | (set & !FILE_A) >> 1
}

/// The indices of the squares of a set.
#[inline]
pub(super) fn squares(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (square < 64).then_some(square)
    })
}

/// The number of a square among the 32 of the files a to d, onto which the others are folded.
#[inline]
pub(super) const fn folded(square: usize) -> usize {
    let file = square % 8;
    square / 8 * 4 + if file < 4 { file } else { 7 - file }
}

/// Steps between two squares.
#[inline]
pub(super) const fn distance(a: usize, b: usize) -> usize {
    (a % 8).abs_diff(b % 8) + (a / 8).abs_diff(b / 8)
}

/// The planes of a board, with ranks counted from the home of the side that sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct View {
    /// The own pieces by kind, then the enemy's.
    pub(super) planes: [u64; 12],
    pub(super) own: u64,
    pub(super) enemy: u64,
    /// Own and enemy pieces next to a stronger one of the other side.
    pub(super) dominated: [u64; 2],
    /// Those of them without a friend next to them.
    pub(super) frozen: [u64; 2],
}

impl View {
    #[inline]
    pub(super) fn new(board: &Board, side: Side) -> Self {
        let seen = |set: surus_rules::Bitboard| match side {
            Side::Gold => set.0,
            Side::Silver => set.0.swap_bytes(),
        };
        let (own, enemy) = (seen(board.by_side(side)), seen(board.by_side(side.other())));
        let mut planes = [0; 12];
        for (index, kind) in PieceKind::ALL.into_iter().enumerate() {
            let both = seen(board.by_kind(kind));
            planes[index] = both & own;
            planes[index + 6] = both & enemy;
        }
        let dominated = [seen(board.dominated(side)), seen(board.dominated(side.other()))];
        let frozen = [dominated[0] & !neighbours(own), dominated[1] & !neighbours(enemy)];
        Self { planes, own, enemy, dominated, frozen }
    }

    /// The number of the piece on an occupied square: its kind, plus six for an enemy.
    #[inline]
    pub(super) fn piece_at(&self, square: usize) -> usize {
        let bit = 1 << square;
        let first = if self.own & bit != 0 { 0 } else { 6 };
        (first..first + 6).find(|&piece| self.planes[piece] & bit != 0).unwrap_or(first)
    }

    /// The pieces of a side.
    #[inline]
    pub(super) const fn side(&self, side: usize) -> u64 {
        if side == 0 { self.own } else { self.enemy }
    }

    /// The friends next to a trap and whether the elephant is one of them, as a number under 8: none, one, two and three
    /// without and with the elephant, four.
    #[inline]
    pub(super) const fn trap_status(&self, trap: usize, side: usize) -> usize {
        let around = neighbours(1 << TRAP_SQUARES[trap]);
        let guards = (around & self.side(side)).count_ones() as usize;
        let elephant = around & self.planes[ELEPHANT + 6 * side] != 0;
        match guards {
            0 => 0,
            4 => 7,
            guards => 2 * guards - 1 + elephant as usize,
        }
    }
}
