//! The depth-first search that both tactics share, and the tree it visits.

use surus_rules::{Action, Board, KeyMap, Side, Step, Turn};

use super::SearchStats;

/// What a search looks for, and what it tries first.
pub(super) trait Tactic {
    /// What it follows on the board: the square of the victim, or of the rabbit.
    type State: Copy;

    /// No fewer steps than this bring it about.
    fn lower_bound(&self, board: &Board, state: Self::State) -> u8;

    /// What an action is good for, the smaller the better; nothing if it is not to be tried. `slack` is how many of the
    /// steps that are left the bound does not need.
    fn priority(&self, board: &Board, state: Self::State, action: &Action, left: u8, slack: u8)
    -> Option<u8>;

    /// The state after an action.
    fn next_state(&self, state: Self::State, action: &Action) -> Self::State;

    /// Whether it is brought about.
    fn is_achieved(&self, before: &Board, after: &Board, state: Self::State) -> bool;

    /// A number for a state, different for different ones.
    fn state_key(state: Self::State) -> u64;
}

/// One action that was tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchNode {
    /// The visit that led here; none at the root.
    pub parent: Option<usize>,
    /// What was tried.
    pub action: Action,
    /// Its class: 0 is what the document prefers.
    pub priority: u8,
    /// Steps taken with it.
    pub depth: u8,
    /// Whether it brought about what was looked for.
    pub found: bool,
}

/// All visits in the order in which they were made.
#[derive(Clone, Debug, Default)]
pub struct SearchTree(pub Vec<SearchNode>);

/// More boards than this are not made for one aim: such a search would not be directed any more.
const MAX_NODES: u64 = 20_000;

/// Boards met, by key and state, with the most steps left.
type VisitedBoards = KeyMap<u8>;

pub(super) struct TacticSearch<'a, T> {
    tactic: &'a T,
    side: Side,
    start: Board,
    seen: VisitedBoards,
    effort: &'a mut SearchStats,
    limit: u64,
    line: Vec<Action>,
    /// Without an own piece lost, and with one.
    lossless: Option<Turn>,
    lossy: Option<Turn>,
}

/// Looks for one line; the first that loses no own piece, or else the first.
pub(super) fn search<T: Tactic>(
    tactic: &T,
    board: &Board,
    side: Side,
    steps: u8,
    state: T::State,
    effort: &mut SearchStats,
) -> Option<Turn> {
    let limit = effort.nodes + MAX_NODES;
    let mut search = TacticSearch {
        tactic,
        side,
        start: *board,
        seen: VisitedBoards::default(),
        effort,
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
        // What has one step left needs no memory: nothing is tried twice below it.
        if 1 < left {
            let known = self.seen.entry(board.key() ^ T::state_key(state)).or_insert(0);
            if left <= *known {
                return;
            }
            *known = left;
        }
        let mut actions: Vec<(u8, u32, Action)> = Vec::new();
        board.for_each_action(self.side, left, |action| {
            if let Some(class) = self.tactic.priority(board, state, &action, left, left - bound) {
                actions.push((class, order(&action), action));
            }
        });
        actions.sort_unstable_by_key(|&(class, order, _)| (class, order));
        for (class, _, action) in actions {
            if self.lossless.is_some() || self.limit <= self.effort.nodes {
                return;
            }
            self.effort.nodes += u64::from(action.len());
            let after = board.after_action(action);
            let next = self.tactic.next_state(state, &action);
            let found = self.tactic.is_achieved(board, &after, next);
            self.line.push(action);
            let depth: u8 = self.line.iter().map(|action| action.len()).sum();
            let place = self.effort.tree.as_mut().map(|tree| {
                tree.0.push(SearchNode { parent, action, priority: class, depth, found });
                tree.0.len() - 1
            });
            if found {
                self.keep(&after);
            } else if action.len() < left {
                self.visit(&after, next, left - action.len(), place);
            }
            self.line.pop();
        }
    }

    fn keep(&mut self, after: &Board) {
        let turn: Turn = self.line.iter().flat_map(|action| action.steps()).collect();
        let whole = self.start.by_side(self.side).len() == after.by_side(self.side).len();
        if whole {
            self.lossless = Some(turn);
        } else if self.lossy.is_none() {
            self.lossy = Some(turn);
        }
    }
}

/// Ascending cells: where the first step begins and ends, then the second.
fn order(action: &Action) -> u32 {
    let number = |step: Step| (step.from().index() << 6 | step.to().index()) as u32;
    number(action.first) << 12 | action.second.map_or(0, number)
}
