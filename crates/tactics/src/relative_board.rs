//! The board from the point of view of the side to move, as plain bit planes.

use surus_rules::{Board, PieceKind, Side};

pub(crate) const TRAPS: u64 = 1 << 18 | 1 << 21 | 1 << 42 | 1 << 45;
pub(crate) const GOAL: u64 = 0xff << 56;
const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

#[inline]
pub(crate) const fn east(set: u64) -> u64 {
    (set & !FILE_H) << 1
}

#[inline]
pub(crate) const fn west(set: u64) -> u64 {
    (set & !FILE_A) >> 1
}

/// The neighbours of a set.
#[inline]
pub(crate) const fn neighbours(set: u64) -> u64 {
    set << 8 | set >> 8 | east(set) | west(set)
}

/// A set and its neighbours.
#[inline]
pub(crate) const fn with_neighbours(set: u64) -> u64 {
    set | neighbours(set)
}

/// The squares to which rabbits on a set can step.
#[inline]
pub(crate) const fn rabbit_targets(set: u64) -> u64 {
    set << 8 | east(set) | west(set)
}

/// The lowest square of a set; empty for the empty set.
#[inline]
pub(crate) const fn lowest(set: u64) -> u64 {
    set & set.wrapping_neg()
}

/// Calls `visit` with every square of a set until a call returns true; returns whether one did.
#[inline]
pub(crate) fn any(mut set: u64, mut visit: impl FnMut(u64) -> bool) -> bool {
    while set != 0 {
        let square = lowest(set);
        set ^= square;
        if visit(square) {
            return true;
        }
    }
    false
}

/// The pieces on the squares. `own` is the side to move; its rabbits move north, so silver's boards are flipped. Three
/// planes hold the strength of every piece, as in [`Board`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RelativeBoard {
    pub(crate) own: u64,
    pub(crate) enemy: u64,
    pub(crate) low: u64,
    pub(crate) middle: u64,
    pub(crate) high: u64,
}

impl RelativeBoard {
    pub(crate) fn new(board: &Board, side: Side) -> Self {
        let kind = |kind| board.by_kind(kind).0;
        let relative = Self {
            own: board.by_side(side).0,
            enemy: board.by_side(side.other()).0,
            low: kind(PieceKind::Rabbit) | kind(PieceKind::Dog) | kind(PieceKind::Camel),
            middle: kind(PieceKind::Cat) | kind(PieceKind::Dog) | kind(PieceKind::Elephant),
            high: kind(PieceKind::Horse) | kind(PieceKind::Camel) | kind(PieceKind::Elephant),
        };
        match side {
            Side::Gold => relative,
            Side::Silver => Self {
                own: relative.own.swap_bytes(),
                enemy: relative.enemy.swap_bytes(),
                low: relative.low.swap_bytes(),
                middle: relative.middle.swap_bytes(),
                high: relative.high.swap_bytes(),
            },
        }
    }

    #[inline]
    pub(crate) const fn empty(&self) -> u64 {
        !(self.own | self.enemy)
    }

    /// All pieces except rabbits.
    #[inline]
    pub(crate) const fn officers(&self) -> u64 {
        self.middle | self.high
    }

    #[inline]
    pub(crate) const fn rabbits(&self) -> u64 {
        self.own & !self.officers()
    }

    #[inline]
    pub(crate) const fn enemy_rabbits(&self) -> u64 {
        self.enemy & !self.officers()
    }

    #[inline]
    fn shift_piece(&mut self, from: u64, both: u64) {
        for plane in [&mut self.low, &mut self.middle, &mut self.high] {
            let mask = u64::from(*plane & from != 0).wrapping_neg();
            *plane ^= both & mask;
        }
    }

    #[inline]
    fn remove(&mut self, dead: u64) {
        self.low &= !dead;
        self.middle &= !dead;
        self.high &= !dead;
    }

    /// The board after a step of an own piece and the capture of an own piece that it causes.
    #[inline]
    #[must_use]
    pub(crate) fn after_own_step(&self, from: u64, to: u64) -> Self {
        let mut next = *self;
        next.own ^= from | to;
        next.shift_piece(from, from | to);
        let dead = next.own & TRAPS & !neighbours(next.own);
        next.own &= !dead;
        next.remove(dead);
        next
    }

    /// The board after a displacement of an enemy piece and the capture of an enemy piece that it causes.
    #[inline]
    #[must_use]
    pub(crate) fn after_enemy_step(&self, from: u64, to: u64) -> Self {
        let mut next = *self;
        next.enemy ^= from | to;
        next.shift_piece(from, from | to);
        let dead = next.enemy & TRAPS & !neighbours(next.enemy);
        next.enemy &= !dead;
        next.remove(dead);
        next
    }

    /// The pieces of `weak` next to a stronger piece of `strong`.
    #[inline]
    pub(crate) fn outranked(&self, weak: u64, strong: u64) -> u64 {
        let [low, middle, high] = [self.low & strong, self.middle & strong, self.high & strong];
        let own = [self.low, self.middle, self.high];
        let found = greater([low << 8, middle << 8, high << 8], own)
            | greater([low >> 8, middle >> 8, high >> 8], own)
            | greater([low, middle, high].map(east), own)
            | greater([low, middle, high].map(west), own);
        found & weak
    }

    /// The pieces that are stronger than the one on a square.
    #[inline]
    pub(crate) fn stronger_than(&self, square: u64) -> u64 {
        let bits =
            [self.low, self.middle, self.high].map(|plane| u64::from(plane & square != 0).wrapping_neg());
        greater([self.low, self.middle, self.high], bits)
    }

    /// The own pieces that are not frozen.
    #[inline]
    pub(crate) fn mobile(&self) -> u64 {
        let alone = self.own & !neighbours(self.own);
        if alone & neighbours(self.enemy & self.officers()) == 0 {
            return self.own;
        }
        self.own & !self.outranked(alone, self.enemy)
    }

    /// The enemy pieces that are not frozen.
    #[inline]
    pub(crate) fn enemy_mobile(&self) -> u64 {
        self.enemy & !self.outranked(self.enemy & !neighbours(self.enemy), self.own)
    }

    /// The squares to which an own piece can step if it is not frozen.
    #[inline]
    pub(crate) const fn step_targets(&self, from: u64) -> u64 {
        let targets = if from & self.officers() == 0 { rabbit_targets(from) } else { neighbours(from) };
        targets & self.empty()
    }
}

/// The squares where the number in the first three planes is greater than that in the second three.
#[inline]
fn greater(a: [u64; 3], b: [u64; 3]) -> u64 {
    let carry = a[0] & !b[0];
    let carry = a[1] & !b[1] | carry & (a[1] | !b[1]);
    a[2] & !b[2] | carry & (a[2] | !b[2])
}
