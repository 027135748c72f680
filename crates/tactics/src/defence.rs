//! Turns that stop a threatened goal, or the proof that there is none.

use surus_rules::{Action, Board, Position, Side, Squares, Turn};

use crate::field::{Field, GOAL};
use crate::goal::any_goal;
use crate::openings::for_each_opening;
use crate::seen::Seen;

/// What can be done against a goal of the side that is not to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Defence {
    /// It has no goal on this board, were it to move now.
    NoThreat,
    /// These turns stop it: for every board that the fewest steps lead to, one.
    Turns(Vec<Turn>),
    /// No turn stops it: this was proved by trying all that could.
    None,
}

/// All shortest turns of the side to move after which the other side, with a full turn, has no goal; a turn that
/// scores a goal itself counts too. The turn began on `start`; a push or pull may be pending.
///
/// The boards are tried in the order of the steps that lead to them. The last step or displacement of a defence
/// must touch something that the goal it stops looks at, or the own goal rank; nothing else is left out.
#[must_use]
pub fn goal_defences(position: &Position, start: &Board) -> Defence {
    let side = position.side();
    if !position.in_push() && threat(position.board(), side).is_none() {
        return Defence::NoThreat;
    }
    let mut search = Search::default();
    let (first, last) = (position.steps_taken(), Turn::MAX as u8);
    for_each_opening(position, |step, board, left| {
        let action = step.map(|first| Action { first, second: None });
        search.add(Node { board: *board, parent: None, action, useful: None }, last - left);
    });
    for taken in first..=last {
        let mut found = Vec::new();
        for index in std::mem::take(&mut search.layers[taken as usize]) {
            let Node { board, useful, .. } = search.nodes[index];
            if search.seen.least(board.key()) != Some(taken) {
                continue;
            }
            let useful = match useful.or_else(|| threat(&board, side)) {
                Some(useful) => useful,
                // Nothing threatens here, but a turn can't end where it began.
                None if board == *start => u64::MAX,
                None => {
                    found.push(search.turn_to(index));
                    continue;
                }
            };
            board.for_each_action(side, last - taken, |action| {
                let now = taken + action.len();
                let touched = action.steps().fold(0, |set, step| set | step.from().bit() | step.to().bit());
                // What does not touch the goal that threatened before leaves it as it was.
                let known = Some(useful).filter(|useful| touched & useful == 0);
                if now < last || known.is_none() {
                    let node = Node {
                        board: board.after_action(action),
                        parent: Some(index),
                        action: Some(action),
                        useful: known,
                    };
                    search.add(node, now);
                }
            });
        }
        if !found.is_empty() {
            return Defence::Turns(found);
        }
    }
    Defence::None
}

/// The squares of which the last step or displacement of a turn must touch one so that the other side, with a full
/// turn, has no goal after it; nothing if it has none here. Where a rabbit of `side` stands on its goal rank there is
/// nothing to stop.
#[must_use]
pub fn stopping_squares(board: &Board, side: Side) -> Option<Squares> {
    threat(board, side).map(Squares)
}

/// What can matter to a goal of the other side, if it has one after `side` ends its turn here: all that its line
/// looks at, and the goal rank of this side, which wins first.
fn threat(board: &Board, side: Side) -> Option<u64> {
    if !(board.rabbits(side) & side.goal()).is_empty() {
        return None;
    }
    let other = side.other();
    let field = Field::new(board, other);
    // A rabbit that was pushed onto its goal rank must be brought off it again.
    let arrived = field.rabbits() & GOAL;
    let looked_at = if arrived == 0 { any_goal(&field)?.footprint() } else { arrived };
    Some(side.goal().0 | if other == Side::Gold { looked_at } else { looked_at.swap_bytes() })
}

#[derive(Clone, Copy)]
struct Node {
    board: Board,
    parent: Option<usize>,
    action: Option<Action>,
    /// What a turn that goes on from here must touch in the end, where that is known already.
    useful: Option<u64>,
}

#[derive(Default)]
struct Search {
    seen: Seen,
    nodes: Vec<Node>,
    layers: [Vec<usize>; Turn::MAX + 1],
}

impl Search {
    fn add(&mut self, node: Node, taken: u8) {
        if self.seen.meet(node.board.key(), taken) {
            self.layers[taken as usize].push(self.nodes.len());
            self.nodes.push(node);
        }
    }

    fn turn_to(&self, index: usize) -> Turn {
        let mut actions = Vec::new();
        let mut at = Some(index);
        while let Some(node) = at.map(|index| &self.nodes[index]) {
            actions.extend(node.action);
            at = node.parent;
        }
        actions.into_iter().rev().flat_map(Action::steps).collect()
    }
}
