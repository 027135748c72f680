//! Terms of single pieces: material, piece squares, dominated and frozen pieces.

use surus_rules::PieceKind;

use super::perspective::{HOME_HALF, Perspective, half_board_index};
use super::term::{Accumulator, UNIT};
use super::terms::*;
use crate::common::by_kind::OFFICERS;
use crate::common::score::Score;

/// Material in the shape of HarLog: officers by the number of stronger enemies, rabbits and all pieces by their number.
pub(crate) fn material(view: &Perspective, acc: &mut impl Accumulator) {
    for kind in OFFICERS {
        let count = view.own_by_kind[kind].len() as Score;
        acc.add(OFFICER_VALUE, view.stronger_enemies[kind].min(8) as usize, count * UNIT);
    }
    acc.add_unit(RABBIT_COUNT, view.own_by_kind[PieceKind::Rabbit].len().min(8) as usize);
    acc.add_unit(PIECE_COUNT, view.own.len().min(16) as usize);
}

/// Piece-square tables.
pub(crate) fn piece_squares(view: &Perspective, acc: &mut impl Accumulator) {
    for kind in OFFICERS {
        let class = view.class(kind).index();
        for square in view.own_by_kind[kind] {
            acc.add_unit(OFFICER_PST, class * 32 + half_board_index(square));
        }
    }
    // Rabbits belong at home while there is an army to stop them, and forward when it is gone.
    let officers = (view.enemies & !view.enemy_by_kind[PieceKind::Rabbit]).len().min(8) as Score;
    for square in view.own_by_kind[PieceKind::Rabbit] {
        acc.add(RABBIT_PST_EARLY, half_board_index(square), officers);
        acc.add(RABBIT_PST_LATE, half_board_index(square), UNIT - officers);
    }
}

/// Pieces next to stronger enemies, frozen or kept mobile by a friend.
pub(crate) fn dominated(view: &Perspective, acc: &mut impl Accumulator) {
    if view.dominated.is_empty() {
        return;
    }
    for (kind, &pieces) in view.own_by_kind.iter() {
        let pieces = pieces & view.dominated;
        if pieces.is_empty() {
            continue;
        }
        let class = view.class(kind).index();
        for (half, squares) in [HOME_HALF, !HOME_HALF].into_iter().enumerate() {
            let frozen = (pieces & view.frozen & squares).len() as Score;
            let mobile = (pieces & !view.frozen & squares).len() as Score;
            acc.add(FROZEN, class * 2 + half, frozen * UNIT);
            acc.add(DOMINATED, class * 2 + half, mobile * UNIT);
        }
    }
}
