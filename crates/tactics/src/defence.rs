//! Turns that stop a threatened goal, or the proof that there is none.

use std::collections::HashSet;

use surus_rules::{Action, Board, Position, Side, Turn};

use crate::field::Field;
use crate::goal::any_goal;
use crate::openings::for_each_opening;

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
    let mut search = Search { nodes: Vec::new(), layers: Default::default() };
    let (first, last) = (position.steps_taken(), Turn::MAX as u8);
    for_each_opening(position, |step, board, left| {
        let action = step.map(|first| Action { first, second: None });
        search.add(Node { board: *board, parent: None, action }, last - left);
    });
    let mut seen = HashSet::new();
    for taken in first..=last {
        let mut found = Vec::new();
        for index in std::mem::take(&mut search.layers[taken as usize]) {
            let board = search.nodes[index].board;
            if !seen.insert(board.key()) {
                continue;
            }
            let Some(looked_at) = threat(&board, side) else {
                if board != *start {
                    found.push(search.turn_to(index));
                }
                continue;
            };
            let useful = looked_at | side.goal().0;
            board.for_each_action(side, last - taken, |action| {
                let now = taken + action.len();
                let touched = action.steps().fold(0, |set, step| set | step.from().bit() | step.to().bit());
                if now < last || touched & useful != 0 {
                    let board = board.after_action(action);
                    search.add(Node { board, parent: Some(index), action: Some(action) }, now);
                }
            });
        }
        if !found.is_empty() {
            return Defence::Turns(found);
        }
    }
    Defence::None
}

/// What a goal of the other side looks at, if it has one after `side` ends its turn here.
fn threat(board: &Board, side: Side) -> Option<u64> {
    if !(board.rabbits(side) & side.goal()).is_empty() {
        return None;
    }
    let other = side.other();
    let footprint = any_goal(&Field::new(board, other))?.footprint();
    Some(if other == Side::Gold { footprint } else { footprint.swap_bytes() })
}

struct Node {
    board: Board,
    parent: Option<usize>,
    action: Option<Action>,
}

struct Search {
    nodes: Vec<Node>,
    layers: [Vec<usize>; Turn::MAX + 1],
}

impl Search {
    fn add(&mut self, node: Node, taken: u8) {
        self.layers[taken as usize].push(self.nodes.len());
        self.nodes.push(node);
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
