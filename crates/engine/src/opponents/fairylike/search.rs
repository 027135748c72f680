//! Alpha-beta by steps: a table, killers and a history for the order, nothing left out.

use surus_play::Stop;
use surus_rules::{Board, Score, Side};

use super::eval::score;
use crate::common::packed_action::{ActionList, PackedAction};
use crate::common::turn_state::{SearchRoot, TurnState};

pub(super) const WIN: i32 = 100_000;
/// No estimate goes beyond this.
const PROVEN: i32 = WIN / 2;
const REFUTED: i32 = -PROVEN;
/// What each turn takes off a win.
pub(super) const TURN_COST: i32 = 1_000;

/// How much less a win is worth that takes more turns, or more actions.
const fn distance(root: &SearchRoot, state: &TurnState, level: usize) -> i32 {
    (state.turn_number - root.state.turn_number) as i32 * TURN_COST + level as i32
}

/// A score for the users of the engine, for the side whose turn is the first.
pub(super) const fn reported(score: i32) -> Score {
    let turns = ((WIN - score.abs()) / TURN_COST) as u32;
    match score {
        PROVEN.. => Score::Win { turns: turns / 2 + 1 },
        ..=REFUTED => Score::Loss { turns: turns.div_ceil(2) },
        score => Score::Centirabbits(score),
    }
}

/// No line is longer, in choices.
const DEEPEST: usize = 64;

/// What a node was worth before.
#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    score: i32,
    depth: i8,
    /// Whether the score is exact (0), at least that (1) or at most that (2).
    bound: u8,
    way: u16,
}

/// A search with its memory.
pub(super) struct FairySearch {
    table: Vec<Slot>,
    history: Vec<u32>,
    killers: [[u16; 2]; DEEPEST],
    pub(super) nodes: u64,
    most: u64,
    stop: Stop,
    over: bool,
}

impl FairySearch {
    pub(super) fn new(megabytes: usize) -> Self {
        let slots = ((megabytes << 20) / size_of::<Slot>()).max(1);
        Self {
            table: vec![Slot::default(); slots],
            history: vec![0; PackedAction::COUNT],
            killers: [[0; 2]; DEEPEST],
            nodes: 0,
            most: 0,
            stop: Stop::default(),
            over: false,
        }
    }

    /// Makes ready for another turn; what is known of the positions after it is kept.
    pub(super) fn begin(&mut self, most: u64, stop: Stop) {
        self.history.iter_mut().for_each(|entry| *entry /= 8);
        self.killers = [[0; 2]; DEEPEST];
        (self.nodes, self.most, self.stop, self.over) = (0, most, stop, false);
    }

    /// Whether the limit was reached, so that what came back last means nothing.
    pub(super) const fn is_over(&self) -> bool {
        self.over
    }

    /// What the end of a turn is worth to the side that played it, without a look further.
    pub(super) fn judge(&mut self, root: &SearchRoot, board: &Board, side: Side) -> i32 {
        self.count();
        match root.winner(board, side) {
            Some(winner) if winner == side => WIN,
            Some(_) => -WIN,
            None => score(board, side),
        }
    }

    /// What a position after a turn is worth to the side that has played it, so many steps further on.
    pub(super) fn after_turn(
        &mut self,
        root: &SearchRoot,
        state: &TurnState,
        depth: i32,
        (alpha, beta): (i32, i32),
    ) -> i32 {
        -self.search(root, state, depth, (-beta, -alpha), 1)
    }

    fn count(&mut self) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) && self.stop.winding_down() || self.most < self.nodes {
            self.over = true;
        }
    }

    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.table.len() as u128) >> 64) as usize
    }

    fn slot(&self, key: u64) -> Slot {
        self.table[self.index(key)]
    }

    fn search(
        &mut self,
        root: &SearchRoot,
        state: &TurnState,
        depth: i32,
        (alpha, beta): (i32, i32),
        level: usize,
    ) -> i32 {
        if self.over {
            return 0;
        }
        let side = state.position.side();
        let key = state.key();
        let slot = self.slot(key);
        let known = slot.key == key;
        if known && depth <= i32::from(slot.depth) {
            match slot.bound {
                0 => return slot.score,
                1 if beta <= slot.score => return slot.score,
                2 if slot.score <= alpha => return slot.score,
                _ => {}
            }
        }
        self.count();
        if depth <= 0 || DEEPEST <= level + 1 {
            let score = score(state.position.board(), side);
            // The same end is reached by many ways, and is judged once.
            self.keep(Slot { key, score, depth: 0, bound: 0, way: 0 });
            return score;
        }
        let mut ways = ActionList::new();
        ways.add_all(state.position.board(), side, state.position.steps_left());
        if state.position.steps_taken() != 0 {
            ways.push(PackedAction::pass(side));
        }
        self.order(state, &mut ways, if known { slot.way } else { 0 }, level);
        let mut best = (-WIN + distance(root, state, level), PackedAction(0));
        let mut low = alpha;
        for &way in ways.as_mut().iter() {
            // Only the first is expected to be good; of the others it is asked whether they are better.
            let window = if best.1 == PackedAction(0) { (low, beta) } else { (low, low + 1) };
            let Some(mut value) = self.way(root, state, way, depth, window, level) else { continue };
            if self.over {
                return 0;
            }
            if window.1 <= value && value < beta {
                value = self.way(root, state, way, depth, (low, beta), level).unwrap_or(value);
            }
            if best.0 < value || best.1 == PackedAction(0) {
                best = (value, way);
            }
            low = low.max(best.0);
            if beta <= best.0 {
                self.reward(way, depth, level);
                break;
            }
        }
        if !self.over {
            let bound = if beta <= best.0 { 1 } else { 2 * u8::from(best.0 <= alpha) };
            self.keep(Slot { key, score: best.0, depth: depth as i8, bound, way: best.1.0 });
        }
        best.0
    }

    fn keep(&mut self, slot: Slot) {
        let index = self.index(slot.key);
        self.table[index] = slot;
    }

    /// The worth of one way; nothing if it is not allowed.
    fn way(
        &mut self,
        root: &SearchRoot,
        state: &TurnState,
        way: PackedAction,
        depth: i32,
        (alpha, beta): (i32, i32),
        level: usize,
    ) -> Option<i32> {
        let side = state.position.side();
        let mut after = *state;
        after.play(way);
        let board = after.position.board();
        let ends = after.turn_number != state.turn_number;
        if *board == state.turn_start || ends && root.forbids_repetition(board, side) {
            return None;
        }
        // The steps that a pass gives away are gone for the depth, too.
        let used = if way.is_pass() { state.position.steps_left() } else { way.len() };
        let left = depth - i32::from(used);
        if !ends {
            return Some(self.search(root, &after, left, (alpha, beta), level + 1));
        }
        match root.winner(board, side) {
            Some(winner) if winner == side => Some(WIN - distance(root, state, level)),
            Some(_) => Some(distance(root, state, level) - WIN),
            None => Some(-self.search(root, &after, left, (-beta, -alpha), level + 1)),
        }
    }

    /// What was good before comes first, then captures, then what was good elsewhere.
    fn order(&self, state: &TurnState, ways: &mut ActionList, hash: u16, level: usize) {
        let board = state.position.board();
        let enemies = board.side(state.position.side().other()).len();
        let captures = |way: PackedAction| {
            way.displaces() && way.applied(board).side(state.position.side().other()).len() < enemies
        };
        let rank = |way: PackedAction| match way {
            PackedAction(code) if code == hash && hash != 0 => u32::MAX,
            way if captures(way) => u32::MAX - 1,
            PackedAction(code) if self.killers[level].contains(&code) => u32::MAX - 2,
            PackedAction(code) => self.history[code as usize],
        };
        let ways = ways.as_mut();
        let mut ranks = [(0, PackedAction(0)); ActionList::MOST];
        let ranked = &mut ranks[..ways.len()];
        for (slot, &way) in ranked.iter_mut().zip(ways.iter()) {
            // Equals stay in the order of the rules.
            *slot = (rank(way), way);
        }
        ranked.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
        ways.iter_mut().zip(ranked).for_each(|(way, (_, best))| *way = *best);
    }

    fn reward(&mut self, way: PackedAction, depth: i32, level: usize) {
        let seen = &mut self.killers[level];
        if seen[0] != way.0 {
            *seen = [way.0, seen[0]];
        }
        let entry = &mut self.history[way.0 as usize];
        *entry = (*entry + (depth * depth) as u32).min(u32::MAX / 2);
    }
}
