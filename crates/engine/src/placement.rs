//! Where pieces stand well, by how many enemy pieces are stronger than they.

use surus_rules::{Board, Kind, Side, Square, Squares};

use crate::material::Counts;
use crate::score::Score;

type Places = [Score; 64];

/// A table from what each rank and each file (counted from the edge, 0 to 3) adds.
const fn places(ranks: [Score; 8], files: [Score; 4]) -> Places {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        let file = i % 8;
        table[i] = ranks[i / 8] + files[if file < 4 { file } else { 7 - file }];
        i += 1;
    }
    table
}

/// Nothing is stronger: the middle of the board, and rather the enemy's half.
const STRONGEST: Places = places([-450, -180, -20, 60, 90, 70, -120, -420], [-260, -60, 50, 80]);
/// One piece is stronger: the own half, not far from home.
const SECOND: Places = places([-120, -20, 50, 70, 60, 20, -100, -250], [-60, 10, 20, 10]);
/// Two or three are: the flanks, forward.
const THIRD: Places = places([-100, -30, 20, 50, 60, 80, -20, -160], [-10, 40, 10, -20]);
/// Many are: at home, behind and beside the own traps.
const WEAK: Places = places([10, 60, 40, -20, -60, -120, -220, -300], [-30, 20, 30, 10]);

/// A rabbit against an army in full strength, and against a bare one.
const RABBIT_EARLY: Places = places([70, 60, -20, -90, -130, -60, 150, 0], [40, 20, -20, -10]);
const RABBIT_LATE: Places = places([0, 20, 60, 130, 250, 450, 800, 0], [20, 10, 0, 0]);

const fn officers(stronger: u32) -> &'static Places {
    match stronger {
        0 => &STRONGEST,
        1 => &SECOND,
        2 | 3 => &THIRD,
        _ => &WEAK,
    }
}

/// The squares as the side itself sees them: its home at the bottom.
#[inline]
fn seen_by(side: Side, square: Square) -> usize {
    match side {
        Side::Gold => square.index(),
        Side::Silver => square.index() ^ 56,
    }
}

/// What the places of a side's pieces are worth.
pub(crate) fn worth(board: &Board, side: Side, stronger: &Counts, enemies: &Counts) -> Score {
    let mut sum = 0;
    for kind in Kind::ALL.into_iter().skip(1) {
        let table = officers(stronger[kind as usize - 1]);
        for square in board.pieces(side, kind) {
            sum += table[seen_by(side, square)];
        }
    }
    sum + rabbits(board, side, enemies)
}

fn rabbits(board: &Board, side: Side, enemies: &Counts) -> Score {
    let officers = (enemies.iter().skip(1).sum::<u32>() as Score).min(8);
    let foes = board.side(side.other());
    let mut sum = 0;
    for square in board.rabbits(side) {
        let at = seen_by(side, square);
        sum += (RABBIT_EARLY[at] * officers + RABBIT_LATE[at] * (8 - officers)) / 8;
        // Nobody in front of it, nor beside its way.
        if (ahead(side, square) & foes).is_empty() {
            sum += PASSED[at / 8];
        }
    }
    sum
}

/// By rank, for a rabbit whose way no enemy watches.
const PASSED: [Score; 8] = [0, 0, 30, 90, 200, 400, 700, 0];

/// The squares in front of a rabbit, on its file and the two beside it.
#[inline]
fn ahead(side: Side, square: Square) -> Squares {
    let file = 0x0101_0101_0101_0101_u64 << square.file();
    let (west, east) = (file >> 1 & 0x7f7f_7f7f_7f7f_7f7f, file << 1 & 0xfefe_fefe_fefe_fefe);
    let further = match side {
        Side::Gold => u64::MAX.checked_shl(8 * (u32::from(square.rank()) + 1)).unwrap_or(0),
        Side::Silver => u64::MAX.checked_shr(8 * (8 - u32::from(square.rank()))).unwrap_or(0),
    };
    Squares((file | west | east) & further)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_ahead_is_three_files_wide_and_ends_at_the_goal() {
        let square = |name: &str| name.parse::<Square>().unwrap();
        let set = |names: &str| names.split(' ').map(square).fold(Squares::NONE, |a, b| a | b.into());
        assert_eq!(ahead(Side::Gold, square("a6")), set("a7 b7 a8 b8"));
        assert_eq!(ahead(Side::Silver, square("d2")), set("c1 d1 e1"));
        assert_eq!(ahead(Side::Gold, square("h8")), Squares::NONE);
        assert_eq!(ahead(Side::Silver, square("h1")), Squares::NONE);
    }
}
