//! Terms of officers: elephant mobility, distances to stronger enemies, wings, the strongest free officers.

use surus_rules::{Bitboard, PieceKind};

use super::distance::{distance, nearest};
use super::perspective::{Perspective, PieceClass, half_index};
use super::term::Accumulator;
use super::terms::*;
use crate::common::by_kind::{ByKind, OFFICERS};

/// How far the elephant gets, what a blockade costs, and its distance to the camel.
pub(crate) fn elephant_mobility(view: &Perspective, acc: &mut impl Accumulator) {
    let elephant = view.own_by_kind[PieceKind::Elephant];
    let Some(square) = elephant.first() else { return };
    // An enemy can be pushed away if there is room behind it; own pieces are in the way.
    let weaker = view.enemies & !view.enemy_by_kind[PieceKind::Elephant];
    let passable = view.empty | weaker & view.empty.neighbours();
    let mut reached = elephant;
    for _ in 0..3 {
        reached = reached | reached.neighbours() & passable;
    }
    acc.add_unit(ELEPHANT_MOBILITY, ((reached.len() - 1) as usize).min(24) / 2);
    let exits = (elephant.neighbours() & passable).len() as usize;
    if exits < 2 {
        acc.add_unit(ELEPHANT_BLOCKADE, exits * 8 + usize::from(square.rank()));
    }
    let Some(camel) = view.own_by_kind[PieceKind::Camel].first() else { return };
    acc.add_unit(ELEPHANT_CAMEL_DISTANCE, distance(square, camel));
}

/// How near the pieces of the second and third class are to stronger enemies.
pub(crate) fn distances(view: &Perspective, acc: &mut impl Accumulator) {
    for kind in [PieceKind::Cat, PieceKind::Dog, PieceKind::Horse, PieceKind::Camel] {
        let term = match view.class(kind) {
            PieceClass::Second => SECOND_CLASS_DISTANCE,
            PieceClass::Third => THIRD_CLASS_DISTANCE,
            _ => continue,
        };
        let stronger = view.enemies_stronger_than(kind);
        for square in view.own_by_kind[kind] {
            acc.add_unit(term, half_index(square) * 9 + nearest(square, stronger));
        }
    }
}

/// The left and the right wing.
const WINGS: [Bitboard; 2] = [Bitboard(0x0f0f_0f0f_0f0f_0f0f), Bitboard(0xf0f0_f0f0_f0f0_f0f0)];

/// The strongest officers of each wing, elephants aside, where the elephants are, and the balance between the wings.
pub(crate) fn wings(view: &Perspective, acc: &mut impl Accumulator) {
    for wing in WINGS {
        let strongest = |pieces: &ByKind<Bitboard>| {
            let kinds = [PieceKind::Camel, PieceKind::Horse, PieceKind::Dog, PieceKind::Cat];
            kinds.into_iter().find(|&kind| !(pieces[kind] & wing).is_empty())
        };
        let order = match strongest(&view.own_by_kind).cmp(&strongest(&view.enemy_by_kind)) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => 2,
        };
        let elephant =
            |pieces: &ByKind<Bitboard>| usize::from(!(pieces[PieceKind::Elephant] & wing).is_empty());
        let elephants = elephant(&view.own_by_kind) * 2 + elephant(&view.enemy_by_kind);
        acc.add_unit(WING_BALANCE, order * 4 + elephants);
    }
    let officers = view.own & !view.own_by_kind[PieceKind::Rabbit];
    let [left, right] = WINGS.map(|wing| (officers & wing).len());
    acc.add_unit(WING_IMBALANCE, left.abs_diff(right).min(8) as usize);
}

/// Whether the strongest free officer outranks the opponent's, and likewise the second and the third.
pub(crate) fn strongest_free(view: &Perspective, acc: &mut impl Accumulator) {
    let mut tier = 0;
    let (mut own, mut enemies) = (0, 0);
    for kind in OFFICERS.into_iter().rev() {
        own += (view.own_by_kind[kind] & view.free).len();
        enemies += (view.enemy_by_kind[kind] & view.enemy_free).len();
        // A tier that only one side has filled with this kind or a stronger one is won by that side.
        while tier < 3 && (own > tier || enemies > tier) {
            if own > tier && enemies <= tier {
                acc.add_unit(FREE_OFFICERS, tier as usize);
            }
            tier += 1;
        }
        if tier == 3 {
            break;
        }
    }
}
