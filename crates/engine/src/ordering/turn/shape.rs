//! How pieces stand to each other: blocked rabbits, neighbours, loners, elephants without space.

use super::super::view::{ELEPHANT, RABBIT, View, east, neighbours, squares};
use super::groups::{ALONE, BLOCKING, ELEPHANT_FREEDOM, PHALANX};
use super::{Change, Sink, change_index};

pub(super) fn add(change: &Change<'_>, sink: &mut Sink<'_>) {
    let (before, after) = (change.before, &change.after);
    add_blocking(before, after, sink);
    if before.own != after.own {
        for (direction, shifted) in [east as fn(u64) -> u64, |set| set << 8].into_iter().enumerate() {
            let pairs = |view: &View| (view.own & shifted(view.own)).count_ones() as i32;
            let gained = pairs(after) - pairs(before);
            if gained != 0 {
                sink.add(PHALANX, 9 * direction + change_index(gained));
            }
        }
    }
    for kind in 0..6 {
        for square in squares(change.arrived[kind] & !neighbours(after.own)) {
            let dominated = after.dominated[0] >> square & 1;
            sink.add(ALONE, 2 * kind + dominated as usize);
        }
    }
    for side in 0..2 {
        if let (Some(old), Some(new)) = (freedom(before, side), freedom(after, side))
            && old != new
        {
            sink.add(ELEPHANT_FREEDOM, 25 * side + 5 * old + new);
        }
    }
}

/// Rabbits whose way forward was closed or opened.
fn add_blocking(before: &View, after: &View, sink: &mut Sink<'_>) {
    let ahead = |view: &View, enemy: bool| {
        let occupied = view.own | view.enemy;
        if enemy { view.planes[RABBIT + 6] & occupied << 8 } else { view.planes[RABBIT] & occupied >> 8 }
    };
    for (first, enemy) in [(0, true), (2, false)] {
        let rabbits = |view: &View| view.planes[if enemy { RABBIT + 6 } else { RABBIT }];
        let (old, new) = (ahead(before, enemy), ahead(after, enemy));
        let stayed = rabbits(before) & rabbits(after);
        for (event, set) in [(first, new & !old & stayed), (first + 1, old & !new & stayed)] {
            squares(set).for_each(|square| sink.add(BLOCKING, 8 * event + square / 8));
        }
    }
}

/// The empty squares around a side's elephant.
fn freedom(view: &View, side: usize) -> Option<usize> {
    let elephant = view.planes[ELEPHANT + 6 * side];
    let free = neighbours(elephant) & !(view.own | view.enemy);
    (elephant != 0).then(|| free.count_ones() as usize)
}
