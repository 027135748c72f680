//! Distances between strong pieces and to traps.

use super::super::view::{AWAY_TRAPS, CAMEL, ELEPHANT, HOME_TRAPS, HORSE, View, distance, squares};
use super::groups::{DISTANCE, MAX_DISTANCE};
use super::{Change, Sink};

/// The measured pairs by name, in the order of `ENDS`.
pub(super) const PAIRS: [&str; 19] = [
    "elephant to enemy elephant",
    "elephant to enemy camel",
    "elephant to enemy horse",
    "elephant to enemy dog",
    "camel to enemy elephant",
    "camel to enemy camel",
    "camel to enemy horse",
    "horse to enemy elephant",
    "horse to enemy camel",
    "horse to enemy horse",
    "dog to enemy horse",
    "elephant to home trap",
    "elephant to away trap",
    "camel to home trap",
    "camel to away trap",
    "horse to home trap",
    "horse to away trap",
    "enemy camel to home trap",
    "enemy horse to home trap",
];

const HOME: usize = 12;
const AWAY: usize = 13;
const DOG: usize = 2;

/// The pieces at both ends of each pair: planes of a view, or traps.
const ENDS: [(usize, usize); PAIRS.len()] = [
    (ELEPHANT, ELEPHANT + 6),
    (ELEPHANT, CAMEL + 6),
    (ELEPHANT, HORSE + 6),
    (ELEPHANT, DOG + 6),
    (CAMEL, ELEPHANT + 6),
    (CAMEL, CAMEL + 6),
    (CAMEL, HORSE + 6),
    (HORSE, ELEPHANT + 6),
    (HORSE, CAMEL + 6),
    (HORSE, HORSE + 6),
    (DOG, HORSE + 6),
    (ELEPHANT, HOME),
    (ELEPHANT, AWAY),
    (CAMEL, HOME),
    (CAMEL, AWAY),
    (HORSE, HOME),
    (HORSE, AWAY),
    (CAMEL + 6, HOME),
    (HORSE + 6, HOME),
];

/// No distance, because a piece is missing.
const NONE: u8 = u8::MAX;

/// The distances of all pairs.
pub(super) fn all(view: &View) -> [u8; PAIRS.len()] {
    ENDS.map(|(from, to)| smallest(set(view, from), set(view, to)))
}

pub(super) fn add(change: &Change<'_>, sink: &mut Sink<'_>) {
    let moved = |end: usize| end < HOME && (change.left[end] | change.arrived[end]) != 0;
    for (pair, &(from, to)) in ENDS.iter().enumerate() {
        if !moved(from) && !moved(to) {
            continue;
        }
        let old = change.context.distances[pair];
        let new = smallest(set(&change.after, from), set(&change.after, to));
        if old != new && old != NONE && new != NONE {
            sink.add(DISTANCE, 64 * pair + 8 * usize::from(old) + usize::from(new));
        }
    }
}

#[inline]
fn set(view: &View, end: usize) -> u64 {
    match end {
        HOME => HOME_TRAPS,
        AWAY => AWAY_TRAPS,
        piece => view.planes[piece],
    }
}

/// The smallest distance between two sets, at most [`MAX_DISTANCE`].
#[inline]
fn smallest(from: u64, to: u64) -> u8 {
    let pairs = squares(from).flat_map(|a| squares(to).map(move |b| distance(a, b)));
    pairs.min().map_or(NONE, |steps| steps.min(MAX_DISTANCE) as u8)
}
