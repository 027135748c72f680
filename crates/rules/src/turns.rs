//! All distinct turns of a position, each with one sequence of steps.

use crate::{Action, Bitboard, Board, Direction, Pending, Position, Side, Step, Turn};

/// The distinct boards that a turn can lead to, found by breadth-first search over actions.
///
/// A push or pull is one action here, so that nothing but the board and the steps left decides what can follow,
/// and a board needs to be looked at only once, with the most steps left. Each turn has the fewest steps that
/// lead to its board. Repetition is not looked at: that is the game's question.
///
/// Two actions that have nothing to do with each other lead to the same board in either order, so one order is
/// enough: an action is left out where it could as well have come before the last one and has the smaller
/// rank. No board is lost by that. Take a board and, among all pairs of a board before it and a last action that
/// lead to it in the fewest steps, the pair whose action has the highest rank. If it were left out, exchanging its
/// action with the one before would give such a pair with an action of higher rank.
#[derive(Clone, Debug)]
pub struct DistinctTurns {
    nodes: Vec<Node>,
    table: Table,
    start: Board,
    root_may_end: bool,
    layers: [Vec<u32>; Turn::MAX + 1],
}

#[derive(Clone, Copy, Debug)]
struct Node {
    board: Board,
    parent: u32,
    /// Steps of the turn taken, those before the root included.
    taken: u8,
    /// What led here from the parent; the root has none.
    action: Option<Action>,
    /// The rank of that action, or 0 if it could not have come later, so that nothing is to be exchanged with it.
    rank: u32,
}

impl DistinctTurns {
    /// All ways to finish a turn that began on `start` and has come to `position`, with at most `most` further
    /// steps (four for all).
    #[must_use]
    pub fn new(position: &Position, start: &Board, most: u8) -> Self {
        let mut turns = Self {
            nodes: Vec::new(),
            table: Table::default(),
            start: *start,
            root_may_end: false,
            layers: Default::default(),
        };
        turns.regenerate(position, start, most);
        turns
    }

    /// The same as [`DistinctTurns::new`] in memory that is there already.
    pub fn regenerate(&mut self, position: &Position, start: &Board, most: u8) {
        self.nodes.clear();
        self.table.clear();
        self.layers.iter_mut().for_each(Vec::clear);
        self.start = *start;
        self.root_may_end = position.steps_taken() != 0 && position.can_end_turn(start);
        let (side, first) = (position.side(), position.steps_taken());
        let last = first.saturating_add(most).min(Turn::MAX as u8);
        let root = Node { board: *position.board(), parent: 0, taken: first, action: None, rank: 0 };
        if position.is_mid_push() {
            // This board can't end the turn here, but it may at the end of another way that comes back to it.
            self.nodes.push(root);
        } else {
            self.insert(root, last);
        }
        if first < last {
            self.expand_root(position, last);
        }
        for taken in first + 1..last {
            // A layer grows only from the layers before it, never while it is worked on.
            let layer = std::mem::take(&mut self.layers[taken as usize]);
            for &index in &layer {
                if self.nodes[index as usize].taken == taken {
                    self.expand(index, side, last);
                }
            }
            self.layers[taken as usize] = layer;
        }
    }

    /// The root may stand in the middle of a push or after a step that a pull can follow.
    fn expand_root(&mut self, position: &Position, last: u8) {
        let (board, taken) = (*position.board(), position.steps_taken());
        if !matches!(position.pending(), Pending::None) {
            position.for_each_step(|first, pending| {
                if matches!(pending, Pending::None) {
                    let (board, action) = (board.after_step(first), Some(Action { first, second: None }));
                    self.insert(Node { board, parent: 0, taken: taken + 1, action, rank: 0 }, last);
                }
            });
        }
        if !position.is_mid_push() {
            self.expand(0, position.side(), last);
        }
    }

    fn expand(&mut self, index: u32, side: Side, last: u8) {
        let Node { board, taken, action, rank: last_rank, .. } = self.nodes[index as usize];
        let near = action.map_or(Bitboard::ALL, Action::interaction_zone);
        // The same question for all single steps at once, and for pushes and pulls one by one.
        let worthwhile = |direction: Direction| {
            near | near.shifted(direction.opposite()) | not_before(last_rank, direction)
        };
        board.for_each_action_from(side, last - taken, worthwhile, |action| {
            let rank = ordering_key(action);
            if rank < last_rank && (action.touched() & near).is_empty() {
                return;
            }
            let (board, taken) = (board.after_action(action), taken + action.len());
            self.insert(Node { board, parent: index, taken, action: Some(action), rank }, last);
        });
    }

    #[inline(always)]
    fn insert(&mut self, node: Node, last: u8) {
        let (index, taken) = (self.nodes.len() as u32, node.taken);
        let nodes = &self.nodes;
        let is_it = |known: u32| nodes[known as usize].board == node.board;
        if let Some(known) = self.table.find_or_insert(node.board.key(), index, is_it) {
            let old = &mut self.nodes[known as usize];
            // Captures can make a longer way the first one found; the shorter one leaves more steps.
            if taken < old.taken {
                *old = node;
                self.layers[taken as usize].push(known);
            }
            return;
        }
        self.nodes.push(node);
        if taken < last {
            self.layers[taken as usize].push(index);
        }
        if self.table.is_crowded() {
            // The root of a turn in mid-push is not to be found.
            let first = self.nodes.len() - self.table.used;
            self.table.grow((0..).zip(self.nodes.iter().map(|node| node.board.key())).skip(first));
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

/// Any order of actions will do, as long as different actions that can be exchanged differ in it.
#[inline]
fn ordering_key(action: Action) -> u32 {
    let number = |step: Step| step.from().index() as u32 * 4 + step.direction() as u32 + 1;
    number(action.first) << 16 | action.second.map_or(0, number)
}

/// The squares from which a single step in this direction has at least this rank (or one that is next to it).
#[inline]
fn not_before(rank: u32, direction: Direction) -> Bitboard {
    let first = ((rank >> 16) + 2).saturating_sub(direction as u32) / 4;
    Bitboard(u64::MAX.checked_shl(first).unwrap_or(0))
}

/// Finds nodes by the keys of their boards: open addressing, each slot a part of a key and an index.
#[derive(Clone, Debug, Default)]
struct Table {
    /// Small, because to wait for them is what most of the time goes into.
    slots: Vec<u32>,
    used: usize,
}

/// The low bits of a slot hold an index plus one, the rest eight bits of a key.
const INDEX: u32 = (1 << 24) - 1;

/// The bits of a key that a slot remembers, away from those that choose the slot.
#[inline]
const fn tag(key: u64) -> u32 {
    (key >> 32) as u32 & !INDEX
}

impl Table {
    fn clear(&mut self) {
        // A table that one crowded position has made large would cost the next ones their cache.
        self.slots.clear();
        self.slots.resize(1 << 16, 0);
        self.used = 0;
    }

    /// The index of the key for which `is_it` holds; if there is none, `new` belongs to the key from now on.
    #[inline]
    fn find_or_insert(&mut self, key: u64, new: u32, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut place = key as usize & mask;
        loop {
            let slot = self.slots[place];
            if slot == 0 {
                break;
            }
            let index = (slot & INDEX) - 1;
            if slot & !INDEX == tag(key) && is_it(index) {
                return Some(index);
            }
            place = (place + 1) & mask;
        }
        self.slots[place] = tag(key) | (new + 1);
        self.used += 1;
        None
    }

    /// Whether it is time to [`Table::grow`].
    #[inline]
    fn is_crowded(&self) -> bool {
        self.slots.len() < 2 * self.used
    }

    fn grow(&mut self, keys: impl Iterator<Item = (u32, u64)>) {
        let size = 4 * self.slots.len();
        self.slots.clear();
        self.slots.resize(size, 0);
        for (index, key) in keys {
            let mut place = key as usize & (size - 1);
            while self.slots[place] != 0 {
                place = (place + 1) & (size - 1);
            }
            self.slots[place] = tag(key) | (index + 1);
        }
    }
}
