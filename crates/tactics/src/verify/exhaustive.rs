//! The answers found by trying everything: slow, and simple enough to be believed.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use surus_rules::{Action, Board, Ending, Pending, Position, Reason, Rules, Side, Square, Step, Turn};

/// What one turn can bring about, each with the fewest steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Exhaustive {
    pub(crate) goal: Option<u8>,
    /// By the square where the piece stood before the first step.
    pub(crate) captures: [Option<u8>; 64],
    pub(crate) elimination: Option<u8>,
    pub(crate) immobilisation: Option<u8>,
}

/// A board, with the squares where displaced enemy pieces come from and are now: equal pieces are not equal here.
#[derive(Clone, Copy)]
struct Node {
    board: Board,
    displaced: [Option<(Square, Square)>; 3],
}

impl Node {
    fn origin(&self, square: Square) -> Square {
        self.displaced.iter().flatten().find(|(_, now)| *now == square).map_or(square, |(origin, _)| *origin)
    }

    fn key(&self) -> u64 {
        // The order of the displaced pieces does not matter.
        self.displaced.iter().flatten().fold(self.board.key(), |key, (origin, now)| {
            let pair = (origin.index() * 64 + now.index() + 1) as u64;
            key.wrapping_add(
                (pair.wrapping_mul(0x9e37_79b9_7f4a_7c15)).rotate_left(29).wrapping_mul(pair | 1),
            )
        })
    }

    /// The node after a step, and where the enemy piece came from that it captures.
    fn after(&self, step: Step, side: Side) -> (Self, Option<Square>) {
        let mut next = Self { board: self.board.after(step), ..*self };
        if step.piece().side() == side {
            return (next, None);
        }
        let origin = self.origin(step.from());
        for slot in &mut next.displaced {
            if slot.is_none() || slot.is_some_and(|(from, _)| from == origin) {
                *slot = Some((origin, step.to()));
                break;
            }
        }
        let captured = self.board.capture_of(step).map(|(_, square)| next.origin(square));
        if let Some(captured) = captured {
            for slot in &mut next.displaced {
                if slot.is_some_and(|(from, _)| from == captured) {
                    *slot = None;
                }
            }
            next.displaced.sort_unstable();
            next.displaced.reverse();
        }
        (next, captured)
    }
}

/// Keys are random enough as they are.
#[derive(Default)]
struct NoHash(u64);

impl Hasher for NoHash {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

impl Exhaustive {
    /// Tries all that can follow in the turn that began on `start`; immobilisation only if asked for.
    pub(crate) fn new(position: &Position, start: &Board, immobilisation: bool) -> Self {
        let (side, last) = (position.side(), Turn::MAX as u8);
        let mut found = Self { goal: None, captures: [None; 64], elimination: None, immobilisation: None };
        let mut seen: HashSet<u64, BuildHasherDefault<NoHash>> = HashSet::default();
        let mut layers: [Vec<Node>; Turn::MAX + 1] = Default::default();
        let (root, taken) = (Node { board: *position.board(), displaced: [None; 3] }, position.steps_taken());
        if !position.in_push() {
            found.look_at(&root.board, start, side, 0, immobilisation);
            layers[taken as usize].push(root);
        }
        let go = |found: &mut Self, layers: &mut [Vec<Node>; 5], node: &Node, taken, action: Action| {
            let mut next = *node;
            let now = taken + action.len();
            for step in action.steps() {
                let captured;
                (next, captured) = next.after(step, side);
                if let Some(origin) = captured {
                    let least = &mut found.captures[origin.index()];
                    let steps = now - position.steps_taken();
                    *least = Some(least.map_or(steps, |least| least.min(steps)));
                }
            }
            found.look_at(&next.board, start, side, now - position.steps_taken(), immobilisation);
            if now < last {
                layers[now as usize].push(next);
            }
        };
        if taken < last && !matches!(position.pending(), Pending::Nothing) {
            position.for_each_step(|first, pending| {
                if matches!(pending, Pending::Nothing) {
                    go(&mut found, &mut layers, &root, taken, Action { first, second: None });
                }
            });
        }
        for taken in taken..last {
            for node in std::mem::take(&mut layers[taken as usize]) {
                if seen.insert(node.key()) {
                    node.board.for_each_action(side, last - taken, |action| {
                        go(&mut found, &mut layers, &node, taken, action);
                    });
                }
            }
        }
        found
    }

    #[inline]
    fn look_at(&mut self, board: &Board, start: &Board, side: Side, steps: u8, immobilisation: bool) {
        let note = |slot: &mut Option<u8>| *slot = Some(slot.map_or(steps, |least| least.min(steps)));
        if !(board.rabbits(side) & side.goal()).is_empty() {
            note(&mut self.goal);
        }
        if board.rabbits(side.other()).is_empty() {
            note(&mut self.elimination);
        }
        if immobilisation
            && self.immobilisation.is_none_or(|least| steps < least)
            && !board.has_step(side.other())
            && board != start
            && Ending::of_board(board, side, Rules::Official)
                == Some(Ending::win(side, Reason::Immobilisation))
        {
            note(&mut self.immobilisation);
        }
    }
}
