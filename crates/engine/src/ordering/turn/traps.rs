//! Traps and freezing.

use super::super::view::{TRAP_SQUARES, TRAPS, View, folded, neighbours, squares};
use super::groups::{DOMINATED, FREEZING, FREEZING_SQUARE, MOBILITY, ON_TRAP, TRAP_GUARDS, TRAP_STATUS};
use super::{Change, Sink, change_index};

pub(super) fn add(change: &Change<'_>, sink: &mut Sink<'_>) {
    let (before, after) = (change.before, &change.after);
    let changed = (before.own ^ after.own) | (before.enemy ^ after.enemy) | swapped(change);
    if neighbours(TRAPS) & changed != 0 {
        (0..4).for_each(|trap| add_trap(trap, before, after, sink));
    }
    add_arrivals(change, sink);
    for side in 0..2 {
        add_freezing(change, side, sink);
        let free = |view: &View| (view.side(side) & !view.frozen[side]).count_ones() as i32;
        let gained = free(after) - free(before);
        if gained != 0 {
            sink.add(MOBILITY, 9 * side + change_index(gained));
        }
    }
}

/// Squares on which another piece of the same side stands than before.
fn swapped(change: &Change<'_>) -> u64 {
    change.left.iter().fold(0, |all, left| all | left)
}

fn add_trap(trap: usize, before: &View, after: &View, sink: &mut Sink<'_>) {
    let half = trap / 2;
    let around = neighbours(1 << TRAP_SQUARES[trap]);
    for side in 0..2 {
        let [old, new] = [before, after].map(|view| view.trap_status(trap, side));
        if old != new {
            sink.add(TRAP_STATUS, 64 * (2 * half + side) + 8 * old + new);
        }
    }
    let guards = |view: &View| [view.own, view.enemy].map(|pieces| (pieces & around).count_ones() as usize);
    let [own, enemy] = guards(after);
    if guards(before) != [own, enemy] {
        sink.add(TRAP_GUARDS, 25 * half + 5 * own + enemy);
    }
}

fn add_arrivals(change: &Change<'_>, sink: &mut Sink<'_>) {
    for kind in 0..6 {
        for square in squares(change.arrived[kind] & TRAPS) {
            let friends = (neighbours(1 << square) & change.after.own).count_ones() as usize;
            let half = square / 32;
            sink.add(ON_TRAP, 3 * (6 * half + kind) + friends.clamp(1, 3) - 1);
        }
    }
}

/// Pieces of a side that were frozen or thawed, and whether more or fewer of a kind are dominated.
fn add_freezing(change: &Change<'_>, side: usize, sink: &mut Sink<'_>) {
    let (before, after) = (change.before, &change.after);
    let frozen = after.frozen[side] & !before.frozen[side];
    let thawed = before.frozen[side] & !after.frozen[side] & after.side(side);
    for (set, event) in [(frozen, 2 * side), (thawed, 2 * side + 1)] {
        for square in squares(set) {
            sink.add(FREEZING, 6 * event + after.piece_at(square) % 6);
            sink.add(FREEZING_SQUARE, 32 * event + folded(square));
        }
    }
    if before.dominated[side] == after.dominated[side] && swapped(change) & before.dominated[side] == 0 {
        return;
    }
    for kind in 0..6 {
        let count = |view: &View| (view.dominated[side] & view.planes[kind + 6 * side]).count_ones();
        let (old, new) = (count(before), count(after));
        if old != new {
            sink.add(DOMINATED, 2 * (6 * side + kind) + usize::from(old < new));
        }
    }
}
