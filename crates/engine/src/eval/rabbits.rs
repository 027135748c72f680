//! Rabbits advancing towards goal.

use surus_rules::{Bitboard, Direction, PieceKind, Square};

use super::perspective::Perspective;
use super::term::Accumulator;
use super::terms::*;

/// How far each rabbit still has to go, who is in its way, and who supports it.
pub(crate) fn rabbit_advance(view: &Perspective, acc: &mut impl Accumulator) {
    for square in view.own_by_kind[PieceKind::Rabbit] {
        let ranks_left = 7 - usize::from(square.rank());
        let enemies_ahead = (ahead(square) & view.enemies).len().min(3) as usize;
        let frozen = usize::from(view.frozen.contains(square));
        acc.add_unit(RABBIT_ADVANCE, (ranks_left * 4 + enemies_ahead) * 2 + frozen);
        if ranks_left > 4 {
            continue;
        }
        let front = Bitboard::from(square).shifted(Direction::North);
        let front = match () {
            () if !(front & view.empty).is_empty() => 0,
            () if !(front & view.own).is_empty() => 1,
            () => 2,
        };
        acc.add_unit(RABBIT_FRONT, ranks_left * 3 + front);
        let near = Bitboard::from(square).neighbours();
        let near = near | near.neighbours();
        let officers = view.own & !view.own_by_kind[PieceKind::Rabbit] & !view.frozen & near;
        let strong =
            [PieceKind::Elephant, PieceKind::Camel, PieceKind::Horse].map(|kind| view.own_by_kind[kind]);
        let support = if officers.is_empty() {
            0
        } else if (officers & (strong[0] | strong[1] | strong[2])).is_empty() {
            1
        } else {
            2
        };
        acc.add_unit(RABBIT_SUPPORT, ranks_left * 3 + support);
    }
}

/// The squares in front of a rabbit, on its file and the two adjacent ones.
#[inline]
fn ahead(square: Square) -> Bitboard {
    let file = 0x0101_0101_0101_0101_u64 << square.file();
    let (west, east) = (file >> 1 & 0x7f7f_7f7f_7f7f_7f7f, file << 1 & 0xfefe_fefe_fefe_fefe);
    let further = u64::MAX.checked_shl(8 * (u32::from(square.rank()) + 1)).unwrap_or(0);
    Bitboard((file | west | east) & further)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_ahead_span_three_files_up_to_the_goal_rank() {
        let square = |name: &str| name.parse::<Square>().unwrap();
        let set = |names: &str| names.split(' ').map(square).fold(Bitboard::EMPTY, |a, b| a | b.into());
        assert_eq!(ahead(square("a6")), set("a7 b7 a8 b8"));
        assert_eq!(ahead(square("d7")), set("c8 d8 e8"));
        assert_eq!(ahead(square("h8")), Bitboard::EMPTY);
    }
}
