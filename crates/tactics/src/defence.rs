//! Defences against goals.

use surus_rules::{Action, Bitboard, Board, KeyMap, Position, Side, Turn};

use crate::goal::{any_goal, find_goal_from};
use crate::pending::for_each_resolved;
use crate::relative_board::{GOAL, RelativeBoard};

/// The defences of the side to move against a goal of the other side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GoalDefence {
    /// The other side would have no goal if it were to move now.
    NoThreat,
    /// The shortest turns that stop it, one for each resulting board.
    Turns(Vec<Turn>),
    /// Provably no turn stops it.
    Unstoppable,
}

/// All shortest turns of the side to move after which the other side has no goal within a full turn, including turns that
/// score a goal themselves. The turn started on `start`; a push or pull may be pending.
///
/// Turns are tried in order of length, because most goals are stopped by one or two steps. A goal line remains playable
/// until one of the squares on which it depends is touched, so the last action of a defence touches one. An action that
/// does not is tried only as a helper of one that does: of two actions that do not interact, the touching one is played
/// first, which leads to the same board.
///
/// ```
/// use surus_rules::Position;
/// use surus_tactics::{GoalDefence, goal_defences};
///
/// let position: Position = "s [        R      r                                       e        ]".parse()?;
/// assert_eq!(goal_defences(&position, position.board()), GoalDefence::Unstoppable);
/// # Ok::<(), surus_rules::PositionError>(())
/// ```
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

/// The squares of which the last action of a turn must touch one so that the other side has no goal within a full turn;
/// `None` if it has none anyway, or if a rabbit of `side` is on its goal rank.
#[must_use]
pub fn goal_defence_squares(board: &Board, side: Side) -> Option<Bitboard> {
    threat(board, side).map(|footprint| footprint | side.goal())
}

/// The squares on which a goal of the other side depends, if it has one after `side` ends its turn here.
fn threat(board: &Board, side: Side) -> Option<Bitboard> {
    if !(board.rabbits(side) & side.goal()).is_empty() {
        return None;
    }
    let other = side.other();
    let relative = RelativeBoard::new(board, other);
    // A rabbit that was displaced onto its goal rank must be displaced again.
    let arrived = relative.rabbits() & GOAL;
    let footprint = if arrived == 0 { any_goal(&relative)?.footprint() } else { arrived };
    Some(Bitboard(if other == Side::Gold { footprint } else { footprint.swap_bytes() }))
}

/// The goal rank of the side to move, if it can score in this turn.
fn wins_first(position: &Position) -> Bitboard {
    if find_goal_from(position).is_some() { position.side().goal() } else { Bitboard::EMPTY }
}

/// The state after an action that does not touch the goal line itself.
#[derive(Clone, Copy)]
struct PendingHelper {
    /// The squares of which the turn must still touch one.
    useful: Bitboard,
    /// The squares where the next action interacts with the last one; all if several actions led here.
    interaction_zone: Bitboard,
}

#[derive(Clone, Copy)]
struct Node {
    board: Board,
    parent: Option<usize>,
    action: Option<Action>,
    helper: Option<PendingHelper>,
    steps_taken: u8,
}

#[derive(Default)]
struct Search {
    /// The own goal rank, if it can be reached.
    wins: Bitboard,
    /// The index of each board in `nodes`.
    index_by_key: KeyMap<usize>,
    nodes: Vec<Node>,
    layers: [Vec<usize>; Turn::MAX + 1],
}

impl Search {
    /// The defences that end with `last` steps taken, if there is none with fewer.
    fn ending_with(&mut self, position: &Position, start: &Board, last: u8) -> Vec<Turn> {
        let side = position.side();
        self.index_by_key.clear();
        self.nodes.clear();
        for_each_resolved(position, |step, board, left| {
            let action = step.map(Action::single);
            self.add(Node {
                board: *board,
                parent: None,
                action,
                helper: None,
                steps_taken: Turn::MAX as u8 - left,
            });
        });
        for taken in position.steps_taken()..last {
            for index in std::mem::take(&mut self.layers[taken as usize]) {
                self.expand(index, side, taken, last);
            }
        }
        let mut found = Vec::new();
        for index in std::mem::take(&mut self.layers[last as usize]) {
            let Node { board, steps_taken: taken, .. } = self.nodes[index];
            // A turn cannot end on the board on which it started.
            if taken == last && board != *start && self.threat(&board, side).is_none() {
                found.push(self.turn_to(index));
            }
        }
        self.layers = Default::default();
        found
    }

    /// Adds the successors of a node from which a turn of `last` steps can still stop the goal.
    fn expand(&mut self, index: usize, side: Side, taken: u8, last: u8) {
        let Node { board, helper, steps_taken: fewest, .. } = self.nodes[index];
        if fewest != taken {
            return;
        }
        // Without a threat the turn cannot end here, or it would have been found with fewer steps.
        let useful =
            helper.map(|helper| helper.useful).or_else(|| self.threat(&board, side)).unwrap_or(Bitboard::ALL);
        let near_useful = useful | useful.neighbours();
        board.for_each_action(side, last - taken, |action| {
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
            let board = board.after_action(action);
            self.add(Node { board, parent: Some(index), action: Some(action), helper, steps_taken: now });
        });
    }

    /// The squares that matter to a goal of the other side, if it has one: its line, and the goal rank of this side if it
    /// may win first.
    fn threat(&self, board: &Board, side: Side) -> Option<Bitboard> {
        threat(board, side).map(|footprint| footprint | self.wins)
    }

    /// Adds a node, or updates an existing one that was reached with more steps, or by other actions with as many.
    fn add(&mut self, node: Node) {
        let new_index = self.nodes.len();
        let index = *self.index_by_key.entry(node.board.key()).or_insert(new_index);
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
