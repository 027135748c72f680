//! The depth-first search that all tactics share.

use surus_rules::{Action, Board, KeyMap, Side, Step, Turn};

use super::{SearchNode, SearchStats};

/// The goal of a search, the actions that it tries, and its stopping rules.
pub(super) trait Tactic {
    /// The tracked pieces: the square of the victim, or of the rabbit.
    type State: Copy;

    /// Calls `add` with the actions to search and their priority, lowest first; none if the search ends here.
    fn for_each_action(&self, board: &Board, state: Self::State, left: u8, add: impl FnMut(u8, Action));

    /// The state after an action.
    fn next_state(&self, state: Self::State, action: &Action) -> Self::State;

    /// Whether the goal is achieved.
    fn is_achieved(&self, before: &Board, after: &Board, state: Self::State) -> bool;

    /// Whether a stopping rule ends the line after an action that does not achieve the goal.
    fn stops(&self, _before: &Board, _after: &Board) -> bool {
        false
    }

    /// Whether the search halts as soon as it has a turn that loses no own piece.
    fn halts(&self) -> bool {
        true
    }

    /// A hash key, distinct for each state.
    fn state_key(state: Self::State) -> u64;
}

/// The maximum number of boards per target.
const MAX_NODES: u64 = 20_000;

/// The maximum of remaining steps with which a board was visited, by key of board and state.
type VisitedBoards = KeyMap<u8>;

struct TacticSearch<'a, T> {
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
        // With one step left there are no transpositions below.
        if left > 1 {
            let existing = self.visited.entry(board.key() ^ T::state_key(state)).or_insert(0);
            if left <= *existing {
                return;
            }
            *existing = left;
        }
        let mut actions: Vec<(u8, u32, Action)> = Vec::new();
        self.tactic.for_each_action(board, state, left, |priority, action| {
            actions.push((priority, order(&action), action));
        });
        actions.sort_unstable_by_key(|&(priority, order, _)| (priority, order));
        for (priority, _, action) in actions {
            let is_done = self.tactic.halts() && self.lossless.is_some();
            if is_done || self.stats.nodes >= self.limit {
                return;
            }
            self.stats.nodes += u64::from(action.len());
            let after = board.after_action(action);
            let next = self.tactic.next_state(state, &action);
            let found = self.tactic.is_achieved(board, &after, next);
            self.line.push(action);
            let depth: u8 = self.line.iter().map(|action| action.len()).sum();
            let node = SearchNode { action, priority, depth, found, parent, child: None, sibling: None };
            let index = self.stats.tree.as_mut().map(|tree| tree.push(node));
            if found {
                self.record_turn(&after);
            } else if action.len() < left && !self.tactic.stops(board, &after) {
                self.visit(&after, next, left - action.len(), index);
            }
            self.line.pop();
        }
    }

    fn record_turn(&mut self, after: &Board) {
        let turn: Turn = self.line.iter().flat_map(|action| action.steps()).collect();
        if self.start.by_side(self.side).len() == after.by_side(self.side).len() {
            self.lossless.get_or_insert(turn);
        } else {
            self.lossy.get_or_insert(turn);
        }
    }
}

/// Orders actions by source and target of the first step, then of the second.
fn order(action: &Action) -> u32 {
    let number = |step: Step| (step.from().index() << 6 | step.to().index()) as u32;
    number(action.first) << 12 | action.second.map_or(0, number)
}
