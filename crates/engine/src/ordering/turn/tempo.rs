//! What the turn used, whether it can be undone, and how it relates to the last turns.

use surus_rules::Side;

use super::super::history::History;
use super::super::view::{RABBIT, View, neighbours, squares};
use super::groups::{NEAR_LAST_TURN, PIECES_MOVED, REVERSIBILITY, STEPS, UNDOING};
use super::{Change, Sink};

/// The squares of the last turns.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct LastTurns {
    /// For each distance up to 7, the squares within it of a square that the opponent's last turn changed, and of one that
    /// the mover's last turn changed; empty if the turn is unknown.
    zones: [[u64; 8]; 2],
    /// The squares that own pieces left in the mover's last turn, by kind.
    left: [u64; 6],
    /// The squares onto which the opponent displaced own pieces.
    displaced: u64,
}

impl LastTurns {
    pub(super) fn new(start: &View, side: Side, history: &History) -> Self {
        let [opponent, own] = [history.before_opponent, history.before_own]
            .map(|board| board.map(|board| View::new(&board, side)));
        let mut last = Self::default();
        if let Some(before) = &opponent {
            last.zones[0] = zones(changed(before, start));
            last.displaced = (0..6).fold(0, |all, kind| all | start.planes[kind] & !before.planes[kind]);
            if let Some(first) = &own {
                last.zones[1] = zones(changed(first, before));
                last.left = std::array::from_fn(|kind| first.planes[kind] & !before.planes[kind]);
            }
        }
        last
    }
}

fn changed(before: &View, after: &View) -> u64 {
    (0..12).fold(0, |all, piece| all | (before.planes[piece] ^ after.planes[piece]))
}

/// The squares within each distance of a set.
fn zones(set: u64) -> [u64; 8] {
    let mut zone = set;
    std::array::from_fn(|_| {
        let this = zone;
        zone |= neighbours(zone);
        this
    })
}

pub(super) fn add(change: &Change<'_>, sink: &mut Sink<'_>) {
    let kinds = (0..6).filter(|&kind| change.left[kind] != 0).fold(0, |mask, kind| mask | 1 << kind);
    let pieces: u32 = change.left[..6].iter().map(|left| left.count_ones()).sum();
    sink.add(PIECES_MOVED, 4 * kinds + change.steps - 1);
    sink.add(STEPS, 4 * pieces.min(4) as usize + change.steps - 1);
    sink.add(REVERSIBILITY, reversibility(change));
    let last = &change.context.last_turns;
    let touched = (0..12).fold(0, |all, piece| all | change.left[piece] | change.arrived[piece]);
    for (turn, zones) in last.zones.iter().enumerate() {
        if zones[0] != 0 {
            let near = zones.iter().position(|zone| zone & touched != 0).unwrap_or(7);
            sink.add(NEAR_LAST_TURN, 8 * turn + near);
        }
    }
    for kind in 0..6 {
        if change.arrived[kind] & last.left[kind] != 0 {
            sink.add(UNDOING, kind);
        }
        if squares(change.left[kind] & last.displaced).next().is_some() {
            sink.add(UNDOING, 6 + kind);
        }
    }
}

/// 0 if the mover could take the turn back, else the reason why not.
fn reversibility(change: &Change<'_>) -> usize {
    let captured = (0..12).any(|piece| change.left[piece].count_ones() != change.arrived[piece].count_ones());
    let displaced = change.left[6..].iter().any(|&left| left != 0);
    let rabbit_gained = change.ranks_gained(RABBIT).is_some_and(|ranks| ranks > 0);
    match (captured, displaced, rabbit_gained) {
        (true, ..) => 3,
        (_, true, _) => 2,
        (_, _, true) => 1,
        _ => 0,
    }
}
