//! Where pieces went, and what was captured.

use super::super::view::{GOAL, RABBIT, folded, squares};
use super::groups::{
    ADVANCE, CAPTURE, DESTINATION, DISPLACEMENT, GOAL_REACHED, MOVEMENT, RABBIT_ADVANCE, RABBIT_SHIFT, SOURCE,
};
use super::{Change, Sink, change_index};

pub(super) fn add(change: &Change<'_>, sink: &mut Sink<'_>) {
    for piece in 0..12 {
        let (left, arrived) = (change.left[piece], change.arrived[piece]);
        if left == 0 {
            continue;
        }
        squares(left).for_each(|square| sink.add(SOURCE, 32 * piece + folded(square)));
        squares(arrived).for_each(|square| sink.add(DESTINATION, 32 * piece + folded(square)));
        let lost = left.count_ones().saturating_sub(arrived.count_ones());
        if lost > 0 {
            sink.add(CAPTURE, 2 * piece + lost.min(2) as usize - 1);
        }
        if let Some(ranks) = change.ranks_gained(piece) {
            add_ranks(piece, ranks, sink);
            if left.count_ones() == 1 {
                add_single(piece, left.trailing_zeros() as i32, arrived.trailing_zeros() as i32, sink);
            }
        }
    }
    if change.after.planes[RABBIT] & GOAL != 0 {
        sink.add(GOAL_REACHED, 0);
    }
    if change.after.planes[RABBIT + 6] & 0xff != 0 {
        sink.add(GOAL_REACHED, 1);
    }
}

fn add_ranks(piece: usize, ranks: i32, sink: &mut Sink<'_>) {
    if piece < 6 {
        sink.add(ADVANCE, 9 * piece + change_index(ranks));
    }
    if piece == RABBIT {
        sink.add(RABBIT_ADVANCE, ranks.clamp(0, 4) as usize);
    } else if piece == RABBIT + 6 {
        sink.add(RABBIT_SHIFT, change_index(ranks));
    }
}

/// The way of the only piece of its side and kind that moved.
fn add_single(piece: usize, from: i32, to: i32, sink: &mut Sink<'_>) {
    let (sideways, forward) = ((to % 8 - from % 8).unsigned_abs() as usize, to / 8 - from / 8);
    if piece < 6 {
        // Two pieces of a kind may have moved so that the second stands where the first was.
        sink.add(MOVEMENT, 45 * piece + 9 * sideways.min(4) + change_index(forward));
    } else {
        let forward = (forward.clamp(-2, 2) + 2) as usize;
        sink.add(DISPLACEMENT, 15 * (piece - 6) + 5 * sideways.min(2) + forward);
    }
}
