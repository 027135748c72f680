//! Traps: who guards them, who rules around them, and who is in danger near them.

use surus_rules::{Square, Squares};

use super::perspective::{AROUND, CLASSES, NEAR_TRAPS, NEAREST_TRAP, TRAPS, View, distance};
use super::term::{Tally, WHOLE};
use super::terms::*;

/// Guards of both sides around the own traps, and the best own guard of every trap.
///
/// The other two traps are the other side's own ones, which its half of the evaluation looks at.
pub(crate) fn guards(view: &View, tally: &mut impl Tally) {
    for around in [AROUND[0], AROUND[1]] {
        let (own, foe) = ((view.mine & around).len(), (view.theirs & around).len());
        tally.one(GUARDS, (own * 5 + foe) as usize);
    }
    for (trap, around) in AROUND.into_iter().enumerate() {
        let best = (1..6).rev().find(|&kind| !(view.own[kind] & around & !view.frozen).is_empty());
        let class = best.map_or(CLASSES - 1, |kind| view.class(kind));
        tally.one(BEST_GUARD, trap / 2 * CLASSES + class);
    }
}

/// How much a piece of each class counts around a trap, and by its distance from it: fixed shapes, whose sum is judged
/// by the term [`CONTROL`].
const STRENGTH: [i32; CLASSES] = [24, 18, 14, 10, 8, 4];
const BY_DISTANCE: [i32; 6] = [10, 12, 7, 3, 1, 0];

/// For each square what a piece there counts at the four traps, side by side in 16 bits each.
const REACH: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut trap = 0;
        while trap < 4 {
            let at = TRAPS[trap] as usize;
            let steps = (at % 8).abs_diff(square % 8) + (at / 8).abs_diff(square / 8);
            table[square] |= (BY_DISTANCE[if steps < 5 { steps } else { 5 }] as u64) << (16 * trap);
            trap += 1;
        }
        square += 1;
    }
    table
};

/// What the pieces of a side count around the four traps.
fn influence(pieces: &[Squares; 6], frozen: Squares, class: impl Fn(usize) -> usize) -> [i32; 4] {
    let mut sum = 0_u64;
    for (kind, &all) in pieces.iter().enumerate() {
        let strength = STRENGTH[class(kind)] as u64;
        let half = strength / 2;
        let (mut whole, mut part) = (0, 0);
        for square in all {
            if frozen.contains(square) {
                part += REACH[square.index()];
            } else {
                whole += REACH[square.index()];
            }
        }
        sum += strength * whole + half * part;
    }
    std::array::from_fn(|trap| (sum >> (16 * trap) & 0xffff) as i32)
}

/// Steps between two entries of [`CONTROL`], and the entry of an even balance.
const SPACING: i32 = 128;
const EVEN: i32 = 8;

/// Who rules around each of the own traps.
pub(crate) fn control(view: &View, tally: &mut impl Tally) {
    let own = influence(&view.own, view.frozen, |kind| view.class(kind));
    let foe = influence(&view.foe, view.foe_frozen, |kind| view.foe_class(kind));
    for trap in 0..2 {
        let at = (own[trap] - foe[trap] + EVEN * SPACING).clamp(0, 2 * EVEN * SPACING - 1);
        let (entry, part) = ((at / SPACING) as usize, at % SPACING * WHOLE / SPACING);
        tally.add(CONTROL, entry, WHOLE - part);
        tally.add(CONTROL, entry + 1, part);
    }
}

/// Own pieces that a stronger enemy holds near a trap: hostages, and what is about to be captured.
pub(crate) fn held(view: &View, tally: &mut impl Tally) {
    for square in view.pressed {
        let (trap, steps) = NEAREST_TRAP[square.index()];
        if 3 < steps {
            continue;
        }
        let others = view.mine & !Squares::from(square);
        let guards = (AROUND[trap as usize] & others).len().min(2) as usize;
        let entry = (view.class(view.kind_at(square)) * 4 + steps as usize) * 3 + guards;
        tally.one(if trap < 2 { HELD_HOME } else { HELD_AWAY }, entry);
    }
}

/// Own pieces near a trap that a stronger enemy can reach in one step, though it is not there yet.
pub(crate) fn stalked(view: &View, tally: &mut impl Tally) {
    let free = view.theirs & !view.foe_frozen;
    for kind in 0..6 {
        let hunters = view.stronger_foes(kind) & free;
        let reach = hunters.neighbours() & view.empty;
        let prey = view.own[kind] & !view.pressed & reach.neighbours() & NEAR_TRAPS;
        for square in prey {
            let (trap, steps) = NEAREST_TRAP[square.index()];
            let others = view.mine & !Squares::from(square);
            let guards = (AROUND[trap as usize] & others).len().min(2) as usize;
            tally.one(STALKED, (view.class(kind) * 3 + steps as usize) * 3 + guards);
        }
    }
}

/// Own pieces on a trap that live by one guard alone, and that guard, while an enemy is next to the trap.
pub(crate) fn frames(view: &View, tally: &mut impl Tally) {
    for square in view.mine & Squares::TRAPS {
        let around = Squares::from(square).neighbours();
        if (around & view.theirs).is_empty() {
            continue;
        }
        let guards = around & view.mine;
        if guards.len() == 1 {
            tally.one(FRAMED, view.class(view.kind_at(square)));
            if let Some(guard) = guards.first() {
                tally.one(PINNED, view.class(view.kind_at(guard)));
            }
        }
    }
}

/// Steps from the strongest own officer that is free to go to each trap of the other side.
pub(crate) fn attack(view: &View, tally: &mut impl Tally) {
    let Some(kind) = (1..6).rev().find(|&kind| !(view.own[kind] & view.free).is_empty()) else { return };
    for trap in [TRAPS[2], TRAPS[3]] {
        let Some(trap) = Square::new(trap) else { continue };
        let steps =
            (view.own[kind] & view.free).into_iter().map(|from| distance(from, trap)).min().unwrap_or(8);
        tally.one(ATTACK, steps.min(8));
    }
}
