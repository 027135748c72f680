//! What each piece adds by itself: material, its place, whether it is pressed or frozen.

use surus_rules::Squares;

use super::perspective::{RABBIT, View, folded};
use super::term::{Tally, WHOLE};
use super::terms::*;
use crate::common::score::Score;

/// HarLog's shape: officers by the number of stronger enemies, rabbits and all pieces by how many are left.
pub(crate) fn material(view: &View, tally: &mut impl Tally) {
    for kind in 1..6 {
        let count = view.own[kind].len() as Score;
        tally.add(OFFICERS, view.above[kind].min(8) as usize, count * WHOLE);
    }
    tally.one(RABBITS_LEFT, view.own[0].len().min(8) as usize);
    tally.one(PIECES_LEFT, view.mine.len().min(16) as usize);
}

/// Where the pieces stand.
pub(crate) fn places(view: &View, tally: &mut impl Tally) {
    for kind in 1..6 {
        let class = view.class(kind);
        for square in view.own[kind] {
            tally.one(PLACES, class * 32 + folded(square));
        }
    }
    // Rabbits belong at home while there is an army to stop them, and forward when it is gone.
    let officers = (view.theirs & !view.foe[0]).len().min(8) as Score;
    for square in view.own[0] {
        tally.add(RABBITS_EARLY, folded(square), officers);
        tally.add(RABBITS_LATE, folded(square), WHOLE - officers);
    }
}

/// Pieces next to stronger enemies, with and without help.
pub(crate) fn pressed(view: &View, tally: &mut impl Tally) {
    if view.pressed.is_empty() {
        return;
    }
    for kind in 0..6 {
        let pieces = view.own[kind] & view.pressed;
        if pieces.is_empty() {
            continue;
        }
        let class = if kind == 0 { RABBIT } else { view.class(kind) };
        let halves = [HOME_HALF, !HOME_HALF];
        for (half, squares) in halves.into_iter().enumerate() {
            let frozen = (pieces & view.frozen & squares).len() as Score;
            let helped = (pieces & !view.frozen & squares).len() as Score;
            tally.add(FROZEN, class * 2 + half, frozen * WHOLE);
            tally.add(PRESSED, class * 2 + half, helped * WHOLE);
        }
    }
}

pub(crate) const HOME_HALF: Squares = Squares(0xffff_ffff);
