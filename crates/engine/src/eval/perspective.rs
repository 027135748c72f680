//! A board from the perspective of one side: its home at the bottom, own pieces and enemies.

use surus_rules::{Bitboard, Board, PieceKind, Side, Square};

use super::distance::NEAR_TRAPS;
use crate::common::by_kind::ByKind;
use crate::common::material::{self, Counts};

/// What several terms need, computed once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Perspective {
    pub(crate) own_by_kind: ByKind<Bitboard>,
    pub(crate) enemy_by_kind: ByKind<Bitboard>,
    pub(crate) own: Bitboard,
    pub(crate) enemies: Bitboard,
    pub(crate) empty: Bitboard,
    /// Own pieces next to a stronger enemy.
    pub(crate) dominated: Bitboard,
    enemy_dominated: Bitboard,
    pub(crate) frozen: Bitboard,
    pub(crate) enemy_frozen: Bitboard,
    /// Own pieces that are neither frozen nor tied down.
    pub(crate) free: Bitboard,
    pub(crate) enemy_free: Bitboard,
    /// The number of enemies stronger than each own kind.
    pub(crate) stronger_enemies: Counts,
    stronger_own: Counts,
}

impl Perspective {
    pub(crate) fn from_gold(board: &Board) -> Self {
        let [own, enemies] = Side::BOTH.map(|side| board.by_side(side));
        let kinds = ByKind::from_fn(|kind| board.by_kind(kind));
        let (own_by_kind, enemy_by_kind) = (kinds.map(|kind| kind & own), kinds.map(|kind| kind & enemies));
        let [dominated, enemy_dominated] = Side::BOTH.map(|side| board.dominated(side));
        let frozen = dominated & !own.neighbours();
        let enemy_frozen = enemy_dominated & !enemies.neighbours();
        let tied = tied_down(&own_by_kind, own, &enemy_by_kind, enemies, enemy_dominated);
        let enemy_tied = tied_down(&enemy_by_kind, enemies, &own_by_kind, own, dominated);
        Self {
            own_by_kind,
            enemy_by_kind,
            own,
            enemies,
            empty: board.empty(),
            dominated,
            enemy_dominated,
            frozen,
            enemy_frozen,
            free: own & !frozen & !tied,
            enemy_free: enemies & !enemy_frozen & !enemy_tied,
            stronger_enemies: material::stronger(&enemy_by_kind.map(Bitboard::len)),
            stronger_own: material::stronger(&own_by_kind.map(Bitboard::len)),
        }
    }

    /// The same board from the other side's perspective.
    pub(crate) fn flipped(&self) -> Self {
        let flip = |squares: Bitboard| Bitboard(squares.0.swap_bytes());
        Self {
            own_by_kind: self.enemy_by_kind.map(flip),
            enemy_by_kind: self.own_by_kind.map(flip),
            own: flip(self.enemies),
            enemies: flip(self.own),
            empty: flip(self.empty),
            dominated: flip(self.enemy_dominated),
            enemy_dominated: flip(self.dominated),
            frozen: flip(self.enemy_frozen),
            enemy_frozen: flip(self.frozen),
            free: flip(self.enemy_free),
            enemy_free: flip(self.free),
            stronger_enemies: self.stronger_own,
            stronger_own: self.stronger_enemies,
        }
    }

    #[inline]
    pub(crate) fn class(&self, kind: PieceKind) -> PieceClass {
        PieceClass::new(kind, &self.stronger_enemies)
    }

    #[inline]
    pub(crate) fn enemy_class(&self, kind: PieceKind) -> PieceClass {
        PieceClass::new(kind, &self.stronger_own)
    }

    /// The class of the own piece on a square.
    #[inline]
    pub(crate) fn class_at(&self, square: Square) -> PieceClass {
        let mut kinds = self.own_by_kind.iter();
        let kind =
            kinds.find(|(_, pieces)| pieces.contains(square)).map_or(PieceKind::Rabbit, |(kind, _)| kind);
        self.class(kind)
    }

    /// The enemies that are stronger than a kind.
    #[inline]
    pub(crate) fn enemies_stronger_than(&self, kind: PieceKind) -> Bitboard {
        let stronger = self.enemy_by_kind.iter().filter(|&(other, _)| other > kind);
        stronger.fold(Bitboard::EMPTY, |all, (_, &pieces)| all | pieces)
    }
}

/// Own pieces that are tied down: they hold a hostage, are the only guard of a piece on a trap, or are that piece.
fn tied_down(
    own_by_kind: &ByKind<Bitboard>,
    own: Bitboard,
    enemy_by_kind: &ByKind<Bitboard>,
    enemies: Bitboard,
    enemy_dominated: Bitboard,
) -> Bitboard {
    let mut tied = Bitboard::EMPTY;
    for square in own & Bitboard::TRAPS {
        let around = Bitboard::from(square).neighbours();
        let guards = around & own;
        if guards.len() == 1 && !(around & enemies).is_empty() {
            tied = tied | guards | square.into();
        }
    }
    // Rabbits are not worth holding, and an elephant cannot be held.
    let mut stronger = own_by_kind[PieceKind::Elephant];
    for kind in [PieceKind::Camel, PieceKind::Horse, PieceKind::Dog, PieceKind::Cat] {
        tied |= (enemy_by_kind[kind] & enemy_dominated & NEAR_TRAPS).neighbours() & stronger;
        stronger |= own_by_kind[kind];
    }
    tied
}

/// The rank of a piece among those that can harm it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PieceClass {
    /// An officer without a stronger enemy.
    First,
    /// One stronger enemy.
    Second,
    /// Two or three.
    Third,
    /// Four or five.
    Fourth,
    /// Six or more.
    Fifth,
    Rabbit,
}

impl PieceClass {
    pub(crate) const COUNT: usize = 6;

    #[inline]
    fn new(kind: PieceKind, stronger: &Counts) -> Self {
        if kind == PieceKind::Rabbit {
            return Self::Rabbit;
        }
        match stronger[kind] {
            0 => Self::First,
            1 => Self::Second,
            2 | 3 => Self::Third,
            4 | 5 => Self::Fourth,
            _ => Self::Fifth,
        }
    }

    #[inline]
    pub(crate) const fn index(self) -> usize {
        self as usize
    }
}

/// The index of a square on the left half of the board, onto which the right half is mirrored: four per rank, from
/// the edge to the centre.
#[inline]
pub(crate) const fn half_board_index(square: Square) -> usize {
    let (rank, file) = (square.index() / 8, square.index() % 8);
    rank * 4 + if file < 4 { file } else { 7 - file }
}

/// The ranks of the own half.
pub(crate) const HOME_HALF: Bitboard = Bitboard(0xffff_ffff);

/// 0 in the own half, 1 in the enemy's.
#[inline]
pub(crate) fn half_index(square: Square) -> usize {
    usize::from(!HOME_HALF.contains(square))
}
