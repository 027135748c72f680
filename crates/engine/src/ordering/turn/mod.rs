//! Features of whole turns: what changed between the boards before and after.
//!
//! They depend on the two boards and the number of steps only, so that all orders of the same steps have the same
//! features. A mirrored turn of a mirrored board has the same features, too.

mod distances;
mod groups;
mod movement;
mod shape;
mod tempo;
mod threats;
mod traps;

use surus_rules::{Board, Side};

use super::history::History;
use super::rows::FeatureRows;
use super::view::View;
pub(super) use groups::{GROUPS, OFFSETS};
use threats::Threats;

/// What the features of all turns of a position have in common.
#[derive(Clone, Debug)]
pub struct TurnContext {
    side: Side,
    start: View,
    threats: Threats,
    distances: [u8; distances::PAIRS.len()],
    last_turns: tempo::LastTurns,
}

/// A turn while its features are collected.
struct Change<'a> {
    context: &'a TurnContext,
    before: &'a View,
    after: View,
    end: &'a Board,
    /// Squares that pieces left, and squares where pieces arrived, by piece.
    left: [u64; 12],
    arrived: [u64; 12],
    steps: usize,
}

/// Where the features go.
struct Sink<'a>(&'a mut FeatureRows);

impl Sink<'_> {
    /// Adds a feature of a group by its index there.
    #[inline]
    fn add(&mut self, group: usize, index: usize) {
        debug_assert!(index < GROUPS[group].len(), "{} has no feature {index}", GROUPS[group].name);
        self.0.add(usize::from(groups::STARTS[group]) + index);
    }
}

impl TurnContext {
    /// For the turns of a side from a board.
    #[must_use]
    pub fn new(board: &Board, side: Side, history: &History) -> Self {
        let start = View::new(board, side);
        Self {
            side,
            start,
            threats: Threats::new(board, side),
            distances: distances::all(&start),
            last_turns: tempo::LastTurns::new(&start, side, history),
        }
    }

    /// Adds a row with the features of the turn that leads to a board with this number of steps.
    pub fn extract(&self, end: &Board, steps: usize, rows: &mut FeatureRows) {
        let after = View::new(end, self.side);
        let mut change = Change {
            context: self,
            before: &self.start,
            after,
            end,
            left: [0; 12],
            arrived: [0; 12],
            steps: steps.clamp(1, 4),
        };
        for piece in 0..12 {
            let (old, new) = (self.start.planes[piece], after.planes[piece]);
            change.left[piece] = old & !new;
            change.arrived[piece] = new & !old;
        }
        rows.start(usize::from(groups::STARTS[GROUPS.len()]));
        let sink = &mut Sink(rows);
        movement::add(&change, sink);
        traps::add(&change, sink);
        threats::add(&change, sink);
        distances::add(&change, sink);
        shape::add(&change, sink);
        tempo::add(&change, sink);
        rows.end();
    }
}

impl Change<'_> {
    /// How many ranks the pieces on the first squares are behind those on the second, if there are as many of both.
    fn ranks_gained(&self, piece: usize) -> Option<i32> {
        let (left, arrived) = (self.left[piece], self.arrived[piece]);
        let ranks = |set: u64| super::view::squares(set).map(|square| square as i32 / 8).sum::<i32>();
        (left != 0 && left.count_ones() == arrived.count_ones()).then(|| ranks(arrived) - ranks(left))
    }
}

/// The index of a change between -4 and 4; larger ones count as those.
#[inline]
fn change_index(change: i32) -> usize {
    (change.clamp(-4, 4) + 4) as usize
}

#[cfg(test)]
mod tests;
