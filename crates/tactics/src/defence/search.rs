//! The search for the shortest defences.
//!
//! Turns are tried in order of length, because most threats are stopped by one or two steps. The last action of a defence
//! touches a square on which the line of the threat depends ([`Threat::squares`]). An action that does not is tried only
//! as a helper of one that does: of two actions that do not interact, the touching one is played first, which leads to
//! the same board.

use surus_rules::{Action, Bitboard, Board, KeyMap, Position, Side, Turn};

use super::{Defences, Threat};
use crate::goal::find_goal_from;
use crate::pending::for_each_resolved;

/// The state after an action that does not touch the line of the threat itself.
#[derive(Clone, Copy)]
struct PendingHelper {
    /// The squares of which the turn must still touch one.
    useful: Bitboard,
    /// The squares where the next action interacts with the last one; all if several actions led here.
    interaction_zone: Bitboard,
}

#[derive(Clone, Copy)]
struct Node<T> {
    board: Board,
    target: T,
    parent: Option<usize>,
    action: Option<Action>,
    helper: Option<PendingHelper>,
    steps_taken: u8,
}

pub(super) struct Search<T: Threat> {
    threat: T,
    side: Side,
    /// The own goal rank, if it can be reached.
    wins: Bitboard,
    /// The index of each board and target in `nodes`.
    index_by_key: KeyMap<usize>,
    nodes: Vec<Node<T::Target>>,
    layers: [Vec<usize>; Turn::MAX + 1],
}

impl<T: Threat> Search<T> {
    pub(super) fn new(side: Side, threat: T) -> Self {
        let (index_by_key, layers) = (KeyMap::default(), <[Vec<usize>; Turn::MAX + 1]>::default());
        Self { threat, side, wins: Bitboard::EMPTY, index_by_key, nodes: Vec::new(), layers }
    }

    /// The shortest defences, for the turn that started on `start`.
    pub(super) fn shortest(mut self, position: &Position, start: &Board, target: T::Target) -> Defences {
        if !position.is_mid_push() && self.threat.squares(position.board(), target).is_none() {
            return Defences::NoThreat;
        }
        if find_goal_from(position).is_some() {
            self.wins = self.side.goal();
        }
        for last in position.steps_taken()..=Turn::MAX as u8 {
            let found = self.ending_with(position, start, target, last);
            if !found.is_empty() {
                return Defences::Turns(found);
            }
        }
        Defences::Unstoppable
    }

    /// The defences that end with `last` steps taken, if there is none with fewer.
    fn ending_with(&mut self, position: &Position, start: &Board, target: T::Target, last: u8) -> Vec<Turn> {
        self.index_by_key.clear();
        self.nodes.clear();
        for_each_resolved(position, |step, board, left| {
            let action = step.map(Action::single);
            self.add(Node {
                board: *board,
                target: step.map_or(target, |step| T::after_step(target, position.board(), step)),
                parent: None,
                action,
                helper: None,
                steps_taken: Turn::MAX as u8 - left,
            });
        });
        for taken in position.steps_taken()..last {
            for index in std::mem::take(&mut self.layers[taken as usize]) {
                self.expand(index, taken, last);
            }
        }
        let mut found = Vec::new();
        for index in std::mem::take(&mut self.layers[last as usize]) {
            let Node { board, target, steps_taken: taken, .. } = self.nodes[index];
            // A turn cannot end on the board on which it started.
            if taken == last && board != *start && self.squares(&board, target).is_none() {
                found.push(self.turn_to(index));
            }
        }
        self.layers = Default::default();
        found
    }

    /// Adds the successors of a node from which a turn of `last` steps can still end the threat.
    fn expand(&mut self, index: usize, taken: u8, last: u8) {
        let Node { board, target, helper, steps_taken: fewest, .. } = self.nodes[index];
        if fewest != taken {
            return;
        }
        // Without a threat the turn cannot end here, or it would have been found with fewer steps.
        let useful = helper
            .map(|helper| helper.useful)
            .or_else(|| self.squares(&board, target))
            .unwrap_or(Bitboard::ALL);
        let near_useful = useful | useful.neighbours();
        board.for_each_action(self.side, last - taken, |action| {
            let (now, touched) = (taken + action.len(), action.touched());
            let helper = if (touched & useful).is_empty() {
                let interaction_zone = action.interaction_zone();
                // A last step that this one helps starts or ends on a useful square.
                if now == last || now + 1 == last && (interaction_zone & near_useful).is_empty() {
                    return;
                }
                Some(PendingHelper { useful, interaction_zone })
            } else if helper.is_some_and(|helper| (touched & helper.interaction_zone).is_empty()) {
                return;
            } else {
                None
            };
            let target = target_after::<T>(&board, target, action);
            let board = board.after_action(action);
            let (parent, action) = (Some(index), Some(action));
            self.add(Node { board, target, parent, action, helper, steps_taken: now });
        });
    }

    /// The squares that matter to the threat, if there is one: its line, and the own goal rank if the side to move may win
    /// first.
    fn squares(&self, board: &Board, target: T::Target) -> Option<Bitboard> {
        self.threat.squares(board, target).map(|squares| squares | self.wins)
    }

    /// Adds a node, or updates an existing one that was reached with more steps, or by other actions with as many.
    fn add(&mut self, node: Node<T::Target>) {
        let new_index = self.nodes.len();
        let key = node.board.key() ^ T::key(node.target);
        let index = *self.index_by_key.entry(key).or_insert(new_index);
        let Some(existing) = self.nodes.get_mut(index) else {
            self.layers[node.steps_taken as usize].push(index);
            self.nodes.push(node);
            return;
        };
        if node.steps_taken < existing.steps_taken {
            self.layers[node.steps_taken as usize].push(index);
            *existing = node;
        } else if node.steps_taken == existing.steps_taken
            && let Some(helper) = &mut existing.helper
        {
            helper.interaction_zone = Bitboard::ALL;
        }
    }

    fn turn_to(&self, index: usize) -> Turn {
        let mut actions = Vec::new();
        let mut current = Some(index);
        while let Some(node) = current.map(|index| &self.nodes[index]) {
            actions.extend(node.action);
            current = node.parent;
        }
        actions.into_iter().rev().flat_map(Action::steps).collect()
    }
}

/// The target after an action on a board.
#[inline]
fn target_after<T: Threat>(board: &Board, target: T::Target, action: Action) -> T::Target {
    let target = T::after_step(target, board, action.first);
    action.second.map_or(target, |second| T::after_step(target, &board.after_step(action.first), second))
}
