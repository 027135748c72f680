//! Distances in steps, and the traps as a side sees them.

use surus_rules::{Bitboard, Square};

/// A trap from the perspective of a side: its own two, then the opponent's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trap {
    HomeWest,
    HomeEast,
    AwayWest,
    AwayEast,
}

impl Trap {
    pub(crate) const ALL: [Self; 4] = [Self::HomeWest, Self::HomeEast, Self::AwayWest, Self::AwayEast];
    pub(crate) const HOME: [Self; 2] = [Self::HomeWest, Self::HomeEast];
    pub(crate) const AWAY: [Self; 2] = [Self::AwayWest, Self::AwayEast];

    /// The index of its square: c3, f3, c6 or f6.
    pub(crate) const fn square_index(self) -> usize {
        [18, 21, 42, 45][self as usize]
    }

    /// The squares next to it.
    #[inline]
    pub(crate) const fn neighbours(self) -> Bitboard {
        TRAP_NEIGHBOURS[self as usize]
    }

    #[inline]
    pub(crate) const fn is_home(self) -> bool {
        matches!(self, Self::HomeWest | Self::HomeEast)
    }
}

const TRAP_NEIGHBOURS: [Bitboard; 4] = {
    let mut all = [Bitboard::EMPTY; 4];
    let mut i = 0;
    while i < 4 {
        all[i] = Bitboard(1 << Trap::ALL[i].square_index()).neighbours();
        i += 1;
    }
    all
};

/// Distances that a table has entries for; larger ones use the last entry.
pub(crate) const MAX_DISTANCE: usize = 8;

/// Steps between the squares of two indices.
#[inline]
const fn index_distance(a: usize, b: usize) -> usize {
    (a % 8).abs_diff(b % 8) + (a / 8).abs_diff(b / 8)
}

/// Steps between two squares, at most [`MAX_DISTANCE`].
#[inline]
pub(crate) fn distance(a: Square, b: Square) -> usize {
    index_distance(a.index(), b.index()).min(MAX_DISTANCE)
}

/// Steps from a square to the nearest square of a set, at most [`MAX_DISTANCE`], also if the set is empty.
#[inline]
pub(crate) fn nearest(square: Square, set: Bitboard) -> usize {
    set.into_iter().map(|other| distance(square, other)).min().unwrap_or(MAX_DISTANCE)
}

/// Steps from each square to a trap.
#[inline]
pub(crate) const fn trap_distance(square_index: usize, trap: Trap) -> usize {
    index_distance(square_index, trap.square_index())
}

/// Steps from a trap to the nearest square of a set, at most [`MAX_DISTANCE`], also if the set is empty.
#[inline]
pub(crate) fn nearest_to_trap(trap: Trap, set: Bitboard) -> usize {
    let steps = set.into_iter().map(|square| trap_distance(square.index(), trap)).min();
    steps.map_or(MAX_DISTANCE, |steps| steps.min(MAX_DISTANCE))
}

/// The nearest trap of each square (it is always unique) and its distance.
const NEAREST_TRAP: [(Trap, u8); 64] = {
    let mut table = [(Trap::HomeWest, 0); 64];
    let mut square = 0;
    while square < 64 {
        let (mut best, mut i) = ((Trap::HomeWest, usize::MAX), 0);
        while i < 4 {
            let steps = trap_distance(square, Trap::ALL[i]);
            if steps < best.1 {
                best = (Trap::ALL[i], steps);
            }
            i += 1;
        }
        table[square] = (best.0, best.1 as u8);
        square += 1;
    }
    table
};

/// The nearest trap of a square and its distance in steps.
#[inline]
pub(crate) fn nearest_trap(square: Square) -> (Trap, usize) {
    let (trap, steps) = NEAREST_TRAP[square.index()];
    (trap, usize::from(steps))
}

/// The squares at most two steps from a trap.
pub(crate) const NEAR_TRAPS: Bitboard = {
    let mut near = 0;
    let mut square = 0;
    while square < 64 {
        if NEAREST_TRAP[square].1 <= 2 {
            near |= 1 << square;
        }
        square += 1;
    }
    Bitboard(near)
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traps_are_those_of_the_rules() {
        let squares = Trap::ALL.iter().fold(0, |set, trap| set | 1_u64 << trap.square_index());
        assert_eq!(Bitboard(squares), Bitboard::TRAPS);
        assert!(
            Trap::HOME.iter().all(|trap| trap.is_home()) && !Trap::AWAY.iter().any(|trap| trap.is_home())
        );
    }

    #[test]
    fn distances_are_counted_in_steps() {
        let square = |name: &str| name.parse::<Square>().unwrap();
        assert_eq!(distance(square("a1"), square("c3")), 4);
        assert_eq!(distance(square("a1"), square("h8")), MAX_DISTANCE);
        assert_eq!(nearest(square("d4"), Bitboard::EMPTY), MAX_DISTANCE);
        assert_eq!(nearest_trap(square("g7")), (Trap::AwayEast, 2));
        assert_eq!(nearest_to_trap(Trap::HomeWest, Bitboard::from(square("d4")) | square("c2").into()), 1);
    }
}
