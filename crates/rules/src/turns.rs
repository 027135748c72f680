//! The distinct turns of a position.

use crate::{Action, Bitboard, Board, Direction, Position, Side, Step, Turn};

/// The distinct turns of a position, one for each board that a turn can lead to, found by breadth-first search.
///
/// The search branches on actions, so that the board and the steps left determine what can follow, and each board is
/// expanded only once, with the most steps left. Each turn has the fewest steps that lead to its board. Repetition is
/// not checked here; see [`Game::legal_turns`](crate::Game::legal_turns).
///
/// Two actions that do not interact lead to the same board in either order, so one order is enough: an action is skipped
/// where it could as well have come before the last one and has the smaller ordering key. No board is lost: among all
/// pairs of a board and a last action that lead to a given board in the fewest steps, take the pair whose action has the
/// highest key. If it were skipped, exchanging its action with the one before would give such a pair with a higher key.
///
/// ```
/// use surus_rules::{DistinctTurns, Position};
///
/// let position: Position = "g [                                   E                            ]".parse()?;
/// let turns = DistinctTurns::new(&position, position.board(), 2);
/// // Four squares with one step, eight more with two.
/// assert_eq!(turns.len(), 12);
/// assert!(turns.iter().all(|(turn, board)| turn.len() <= 2 && board != position.board()));
/// # Ok::<(), surus_rules::PositionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DistinctTurns {
    nodes: Vec<Node>,
    table: Table,
    start: Board,
    can_end_at_root: bool,
    layers: [Vec<u32>; Turn::MAX + 1],
}

#[derive(Clone, Copy, Debug)]
struct Node {
    board: Board,
    parent: u32,
    /// Steps taken in the turn, including those before the root.
    taken: u8,
    /// The action that led here from the parent; `None` for the root.
    action: Option<Action>,
    /// The [`ordering_key`] of that action, or 0 if it completed a push or pull and could not have come later.
    ordering_key: u32,
}

impl DistinctTurns {
    /// All ways to finish the turn that started on `start` and has reached `position`, with at most `max_steps` further
    /// steps.
    #[must_use]
    pub fn new(position: &Position, start: &Board, max_steps: u8) -> Self {
        let mut turns = Self {
            nodes: Vec::new(),
            table: Table::default(),
            start: *start,
            can_end_at_root: false,
            layers: Default::default(),
        };
        turns.regenerate(position, start, max_steps);
        turns
    }

    /// The same as [`DistinctTurns::new`], reusing memory.
    pub fn regenerate(&mut self, position: &Position, start: &Board, max_steps: u8) {
        self.nodes.clear();
        self.table.clear();
        self.layers.iter_mut().for_each(Vec::clear);
        self.start = *start;
        self.can_end_at_root = position.steps_taken() != 0 && position.can_end_turn(start);
        let (side, first) = (position.side(), position.steps_taken());
        let last = first.saturating_add(max_steps).min(Turn::MAX as u8);
        let root = Node { board: *position.board(), parent: 0, taken: first, action: None, ordering_key: 0 };
        if position.is_mid_push() {
            // The turn cannot end here, but it may end on this board if later steps restore it.
            self.nodes.push(root);
        } else {
            self.insert(root, last);
        }
        if first < last {
            self.expand_root(position, last);
        }
        for taken in first + 1..last {
            // A layer grows only while the layers before it are expanded.
            let layer = std::mem::take(&mut self.layers[taken as usize]);
            for &index in &layer {
                if self.nodes[index as usize].taken == taken {
                    self.expand(index, side, last);
                }
            }
            self.layers[taken as usize] = layer;
        }
    }

    /// The root may be in mid-push or after a step that a pull can follow.
    fn expand_root(&mut self, position: &Position, last: u8) {
        let (board, taken) = (*position.board(), position.steps_taken());
        position.for_each_completion(|step| {
            let (board, action) = (board.after_step(step), Some(Action::single(step)));
            self.insert(Node { board, parent: 0, taken: taken + 1, action, ordering_key: 0 }, last);
        });
        if !position.is_mid_push() {
            self.expand(0, position.side(), last);
        }
    }

    fn expand(&mut self, index: u32, side: Side, last: u8) {
        let Node { board, taken, action, ordering_key: last_key, .. } = self.nodes[index as usize];
        let near = action.map_or(Bitboard::ALL, Action::interaction_zone);
        // The same condition for all single steps at once; pushes and pulls are checked one by one.
        let worthwhile = |direction: Direction| {
            near | near.shifted(direction.opposite()) | not_before(last_key, direction)
        };
        board.for_each_action_within(side, board.mobile(side), last - taken, worthwhile, |action| {
            let ordering_key = ordering_key(action);
            if ordering_key < last_key && (action.touched() & near).is_empty() {
                return;
            }
            let (board, taken) = (board.after_action(action), taken + action.len());
            self.insert(Node { board, parent: index, taken, action: Some(action), ordering_key }, last);
        });
    }

    #[inline(always)]
    fn insert(&mut self, node: Node, last: u8) {
        let (index, taken) = (self.nodes.len() as u32, node.taken);
        let nodes = &self.nodes;
        let is_same = |existing: u32| nodes[existing as usize].board == node.board;
        if let Some(existing) = self.table.find_or_insert(node.board.key(), index, is_same) {
            let entry = &mut self.nodes[existing as usize];
            // With captures the first sequence found may be longer than another; the shorter one leaves more steps.
            if taken < entry.taken {
                *entry = node;
                self.layers[taken as usize].push(existing);
            }
            return;
        }
        self.nodes.push(node);
        if taken < last {
            self.layers[taken as usize].push(index);
        }
        if self.table.is_crowded() {
            // A root in mid-push is not in the table.
            let first = self.nodes.len() - self.table.used;
            self.table.grow((0..).zip(self.nodes.iter().map(|node| node.board.key())).skip(first));
        }
    }

    /// The boards that turns lead to.
    pub fn boards(&self) -> impl Iterator<Item = &Board> {
        self.ends().map(|(_, node)| &node.board)
    }

    /// The turns, as the steps that follow the given position, with the boards they lead to.
    pub fn iter(&self) -> impl Iterator<Item = (Turn, &Board)> {
        self.ends().map(|(index, node)| (self.turn_to(index), &node.board))
    }

    /// The number of distinct turns.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends().count()
    }

    /// Whether there are no turns.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends().next().is_none()
    }

    fn ends(&self) -> impl Iterator<Item = (usize, &Node)> {
        let skipped = usize::from(!self.can_end_at_root);
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

/// An arbitrary order of actions in which actions that commute differ.
#[inline]
fn ordering_key(action: Action) -> u32 {
    let number = |step: Step| u32::from(step.code()) + 1;
    number(action.first) << 16 | action.second.map_or(0, number)
}

/// The squares from which a single step in this direction has at least this key, or the one before it.
#[inline]
fn not_before(ordering_key: u32, direction: Direction) -> Bitboard {
    let first = ((ordering_key >> 16) + 2).saturating_sub(direction as u32) / 4;
    Bitboard(u64::MAX.checked_shl(first).unwrap_or(0))
}

/// Indices of nodes by board key, with open addressing. A slot holds part of a key and an index.
#[derive(Clone, Debug, Default)]
struct Table {
    /// Small entries, because most of the time is spent waiting for them.
    slots: Vec<u32>,
    used: usize,
}

/// The low bits of a slot are an index plus one, the others eight bits of a key.
const INDEX: u32 = (1 << 24) - 1;

/// The bits of a key that are stored in a slot; the lowest bits choose the slot.
#[inline]
const fn tag(key: u64) -> u32 {
    (key >> 32) as u32 & !INDEX
}

impl Table {
    fn clear(&mut self) {
        // Shrinks a table that has grown, which would no longer fit into the cache.
        self.slots.clear();
        self.slots.resize(1 << 16, 0);
        self.used = 0;
    }

    /// The index stored for the key for which `is_same` holds. If there is none, `new` is inserted.
    #[inline]
    fn find_or_insert(&mut self, key: u64, new: u32, is_same: impl Fn(u32) -> bool) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut slot_index = key as usize & mask;
        loop {
            let slot = self.slots[slot_index];
            if slot == 0 {
                break;
            }
            let index = (slot & INDEX) - 1;
            if slot & !INDEX == tag(key) && is_same(index) {
                return Some(index);
            }
            slot_index = (slot_index + 1) & mask;
        }
        self.slots[slot_index] = tag(key) | (new + 1);
        self.used += 1;
        None
    }

    /// Whether the table should [`grow`](Self::grow).
    #[inline]
    fn is_crowded(&self) -> bool {
        2 * self.used > self.slots.len()
    }

    fn grow(&mut self, keys: impl Iterator<Item = (u32, u64)>) {
        let size = 4 * self.slots.len();
        self.slots.clear();
        self.slots.resize(size, 0);
        for (index, key) in keys {
            let mut slot_index = key as usize & (size - 1);
            while self.slots[slot_index] != 0 {
                slot_index = (slot_index + 1) & (size - 1);
            }
            self.slots[slot_index] = tag(key) | (index + 1);
        }
    }
}
