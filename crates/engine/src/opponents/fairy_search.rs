//! Alpha-beta by steps: a table, killers and a history for the order, nothing left out.

use surus_play::Stop;

use super::fairy_eval::score;
use crate::mcts::state::{Root, State};
use crate::mcts::way::{Way, Ways};

pub(super) const WIN: i32 = 100_000;

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
            history: vec![0; Way::COUNT],
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

    /// Searches so many steps deep. Nothing comes back if it was ended before.
    pub(super) fn root(&mut self, root: &Root, depth: i32) -> Option<(i32, Vec<Way>)> {
        let score = self.search(root, &root.state, depth, (-WIN - 1, WIN + 1), 0);
        (!self.over).then(|| (score, self.line(root)))
    }

    /// The best ways of the root's turn, as the table has them.
    fn line(&self, root: &Root) -> Vec<Way> {
        let mut state = root.state;
        let mut line = Vec::new();
        while state.ply == root.state.ply && line.len() < 4 {
            let slot = self.slot(state.key());
            if slot.key != state.key() {
                break;
            }
            line.push(Way(slot.way));
            state.play(Way(slot.way));
        }
        line
    }

    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.table.len() as u128) >> 64) as usize
    }

    fn slot(&self, key: u64) -> Slot {
        self.table[self.index(key)]
    }

    fn search(
        &mut self,
        root: &Root,
        state: &State,
        depth: i32,
        (alpha, beta): (i32, i32),
        level: usize,
    ) -> i32 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) && self.stop.winding_down() || self.most <= self.nodes {
            self.over = true;
        }
        let side = state.position.side();
        if self.over || depth <= 0 || DEEPEST <= level + 1 {
            return score(state.position.board(), side);
        }
        let key = state.key();
        let slot = self.slot(key);
        let known = slot.key == key;
        if known && level != 0 && depth <= i32::from(slot.depth) {
            match slot.bound {
                0 => return slot.score,
                1 if beta <= slot.score => return slot.score,
                2 if slot.score <= alpha => return slot.score,
                _ => {}
            }
        }
        let mut ways = Ways::new();
        if level != 0 || Root::openings(&state.position, |way| ways.push(way)) {
            ways.add_all(state.position.board(), side, state.position.steps_left());
            if state.position.steps_taken() != 0 {
                ways.push(Way::pass(side));
            }
        }
        self.order(state, &mut ways, if known { slot.way } else { 0 }, level);
        let mut best = (-WIN + level as i32, Way(0));
        let mut low = alpha;
        for &way in ways.as_mut().iter() {
            // Only the first is expected to be good; of the others it is asked whether they are better.
            let window = if best.1 == Way(0) { (low, beta) } else { (low, low + 1) };
            let Some(mut value) = self.way(root, state, way, depth, window, level) else { continue };
            if window.1 <= value && value < beta && !self.over {
                value = self.way(root, state, way, depth, (low, beta), level).unwrap_or(value);
            }
            if best.0 < value || best.1 == Way(0) {
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
            let index = self.index(key);
            self.table[index] = Slot { key, score: best.0, depth: depth as i8, bound, way: best.1.0 };
        }
        best.0
    }

    /// The worth of one way; nothing if it is not allowed.
    fn way(
        &mut self,
        root: &Root,
        state: &State,
        way: Way,
        depth: i32,
        (alpha, beta): (i32, i32),
        level: usize,
    ) -> Option<i32> {
        let side = state.position.side();
        let mut after = *state;
        after.play(way);
        let board = after.position.board();
        let ends = after.ply != state.ply;
        if *board == state.start || ends && root.forbids(board, side) {
            return None;
        }
        // The steps that a pass gives away are gone for the depth, too.
        let used = if way.is_pass() { state.position.steps_left() } else { way.len() };
        let left = depth - i32::from(used);
        if !ends {
            return Some(self.search(root, &after, left, (alpha, beta), level + 1));
        }
        match root.winner(board, side) {
            Some(winner) if winner == side => Some(WIN - level as i32),
            Some(_) => Some(level as i32 - WIN),
            None => Some(-self.search(root, &after, left, (-beta, -alpha), level + 1)),
        }
    }

    /// What was good before comes first, then captures, then what was good elsewhere.
    fn order(&self, state: &State, ways: &mut Ways, hash: u16, level: usize) {
        let board = state.position.board();
        let enemies = board.side(state.position.side().other()).len();
        let captures = |way: Way| {
            way.displaces() && way.applied(board).side(state.position.side().other()).len() < enemies
        };
        let rank = |way: Way| match way {
            Way(code) if code == hash && hash != 0 => u32::MAX,
            way if captures(way) => u32::MAX - 1,
            Way(code) if self.killers[level].contains(&code) => u32::MAX - 2,
            Way(code) => self.history[code as usize],
        };
        let ways = ways.as_mut();
        let mut ranks = [(0, Way(0)); Ways::MOST];
        let ranked = &mut ranks[..ways.len()];
        for (slot, &way) in ranked.iter_mut().zip(ways.iter()) {
            // Equals stay in the order of the rules.
            *slot = (rank(way), way);
        }
        ranked.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
        ways.iter_mut().zip(ranked).for_each(|(way, (_, best))| *way = *best);
    }

    fn reward(&mut self, way: Way, depth: i32, level: usize) {
        let seen = &mut self.killers[level];
        if seen[0] != way.0 {
            *seen = [way.0, seen[0]];
        }
        let entry = &mut self.history[way.0 as usize];
        *entry = (*entry + (depth * depth) as u32).min(u32::MAX / 2);
    }
}
