//! The answers found by trying everything: slow, and simple enough to be believed.

use surus_rules::{
    Action, Bitboard, Board, GameResult, Pending, PieceKind, Position, Rules, Side, Square, Step,
    Termination, Turn,
};

use crate::visited::MinStepsVisited;

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
        let mut next = Self { board: self.board.after_step(step), ..*self };
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
        let (enemy, square) = (side.other(), step.from());
        let all = self.board.by_side(enemy) & !Bitboard::from(square) | step.to().into();
        let dead = all & !next.board.by_side(enemy);
        let captured = dead.first().map(|square| next.origin(square));
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

/// Tries everything, in memory that is kept from one position to the next.
#[derive(Default)]
pub(crate) struct Generator {
    seen: MinStepsVisited,
    layers: [Vec<Node>; Turn::MAX],
}

/// What stays the same while one turn is generated.
struct TurnScan<'a> {
    start: &'a Board,
    side: Side,
    /// The steps that were taken before.
    first: u8,
    immobilisation: bool,
    found: Exhaustive,
}

const LAST: u8 = Turn::MAX as u8;

impl Generator {
    /// All that can follow in the turn that began on `start`; immobilisation only if asked for.
    pub(crate) fn answers(&mut self, position: &Position, start: &Board, immobilisation: bool) -> Exhaustive {
        self.seen.clear();
        let (side, first) = (position.side(), position.steps_taken());
        let found = Exhaustive { goal: None, captures: [None; 64], elimination: None, immobilisation: None };
        let mut turning = TurnScan { start, side, first, immobilisation, found };
        let root = Node { board: *position.board(), displaced: [None; 3] };
        if !position.is_mid_push() {
            turning.record_outcomes(&root.board, first);
            self.keep(root, first);
        }
        if first < LAST && !matches!(position.pending(), Pending::None) {
            position.for_each_step(|step, pending| {
                if matches!(pending, Pending::None) {
                    let next = turning.act(&root, first, Action { first: step, second: None });
                    self.keep(next, first + 1);
                }
            });
        }
        for taken in first..LAST {
            let mut layer = std::mem::take(&mut self.layers[taken as usize]);
            for node in layer.drain(..) {
                if self.seen.least(node.key()) == Some(taken) {
                    node.board.for_each_action(side, LAST - taken, |action| {
                        let now = taken + action.len();
                        if now == LAST && turning.is_irrelevant(action) {
                            return;
                        }
                        let next = turning.act(&node, taken, action);
                        self.keep(next, now);
                    });
                }
            }
            // The layer was emptied, its memory is used again.
            self.layers[taken as usize] = layer;
        }
        turning.found
    }

    /// Remembers a node to go on from, unless it was met with as many steps left.
    fn keep(&mut self, node: Node, taken: u8) {
        if LAST <= taken {
            return;
        }
        if self.seen.visit(node.key(), taken) {
            self.layers[taken as usize].push(node);
        }
    }
}

impl TurnScan<'_> {
    /// Whether an action can't bring about anything that is asked for: an own step captures no enemy, and only a
    /// rabbit that enters the goal rank scores.
    #[inline]
    fn is_irrelevant(&self, action: Action) -> bool {
        let step = action.first;
        let scores = step.piece().kind() == PieceKind::Rabbit && self.side.goal().contains(step.to());
        action.second.is_none() && !scores && !self.immobilisation
    }

    fn act(&mut self, node: &Node, taken: u8, action: Action) -> Node {
        let mut next = *node;
        let now = taken + action.len();
        for step in action.steps() {
            let captured;
            (next, captured) = next.after(step, self.side);
            if let Some(origin) = captured {
                let steps = now - self.first;
                let least = &mut self.found.captures[origin.index()];
                *least = Some(least.map_or(steps, |least| least.min(steps)));
            }
        }
        self.record_outcomes(&next.board, now);
        next
    }

    #[inline]
    fn record_outcomes(&mut self, board: &Board, taken: u8) {
        let (side, steps) = (self.side, taken - self.first);
        let note = |slot: &mut Option<u8>| *slot = Some(slot.map_or(steps, |least| least.min(steps)));
        if !(board.rabbits(side) & side.goal()).is_empty() {
            note(&mut self.found.goal);
        }
        if board.rabbits(side.other()).is_empty() {
            note(&mut self.found.elimination);
        }
        if self.immobilisation
            && self.found.immobilisation.is_none_or(|least| steps < least)
            && !board.has_step(side.other())
            && board != self.start
            && GameResult::of_board(board, side, Rules::Official)
                == Some(GameResult::win(side, Termination::Immobilisation))
        {
            note(&mut self.found.immobilisation);
        }
    }
}
