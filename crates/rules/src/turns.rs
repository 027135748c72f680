//! All distinct turns of a position, each with one sequence of steps.

use crate::{Action, Board, Pending, Position, Side, Turn};

/// The distinct boards that a turn can lead to, found by breadth-first search over actions.
///
/// A push or pull is one action here, so that nothing but the board and the steps left decides what can follow,
/// and a board needs to be looked at only once, with the most steps left. Each turn has the fewest steps that
/// lead to its board, and among those the first in the order of [`Board::for_each_action`]. Repetition is not
/// looked at: that is the game's question.
#[derive(Clone, Debug)]
pub struct Turns {
    nodes: Vec<Node>,
    /// Open addressing: 0 is free, else the index of a node plus one.
    table: Vec<u32>,
    start: Board,
    root_may_end: bool,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    board: Board,
    parent: u32,
    /// Steps of the turn taken, those before the root included.
    taken: u8,
    /// What led here from the parent; the root has none.
    action: Option<Action>,
}

impl Turns {
    /// All ways to finish a turn that began on `start` and has come to `position`, with at most `most` further
    /// steps (four for all).
    #[must_use]
    pub fn new(position: &Position, start: &Board, most: u8) -> Self {
        let mut turns = Self { nodes: Vec::new(), table: Vec::new(), start: *start, root_may_end: false };
        turns.search(position, start, most);
        turns
    }

    /// The same as [`Turns::new`] in memory that is there already.
    pub fn search(&mut self, position: &Position, start: &Board, most: u8) {
        self.nodes.clear();
        self.table.clear();
        self.table.resize(1 << 15, 0);
        self.start = *start;
        self.root_may_end = position.steps_taken() != 0 && position.may_end(start);
        let (side, first) = (position.side(), position.steps_taken());
        let last = first.saturating_add(most).min(Turn::MAX as u8);
        let mut layers: [Vec<u32>; Turn::MAX + 1] = Default::default();
        if position.in_push() {
            // This board can't end the turn here, but it may at the end of another way that comes back to it.
            self.nodes.push(Node { board: *position.board(), parent: 0, taken: first, action: None });
            layers[first as usize].push(0);
        } else {
            self.insert(*position.board(), 0, first, None, &mut layers);
        }
        for taken in first..last {
            // A layer grows only from the layers before it, never while it is worked on.
            let layer = std::mem::take(&mut layers[taken as usize]);
            for index in layer {
                if self.nodes[index as usize].taken == taken {
                    if index == 0 {
                        self.expand_root(position, last, &mut layers);
                    } else {
                        self.expand(index, side, last, &mut layers);
                    }
                }
            }
        }
    }

    fn expand(&mut self, index: u32, side: Side, last: u8, layers: &mut [Vec<u32>; Turn::MAX + 1]) {
        let Node { board, taken, .. } = self.nodes[index as usize];
        board.for_each_action(side, last - taken, |action| {
            self.insert(board.after_action(action), index, taken + action.len(), Some(action), layers);
        });
    }

    /// The root may stand in the middle of a push or after a step that a pull can follow.
    fn expand_root(&mut self, position: &Position, last: u8, layers: &mut [Vec<u32>; Turn::MAX + 1]) {
        let (board, taken) = (*position.board(), position.steps_taken());
        if !matches!(position.pending(), Pending::Nothing) {
            position.for_each_step(|first, pending| {
                if matches!(pending, Pending::Nothing) {
                    self.insert(
                        board.after(first),
                        0,
                        taken + 1,
                        Some(Action { first, second: None }),
                        layers,
                    );
                }
            });
        }
        if !position.in_push() {
            self.expand(0, position.side(), last, layers);
        }
    }

    fn insert(
        &mut self,
        board: Board,
        parent: u32,
        taken: u8,
        action: Option<Action>,
        layers: &mut [Vec<u32>; Turn::MAX + 1],
    ) {
        let mask = self.table.len() - 1;
        let mut slot = board.key() as usize & mask;
        while self.table[slot] != 0 {
            let index = self.table[slot] - 1;
            let node = &mut self.nodes[index as usize];
            if node.board == board {
                // Captures can make a longer way the first one found; the shorter one leaves more steps.
                if taken < node.taken {
                    *node = Node { board, parent, taken, action };
                    layers[taken as usize].push(index);
                }
                return;
            }
            slot = (slot + 1) & mask;
        }
        let index = self.nodes.len() as u32;
        self.table[slot] = index + 1;
        self.nodes.push(Node { board, parent, taken, action });
        if (taken as usize) < Turn::MAX {
            layers[taken as usize].push(index);
        }
        if self.table.len() < 2 * self.nodes.len() {
            self.grow();
        }
    }

    fn grow(&mut self) {
        let size = 4 * self.table.len();
        self.table.clear();
        self.table.resize(size, 0);
        for (index, node) in self.nodes.iter().enumerate() {
            let mut slot = node.board.key() as usize & (size - 1);
            while self.table[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = index as u32 + 1;
        }
    }

    /// The boards that a legal turn leads to.
    pub fn boards(&self) -> impl Iterator<Item = &Board> {
        self.ends().map(|(_, node)| &node.board)
    }

    /// Every turn (the steps from the searched position on) and the board it leads to.
    pub fn iter(&self) -> impl Iterator<Item = (Turn, &Board)> {
        self.ends().map(|(index, node)| (self.turn_to(index), &node.board))
    }

    /// How many distinct turns there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends().count()
    }

    /// Whether there is no turn at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends().next().is_none()
    }

    fn ends(&self) -> impl Iterator<Item = (usize, &Node)> {
        let skipped = usize::from(!self.root_may_end);
        self.nodes.iter().enumerate().skip(skipped).filter(|(_, node)| node.board != self.start)
    }

    fn turn_to(&self, index: usize) -> Turn {
        let mut actions = [None; Turn::MAX];
        let mut node = &self.nodes[index];
        for slot in actions.iter_mut().rev() {
            let Some(action) = node.action else { break };
            *slot = Some(action);
            node = &self.nodes[node.parent as usize];
        }
        actions.into_iter().flatten().flat_map(Action::steps).collect()
    }
}
