//! The depth-first search that both tactics share, and its tree.

use surus_rules::{Action, Board, KeyMap, Side, Step, Turn};

use super::SearchStats;

/// The goal of a search and its action ordering.
pub(super) trait Tactic {
    /// The tracked pieces: the square of the victim, or of the rabbit.
    type State: Copy;

    /// A lower bound of the steps needed.
    fn lower_bound(&self, board: &Board, state: Self::State) -> u8;

    /// The priority of an action, lowest first; `None` to skip it. `slack` is the number of remaining steps beyond the lower
    /// bound.
    fn priority(&self, board: &Board, state: Self::State, action: &Action, left: u8, slack: u8)
    -> Option<u8>;

    /// The state after an action.
    fn next_state(&self, state: Self::State, action: &Action) -> Self::State;

    /// Whether the goal is achieved.
    fn is_achieved(&self, before: &Board, after: &Board, state: Self::State) -> bool;

    /// A hash key, distinct for each state.
    fn state_key(state: Self::State) -> u64;
}

/// An action that was searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchNode {
    /// The index of the parent; `None` at the root.
    pub parent: Option<usize>,
    /// The action.
    pub action: Action,
    /// Its priority, 0 first.
    pub priority: u8,
    /// Steps taken, including this action.
    pub depth: u8,
    /// Whether it achieved the goal.
    pub found: bool,
}

/// All nodes in search order.
#[derive(Clone, Debug, Default)]
pub struct SearchTree(pub Vec<SearchNode>);

/// The maximum number of boards per target.
const MAX_NODES: u64 = 20_000;

/// The maximum of remaining steps with which a board was visited, by key of board and state.
type VisitedBoards = KeyMap<u8>;

pub(super) struct TacticSearch<'a, T> {
    tactic: &'a T,
    side: Side,
    start: Board,
    visited: VisitedBoards,
    stats: &'a mut SearchStats,
    limit: u64,
    line: Vec<Action>,
    /// The first turn found that loses no own piece.
    lossless: Option<Turn>,
    /// The first turn found that loses one.
    lossy: Option<Turn>,
}

/// Searches for a turn; prefers those that lose no own piece.
pub(super) fn search<T: Tactic>(
    tactic: &T,
    board: &Board,
    side: Side,
    steps: u8,
    state: T::State,
    stats: &mut SearchStats,
) -> Option<Turn> {
    let limit = stats.nodes + MAX_NODES;
    let mut search = TacticSearch {
        tactic,
        side,
        start: *board,
        visited: VisitedBoards::default(),
        stats,
        limit,
        line: Vec::new(),
        lossless: None,
        lossy: None,
    };
    search.visit(board, state, steps, None);
    search.lossless.or(search.lossy)
}

impl<T: Tactic> TacticSearch<'_, T> {
    fn visit(&mut self, board: &Board, state: T::State, left: u8, parent: Option<usize>) {
        let bound = self.tactic.lower_bound(board, state);
        if left < bound {
            return;
        }
        // With one step left there are no transpositions below.
        if left > 1 {
            let existing = self.visited.entry(board.key() ^ T::state_key(state)).or_insert(0);
            if left <= *existing {
                return;
            }
            *existing = left;
        }
        let mut actions: Vec<(u8, u32, Action)> = Vec::new();
        board.for_each_action(self.side, left, |action| {
            if let Some(class) = self.tactic.priority(board, state, &action, left, left - bound) {
                actions.push((class, order(&action), action));
            }
        });
        actions.sort_unstable_by_key(|&(class, order, _)| (class, order));
        for (class, _, action) in actions {
            if self.lossless.is_some() || self.stats.nodes >= self.limit {
                return;
            }
            self.stats.nodes += u64::from(action.len());
            let after = board.after_action(action);
            let next = self.tactic.next_state(state, &action);
            let found = self.tactic.is_achieved(board, &after, next);
            self.line.push(action);
            let depth: u8 = self.line.iter().map(|action| action.len()).sum();
            let index = self.stats.tree.as_mut().map(|tree| {
                tree.0.push(SearchNode { parent, action, priority: class, depth, found });
                tree.0.len() - 1
            });
            if found {
                self.record_turn(&after);
            } else if action.len() < left {
                self.visit(&after, next, left - action.len(), index);
            }
            self.line.pop();
        }
    }

    fn record_turn(&mut self, after: &Board) {
        let turn: Turn = self.line.iter().flat_map(|action| action.steps()).collect();
        if self.start.by_side(self.side).len() == after.by_side(self.side).len() {
            self.lossless = Some(turn);
        } else if self.lossy.is_none() {
            self.lossy = Some(turn);
        }
    }
}

/// Orders actions by source and target of the first step, then of the second.
fn order(action: &Action) -> u32 {
    let number = |step: Step| (step.from().index() << 6 | step.to().index()) as u32;
    number(action.first) << 12 | action.second.map_or(0, number)
}
