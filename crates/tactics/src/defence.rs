//! Turns that stop a threatened goal, or the proof that there is none.

use surus_rules::{Action, Bitboard, Board, KeyMap, Position, Side, Turn};

use crate::goal::{any_goal, find_goal_from};
use crate::pending::for_each_resolved;
use crate::relative_board::{GOAL, RelativeBoard};

/// What can be done against a goal of the side that is not to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GoalDefence {
    /// It has no goal on this board, were it to move now.
    NoThreat,
    /// These turns stop it: for every board that the fewest steps lead to, one.
    Turns(Vec<Turn>),
    /// No turn stops it: this was proved by trying all that could.
    Unstoppable,
}

/// All shortest turns of the side to move after which the other side, with a full turn, has no goal; a turn that
/// scores a goal itself counts too. The turn began on `start`; a push or pull may be pending.
///
/// Turns of more and more steps are tried, because most goals are stopped by one or two. A line that scores stays good until something is
/// touched that it looks at, so the last action of a defence touches that. An action that does not touch it is tried
/// only as a help for one that does: of two that have nothing to do with each other the one that touches comes first,
/// which leads to the same board.
#[must_use]
pub fn goal_defences(position: &Position, start: &Board) -> GoalDefence {
    let side = position.side();
    if !position.is_mid_push() && threat(position.board(), side).is_none() {
        return GoalDefence::NoThreat;
    }
    let mut search = Search { wins: wins_first(position), ..Search::default() };
    for last in position.steps_taken()..=Turn::MAX as u8 {
        let found = search.ending_with(position, start, last);
        if !found.is_empty() {
            return GoalDefence::Turns(found);
        }
    }
    GoalDefence::Unstoppable
}

/// The squares of which the last step or displacement of a turn must touch one so that the other side, with a full
/// turn, has no goal after it; nothing if it has none here. Where a rabbit of `side` stands on its goal rank there is
/// nothing to stop.
#[must_use]
pub fn goal_defence_squares(board: &Board, side: Side) -> Option<Bitboard> {
    threat(board, side).map(|looked_at| looked_at | side.goal())
}

/// What a goal of the other side looks at, if it has one after `side` ends its turn here.
fn threat(board: &Board, side: Side) -> Option<Bitboard> {
    if !(board.rabbits(side) & side.goal()).is_empty() {
        return None;
    }
    let other = side.other();
    let field = RelativeBoard::new(board, other);
    // A rabbit that was pushed onto its goal rank must be brought off it again.
    let arrived = field.rabbits() & GOAL;
    let looked_at = if arrived == 0 { any_goal(&field)?.footprint() } else { arrived };
    Some(Bitboard(if other == Side::Gold { looked_at } else { looked_at.swap_bytes() }))
}

/// The goal rank of the side to move, if it can score itself in this turn and so come first.
fn wins_first(position: &Position) -> Bitboard {
    if find_goal_from(position).is_some() { position.side().goal() } else { Bitboard::EMPTY }
}

/// What is known where the last action did not touch the line of the other side.
#[derive(Clone, Copy)]
struct PendingHelper {
    /// What a turn that goes on from here must touch in the end.
    useful: Bitboard,
    /// Where the next action has to do with the last one; everywhere if two ways led here.
    reach: Bitboard,
}

#[derive(Clone, Copy)]
struct Node {
    board: Board,
    parent: Option<usize>,
    action: Option<Action>,
    idle: Option<PendingHelper>,
    taken: u8,
}

#[derive(Default)]
struct Search {
    /// The own goal rank, where it can be reached.
    wins: Bitboard,
    /// The place of each board among the nodes.
    seen: KeyMap<usize>,
    nodes: Vec<Node>,
    layers: [Vec<usize>; Turn::MAX + 1],
}

impl Search {
    /// The defences that end with so many steps taken, where there is none with fewer.
    fn ending_with(&mut self, position: &Position, start: &Board, last: u8) -> Vec<Turn> {
        let side = position.side();
        self.seen.clear();
        self.nodes.clear();
        for_each_resolved(position, |step, board, left| {
            let action = step.map(|first| Action { first, second: None });
            self.add(Node { board: *board, parent: None, action, idle: None, taken: Turn::MAX as u8 - left });
        });
        for taken in position.steps_taken()..last {
            for index in std::mem::take(&mut self.layers[taken as usize]) {
                self.expand(index, side, (taken, last));
            }
        }
        let mut found = Vec::new();
        for index in std::mem::take(&mut self.layers[last as usize]) {
            let Node { board, taken, .. } = self.nodes[index];
            // A turn can't end where it began.
            if taken == last && board != *start && self.threat(&board, side).is_none() {
                found.push(self.turn_to(index));
            }
        }
        self.layers = Default::default();
        found
    }

    /// Adds the boards that the actions here lead to, as far as a turn of so many steps can still stop the goal.
    fn expand(&mut self, index: usize, side: Side, (taken, last): (u8, u8)) {
        let Node { board, idle, taken: fewest, .. } = self.nodes[index];
        if fewest != taken {
            return;
        }
        // Where nothing threatens the turn can't end, or it would have been found with fewer steps.
        let useful =
            idle.map(|idle| idle.useful).or_else(|| self.threat(&board, side)).unwrap_or(Bitboard::ALL);
        let beside = useful | useful.neighbours();
        board.for_each_action(side, last - taken, |action| {
            let (now, touched) = (taken + action.len(), action.touched());
            let idle = if (touched & useful).is_empty() {
                let reach = action.interaction_zone();
                // A last step that this one helps begins or ends on a useful square.
                if now == last || now + 1 == last && (reach & beside).is_empty() {
                    return;
                }
                Some(PendingHelper { useful, reach })
            } else if idle.is_some_and(|idle| (touched & idle.reach).is_empty()) {
                return;
            } else {
                None
            };
            let board = board.after_action(action);
            self.add(Node { board, parent: Some(index), action: Some(action), idle, taken: now });
        });
    }

    /// What can matter to a goal of the other side, if it has one: its line, and that this side may win first.
    fn threat(&self, board: &Board, side: Side) -> Option<Bitboard> {
        threat(board, side).map(|looked_at| looked_at | self.wins)
    }

    /// Adds a board, or what is new about one that is there: fewer steps, or another way with as many.
    fn add(&mut self, node: Node) {
        let place = self.nodes.len();
        let known = *self.seen.entry(node.board.key()).or_insert(place);
        let Some(old) = self.nodes.get_mut(known) else {
            self.layers[node.taken as usize].push(place);
            self.nodes.push(node);
            return;
        };
        if node.taken < old.taken {
            self.layers[node.taken as usize].push(known);
            *old = node;
        } else if node.taken == old.taken
            && let Some(idle) = &mut old.idle
        {
            idle.reach = Bitboard::ALL;
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
