//! The evaluation of `fairylike`: where pieces stand, rabbits above all; what there is; who is around the traps.

use surus_rules::{Board, Kind, Side, Squares};

/// In hundredths of a rabbit.
const WORTH: [i32; 6] = [100, 250, 300, 550, 800, 1500];

/// What a guard of a trap counts, by its kind: strong ones are worth more there.
const GUARD: [i32; 6] = [4, 8, 11, 16, 22, 30];

/// A second guard makes a trap safe; more add little.
const GUARDS: [i32; 5] = [0, 10, 34, 40, 42];

/// Rabbits by rank: at home they are safe, far ahead they threaten, in between they are only in danger.
const RABBIT: [i32; 8] = [8, 6, -4, -8, 0, 25, 70, 0];

/// Nobody stands in front of it, on its file or those beside.
const FREE_RABBIT: [i32; 8] = [0, 0, 4, 10, 25, 60, 120, 0];

/// Officers like the middle of the board, a rank or two ahead of home.
const FILE: [i32; 8] = [0, 3, 6, 8, 8, 6, 3, 0];
const RANK: [i32; 8] = [0, 4, 8, 10, 10, 6, 2, 0];

/// How much an officer of a kind minds where it stands, in quarters.
const MINDS: [i32; 6] = [0, 1, 2, 4, 5, 8];

/// The share of its worth, in eighths, that a framed piece loses.
const FRAMED: i32 = 2;

/// Seen by a side, in hundredths of a rabbit.
pub(super) fn score(board: &Board, side: Side) -> i32 {
    half(board, side) - half(board, side.other())
}

fn half(board: &Board, side: Side) -> i32 {
    let (own, foe) = (board.side(side), board.side(side.other()));
    let mut sum = 0;
    for kind in Kind::ALL {
        let index = kind as usize - 1;
        for square in board.kind(kind) & own {
            let rank = if side == Side::Gold { square.rank() } else { 7 - square.rank() } as usize;
            sum += WORTH[index];
            sum += if kind == Kind::Rabbit {
                RABBIT[rank] + if is_free(square.file(), rank, side, foe) { FREE_RABBIT[rank] } else { 0 }
            } else {
                // Cats and dogs stay at home, where they guard.
                let rank =
                    if kind <= Kind::Dog { RANK[rank.min(7)] / 2 - 3 * rank as i32 } else { RANK[rank] };
                MINDS[index] * (FILE[square.file() as usize] + rank) / 4
            };
        }
    }
    for trap in Squares::TRAPS {
        let near = Squares::from(trap).neighbours();
        let (mine, theirs) = (near & own, near & foe);
        sum += GUARDS[mine.len() as usize];
        for kind in Kind::ALL {
            sum += GUARD[kind as usize - 1] * (board.kind(kind) & mine).len() as i32;
        }
        if own.contains(trap)
            && mine.len() == 1
            && theirs.len() == 3
            && let Some(piece) = board.piece_at(trap)
        {
            sum -= WORTH[piece.kind() as usize - 1] * FRAMED / 8;
        }
    }
    sum
}

/// Whether no enemy stands further on in a rabbit's file or those beside it.
fn is_free(file: u8, rank: usize, side: Side, foe: Squares) -> bool {
    let column = 0x0101_0101_0101_0101u64 << file;
    let files = Squares(column)
        | Squares(column).shifted(surus_rules::Direction::East)
        | Squares(column).shifted(surus_rules::Direction::West);
    let ahead = match side {
        Side::Gold => u64::MAX.checked_shl(8 * (rank as u32 + 1)).unwrap_or(0),
        Side::Silver => u64::MAX.checked_shr(8 * (rank as u32 + 1)).unwrap_or(0),
    };
    (files & Squares(ahead) & foe).is_empty()
}
