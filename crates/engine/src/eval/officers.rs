//! Officers among each other: the elephant's freedom, distances from stronger enemies, wings, the strongest free ones.

use surus_rules::Squares;

use super::perspective::{View, distance, nearest};
use super::pieces::HOME_HALF;
use super::term::Tally;
use super::terms::*;

const ELEPHANT: usize = 5;
const CAMEL: usize = 4;

/// How far the elephant gets, and what it costs when it gets nowhere.
pub(crate) fn mobility(view: &View, tally: &mut impl Tally) {
    let elephant = view.own[ELEPHANT];
    let Some(square) = elephant.first() else { return };
    // An enemy can be pushed away if there is room behind it; own pieces are in the way.
    let weaker = view.theirs & !view.foe[ELEPHANT];
    let passable = view.empty | weaker & view.empty.neighbours();
    let mut reached = elephant;
    for _ in 0..3 {
        reached = reached | reached.neighbours() & passable;
    }
    tally.one(MOBILITY, ((reached.len() - 1) as usize).min(24) / 2);
    let exits = (elephant.neighbours() & passable).len() as usize;
    if exits < 2 {
        tally.one(BLOCKADE, exits * 8 + square.index() / 8);
    }
    let Some(camel) = view.own[CAMEL].first() else { return };
    tally.one(TOGETHER, distance(square, camel).min(8));
}

/// How near the pieces of the second and third class are to enemies that are stronger.
pub(crate) fn distances(view: &View, tally: &mut impl Tally) {
    for kind in 1..5 {
        let class = view.class(kind);
        if !(1..=2).contains(&class) {
            continue;
        }
        let stronger = view.stronger_foes(kind);
        for square in view.own[kind] {
            let half = usize::from(!HOME_HALF.contains(square));
            let term = if class == 1 { SECOND_NEAR } else { THIRD_NEAR };
            tally.one(term, half * 9 + nearest(square, stronger));
        }
    }
}

/// The left and the right wing.
const WINGS: [Squares; 2] = [Squares(0x0f0f_0f0f_0f0f_0f0f), Squares(0xf0f0_f0f0_f0f0_f0f0)];

/// On each wing the strongest officers but for elephants, and where the elephants are.
pub(crate) fn wings(view: &View, tally: &mut impl Tally) {
    for wing in WINGS {
        let best =
            |pieces: &[Squares; 6]| (1..5).rev().find(|&kind| !(pieces[kind] & wing).is_empty()).unwrap_or(0);
        let (own, foe) = (best(&view.own), best(&view.foe));
        let order = match own.cmp(&foe) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => 2,
        };
        let here = |pieces: &[Squares; 6]| usize::from(!(pieces[ELEPHANT] & wing).is_empty());
        tally.one(WING, (order * 2 + here(&view.own)) * 2 + here(&view.foe));
    }
    let officers = view.mine & !view.own[0];
    let [left, right] = WINGS.map(|wing| (officers & wing).len());
    tally.one(LOPSIDED, left.abs_diff(right).min(8) as usize);
}

/// Whether the strongest own free pieces outrank the other side's, the first three one by one.
pub(crate) fn strongest_free(view: &View, tally: &mut impl Tally) {
    let mut tier = 0;
    let (mut mine, mut theirs) = (0, 0);
    for kind in (1..6).rev() {
        mine += (view.own[kind] & view.free).len();
        theirs += (view.foe[kind] & view.foe_free).len();
        // In a tier that only one side has filled with this kind or a stronger one, that side is ahead.
        while tier < 3 && (tier < mine || tier < theirs) {
            if tier < mine && theirs <= tier {
                tally.one(FREE, tier as usize);
            }
            tier += 1;
        }
        if tier == 3 {
            break;
        }
    }
}
