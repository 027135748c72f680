//! The answers by exhaustive generation: slow and simple.

use surus_rules::{
    Action, Bitboard, Board, GameResult, PieceKind, Position, Rules, Side, Square, Step, Termination, Turn,
};

use crate::visited::MinStepsVisited;

/// The minimum numbers of steps to each outcome of a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Exhaustive {
    pub(crate) goal: Option<u8>,
    /// By the square of the piece before the first step.
    pub(crate) captures: [Option<u8>; 64],
    pub(crate) elimination: Option<u8>,
    pub(crate) immobilisation: Option<u8>,
}

/// A board with the original and present squares of displaced enemy pieces, which distinguish equal pieces.
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

    /// The node after a step, and the original square of the enemy piece that it captures.
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

/// Generates all turns, reusing memory between positions.
#[derive(Default)]
pub(crate) struct Generator {
    seen: MinStepsVisited,
    layers: [Vec<Node>; Turn::MAX],
}

/// The data of one turn.
struct TurnScan<'a> {
    start: &'a Board,
    side: Side,
    /// The steps taken before.
    first: u8,
    immobilisation: bool,
    found: Exhaustive,
}

const LAST: u8 = Turn::MAX as u8;

impl Generator {
    /// All outcomes of the turn that started on `start`; immobilisation only if requested.
    pub(crate) fn answers(&mut self, position: &Position, start: &Board, immobilisation: bool) -> Exhaustive {
        self.seen.clear();
        let (side, first) = (position.side(), position.steps_taken());
        let found = Exhaustive { goal: None, captures: [None; 64], elimination: None, immobilisation: None };
        let mut scan = TurnScan { start, side, first, immobilisation, found };
        let root = Node { board: *position.board(), displaced: [None; 3] };
        if !position.is_mid_push() {
            scan.record_outcomes(&root.board, first);
            self.queue(root, first);
        }
        position.for_each_completion(|step| {
            let next = scan.act(&root, first, Action::single(step));
            self.queue(next, first + 1);
        });
        for taken in first..LAST {
            let mut layer = std::mem::take(&mut self.layers[taken as usize]);
            for node in layer.drain(..) {
                if self.seen.min_steps(node.key()) == Some(taken) {
                    node.board.for_each_action(side, LAST - taken, |action| {
                        let now = taken + action.len();
                        if now == LAST && scan.is_irrelevant(action) {
                            return;
                        }
                        let next = scan.act(&node, taken, action);
                        self.queue(next, now);
                    });
                }
            }
            // Reuses the memory of the drained layer.
            self.layers[taken as usize] = layer;
        }
        scan.found
    }

    /// Queues a node, unless it was reached with as many steps left.
    fn queue(&mut self, node: Node, taken: u8) {
        if taken >= LAST {
            return;
        }
        if self.seen.visit(node.key(), taken) {
            self.layers[taken as usize].push(node);
        }
    }
}

impl TurnScan<'_> {
    /// Whether an action cannot lead to a requested outcome: an own step captures no enemy, and only a rabbit that enters the
    /// goal rank scores.
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
                let min_steps = &mut self.found.captures[origin.index()];
                *min_steps = Some(min_steps.map_or(steps, |known| known.min(steps)));
            }
        }
        self.record_outcomes(&next.board, now);
        next
    }

    #[inline]
    fn record_outcomes(&mut self, board: &Board, taken: u8) {
        let (side, steps) = (self.side, taken - self.first);
        let record = |slot: &mut Option<u8>| *slot = Some(slot.map_or(steps, |known| known.min(steps)));
        if !(board.rabbits(side) & side.goal()).is_empty() {
            record(&mut self.found.goal);
        }
        if board.rabbits(side.other()).is_empty() {
            record(&mut self.found.elimination);
        }
        if self.immobilisation
            && self.found.immobilisation.is_none_or(|known| steps < known)
            && !board.has_step(side.other())
            && board != self.start
            && GameResult::from_board(board, side, Rules::Official)
                == Some(GameResult::win(side, Termination::Immobilisation))
        {
            record(&mut self.found.immobilisation);
        }
    }
}
