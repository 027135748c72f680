//! Full-width alpha-beta over steps with a transposition table, killers and history.

use surus_play::StopToken;
use surus_rules::{Board, PackedAction, Score, Side};

use super::tweaks::{FairylikeOptions, score};
use crate::common::action_list::ActionList;
use crate::common::resources;
use crate::common::turn_state::{SearchRoot, TurnState};

pub(super) const WIN: i32 = 100_000;
/// No static score exceeds this.
const MIN_PROVEN_WIN: i32 = WIN / 2;
const REFUTED: i32 = -MIN_PROVEN_WIN;
/// The reduction of a win score per turn.
pub(super) const TURN_COST: i32 = 1_000;

/// A node of the search.
#[derive(Clone, Copy)]
struct Node<'a> {
    root: &'a SearchRoot,
    state: TurnState,
    /// Actions from the root.
    ply: usize,
}

impl Node<'_> {
    /// The reduction of a win score by the turns and actions it takes.
    const fn distance(&self) -> i32 {
        (self.state.turn_number - self.root.state.turn_number) as i32 * TURN_COST + self.ply as i32
    }
}

/// Converts a score of the side to move at the root for reports.
pub(super) const fn to_report(score: i32) -> Score {
    let turns = ((WIN - score.abs()) / TURN_COST) as u32;
    match score {
        MIN_PROVEN_WIN.. => Score::Win { turns: turns / 2 + 1 },
        ..=REFUTED => Score::Loss { turns: turns.div_ceil(2) },
        score => Score::Centirabbits(score),
    }
}

/// Maximum number of actions in a line.
const MAX_PLY: usize = 64;

/// An entry of the transposition table.
#[derive(Clone, Copy, Default)]
struct TtEntry {
    key: u64,
    score: i32,
    depth: i8,
    /// Whether the score is exact (0), a lower bound (1) or an upper bound (2).
    bound: u8,
    action: u16,
}

/// The search with its tables.
pub(super) struct FairySearch {
    /// Those of the evaluation.
    options: FairylikeOptions,
    tt: Vec<TtEntry>,
    history: Vec<u32>,
    killers: [[u16; 2]; MAX_PLY],
    pub(super) nodes: u64,
    node_limit: u64,
    stop: StopToken,
    aborted: bool,
}

impl FairySearch {
    pub(super) fn new(options: FairylikeOptions) -> Self {
        let entries = ((options.hash as usize) << 20) / size_of::<TtEntry>();
        Self {
            options,
            tt: resources::table(entries, TtEntry::default),
            history: vec![0; PackedAction::COUNT],
            killers: [[0; 2]; MAX_PLY],
            nodes: 0,
            node_limit: 0,
            stop: StopToken::default(),
            aborted: false,
        }
    }

    /// Prepares for another turn; the transposition table is kept.
    pub(super) fn prepare(&mut self, node_limit: u64, stop: StopToken) {
        self.history.iter_mut().for_each(|entry| *entry /= 8);
        self.killers = [[0; 2]; MAX_PLY];
        (self.nodes, self.node_limit, self.stop, self.aborted) = (0, node_limit, stop, false);
    }

    /// Whether a limit was reached, so that the last result is invalid.
    pub(super) const fn is_aborted(&self) -> bool {
        self.aborted
    }

    /// The static score of a board for the side that ended its turn on it.
    pub(super) fn evaluate_end(&mut self, root: &SearchRoot, board: &Board, side: Side) -> i32 {
        self.count();
        match root.winner(board, side) {
            Some(winner) if winner == side => WIN,
            Some(_) => -WIN,
            None => score(&self.options, board, side),
        }
    }

    /// The score of a state after a turn for the side that played it.
    pub(super) fn after_turn(
        &mut self,
        root: &SearchRoot,
        state: &TurnState,
        depth: i32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        -self.search(&Node { root, state: *state, ply: 1 }, depth, -beta, -alpha)
    }

    fn count(&mut self) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) && self.stop.soft_limit_reached() || self.nodes > self.node_limit {
            self.aborted = true;
        }
    }

    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.tt.len() as u128) >> 64) as usize
    }

    fn entry(&self, key: u64) -> TtEntry {
        self.tt[self.index(key)]
    }

    fn search(&mut self, node: &Node<'_>, depth: i32, alpha: i32, beta: i32) -> i32 {
        if self.aborted {
            return 0;
        }
        let (state, ply) = (&node.state, node.ply);
        let side = state.position.side();
        let key = state.key();
        let entry = self.entry(key);
        let found = entry.key == key;
        if found && i32::from(entry.depth) >= depth {
            match entry.bound {
                0 => return entry.score,
                1 if entry.score >= beta => return entry.score,
                2 if entry.score <= alpha => return entry.score,
                _ => {}
            }
        }
        self.count();
        if depth <= 0 || ply + 1 >= MAX_PLY {
            let score = score(&self.options, state.position.board(), side);
            // Many orders of steps lead to the same leaf, which is evaluated once.
            self.store(TtEntry { key, score, depth: 0, bound: 0, action: 0 });
            return score;
        }
        let mut actions = ActionList::new();
        actions.add_all(state.position.board(), side, state.position.steps_left());
        if state.position.steps_taken() != 0 {
            actions.push(PackedAction::pass(side));
        }
        self.order(state, &mut actions, if found { entry.action } else { 0 }, ply);
        let mut best = (-WIN + node.distance(), PackedAction::NONE);
        let mut low = alpha;
        for &action in actions.as_mut().iter() {
            // PVS: full window for the first action, null window for the rest.
            let high = if best.1 == PackedAction::NONE { beta } else { low + 1 };
            let Some(mut value) = self.search_action(node, action, depth, low, high) else {
                continue;
            };
            if self.aborted {
                return 0;
            }
            if value >= high && value < beta {
                value = self.search_action(node, action, depth, low, beta).unwrap_or(value);
            }
            if value > best.0 || best.1 == PackedAction::NONE {
                best = (value, action);
            }
            low = low.max(best.0);
            if best.0 >= beta {
                self.update_history(action, depth, ply);
                break;
            }
        }
        if !self.aborted {
            let bound = if best.0 >= beta { 1 } else { 2 * u8::from(best.0 <= alpha) };
            self.store(TtEntry { key, score: best.0, depth: depth as i8, bound, action: best.1.0 });
        }
        best.0
    }

    fn store(&mut self, entry: TtEntry) {
        let index = self.index(entry.key);
        self.tt[index] = entry;
    }

    /// The score of an action; `None` if it is illegal.
    fn search_action(
        &mut self,
        node: &Node<'_>,
        action: PackedAction,
        depth: i32,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        let (root, state) = (node.root, &node.state);
        let side = state.position.side();
        let mut after = *state;
        after.play(action);
        let board = after.position.board();
        let ends = after.turn_number != state.turn_number;
        if *board == state.turn_start || ends && root.forbids_repetition(board, side) {
            return None;
        }
        // The steps that a pass forgoes also reduce the depth.
        let used = if action.is_pass() { state.position.steps_left() } else { action.len() };
        let depth_left = depth - i32::from(used);
        let child = Node { root, state: after, ply: node.ply + 1 };
        if !ends {
            return Some(self.search(&child, depth_left, alpha, beta));
        }
        match root.winner(board, side) {
            Some(winner) if winner == side => Some(WIN - node.distance()),
            Some(_) => Some(node.distance() - WIN),
            None => Some(-self.search(&child, depth_left, -beta, -alpha)),
        }
    }

    /// Orders the hash action first, then captures, killers, and the rest by history.
    fn order(&self, state: &TurnState, actions: &mut ActionList, hash: u16, ply: usize) {
        let board = state.position.board();
        let enemies = board.by_side(state.position.side().other()).len();
        let captures = |action: PackedAction| {
            action.displaces() && action.after(board).by_side(state.position.side().other()).len() < enemies
        };
        let score = |action: PackedAction| match action {
            PackedAction(code) if code == hash && hash != 0 => u32::MAX,
            action if captures(action) => u32::MAX - 1,
            PackedAction(code) if self.killers[ply].contains(&code) => u32::MAX - 2,
            PackedAction(code) => self.history[code as usize],
        };
        let actions = actions.as_mut();
        let mut scored = [(0, PackedAction::NONE); ActionList::MAX_LEN];
        let list = &mut scored[..actions.len()];
        for (entry, &action) in list.iter_mut().zip(actions.iter()) {
            // The sort is stable, so that the order is reproducible.
            *entry = (score(action), action);
        }
        list.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        actions.iter_mut().zip(list).for_each(|(action, (_, best))| *action = *best);
    }

    fn update_history(&mut self, action: PackedAction, depth: i32, ply: usize) {
        let killers = &mut self.killers[ply];
        if killers[0] != action.0 {
            *killers = [action.0, killers[0]];
        }
        let entry = &mut self.history[action.index()];
        *entry = (*entry + (depth * depth) as u32).min(u32::MAX / 2);
    }
}
