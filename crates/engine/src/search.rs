//! Principal variation search over steps, pushes and pulls; depth is counted in steps.

use std::cmp::Reverse;

use surus_play::Stop;
use surus_rules::{Action, Board, Ending, Game, Rules, Side};
use surus_tactics::{elimination, goal};

use crate::eval::Evaluate;
use crate::levels::Care;
use crate::order::{self, Exchange, Memory, NONE, PASS, Way};
use crate::place::Place;
use crate::score::{INFINITE, Score, from_table, is_proven, loss_at, to_table, win_at};
use crate::table::{Bound, Known, Table};
use crate::threads::Crowd;

/// How often the clock is looked at, in nodes.
const PATIENCE: u64 = 512;

/// One choice of a line: an action, or nothing where the turn ends early.
pub(crate) type Choice = Option<Action>;

/// What one search needs.
#[derive(Debug)]
pub(crate) struct Search<'a, E> {
    pub(crate) eval: &'a E,
    pub(crate) table: &'a Table,
    pub(crate) memory: &'a mut Memory,
    pub(crate) stop: &'a Stop,
    /// The other threads of this search, if there are any.
    pub(crate) crowd: Option<&'a Crowd>,
    rules: Rules,
    /// The positions that ended turns of the game, sorted.
    history: Vec<u64>,
    /// Those that end turns between the root and here.
    pub(crate) path: Vec<u64>,
    pub(crate) nodes: u64,
    most_nodes: u64,
    /// Whether to end with the time that is wanted rather than with the most there is.
    pub(crate) at_ease: bool,
    /// How many hundredths of the time that is wanted to use.
    pub(crate) share: u32,
    pub(crate) care: Care,
    /// Boards that the root's turn may not end on, because lines that do are known already.
    pub(crate) barred: Vec<u64>,
    /// A score at the root below this is a reason not to be at ease.
    pub(crate) worry: Score,
    /// Whether the search was ended before it was done; its results mean nothing then.
    pub(crate) over: bool,
    /// The best line from each level on.
    pub(crate) lines: Vec<Vec<Choice>>,
    /// Lists of ways for each level, kept to be filled again.
    ways: Vec<Vec<Way>>,
}

impl<'a, E: Evaluate> Search<'a, E> {
    pub(crate) fn new(
        game: &Game,
        eval: &'a E,
        (table, memory): (&'a Table, &'a mut Memory),
        stop: &'a Stop,
        most_nodes: u64,
    ) -> Self {
        let rules = game.rules();
        let (start, tag) = game.origin();
        let ends = game.entries().iter().map(|entry| (&entry.board, entry.tag.side));
        let mut history: Vec<u64> = std::iter::once((start, tag.side.other()))
            .chain(ends)
            .map(|(board, mover)| end_key(board, mover, rules))
            .collect();
        history.sort_unstable();
        Self {
            eval,
            table,
            memory,
            stop,
            crowd: None,
            rules,
            history,
            path: Vec::new(),
            nodes: 0,
            most_nodes,
            at_ease: false,
            share: 100,
            care: Care::FULL,
            barred: Vec::new(),
            worry: -INFINITE,
            over: false,
            lines: Vec::new(),
            ways: Vec::new(),
        }
    }

    /// Counts a node; false when the search is over.
    #[inline]
    pub(crate) fn enter(&mut self) -> bool {
        if self.most_nodes <= self.nodes {
            self.over = true;
        } else {
            self.nodes += 1;
            if self.nodes.is_multiple_of(PATIENCE) {
                self.over |= self.stop.requested()
                    || self.at_ease && self.stop.past(self.share)
                    || self.crowd.is_some_and(|crowd| crowd.tell(PATIENCE));
            }
        }
        !self.over
    }

    /// The nodes of all threads.
    pub(crate) fn all_nodes(&self) -> u64 {
        self.crowd.map_or(self.nodes, |crowd| crowd.nodes() + self.nodes % PATIENCE)
    }

    /// The key under which the table knows a place; with turns barred the root's turn is not what it is without.
    #[inline]
    pub(crate) fn key(&self, at: &Place) -> u64 {
        let key = at.key();
        if self.barred.is_empty() || !self.path.is_empty() {
            return key;
        }
        self.barred.iter().fold(key, |key, board| key ^ board.rotate_left(17))
    }

    /// Whether a side may not end its turn on this board: it repeats a position for the third time, or is barred.
    pub(crate) fn repeats(&self, board: &Board, mover: Side) -> bool {
        if self.path.is_empty() && self.barred.contains(&board.key()) {
            return true;
        }
        let key = end_key(board, mover, self.rules);
        let from = self.history.partition_point(|&known| known < key);
        let before = self.history[from..].iter().take_while(|&&known| known == key).count();
        2 <= before + self.path.iter().filter(|&&known| known == key).count()
    }

    /// What the rules and exact tactics say at the start of a turn.
    pub(crate) fn decided(&self, at: &Place) -> Option<Score> {
        let (board, side, ply) = (at.board(), at.position.side(), at.ply);
        if let Some(ending) = Ending::of_board(board, side.other(), self.rules) {
            return Some(match ending.winner {
                Some(winner) if winner == side => win_at(ply),
                Some(_) => loss_at(ply),
                None => 0,
            });
        }
        if let Some(steps) = goal(board, side, self.care.sight) {
            return Some(win_at(ply + i32::from(steps)));
        }
        if self.rules.elimination() && board.rabbits(side.other()).len() <= 2 {
            return elimination(board, side, 4).map(|turn| win_at(ply + turn.len() as i32));
        }
        None
    }

    /// The score of a place for its side to move, looking so many steps ahead.
    pub(crate) fn search(&mut self, at: &Place, depth: i32, mut alpha: Score, beta: Score) -> Score {
        if depth <= 0 {
            return self.leaf(at, alpha, beta);
        }
        self.clear_line(at.level);
        if !self.enter() {
            return 0;
        }
        if at.is_turn_start()
            && let Some(score) = self.decided(at)
        {
            return score;
        }
        let in_pv = 1 < beta - alpha;
        let key = self.key(at);
        let known = self.table.get(key);
        if let Some(known) = known
            && !in_pv
        {
            let score = from_table(known.score, at.ply);
            if known.settles(depth, score, alpha, beta) {
                return score;
            }
        }
        if !in_pv && self.null_turn_holds(at, depth, beta) {
            return beta;
        }
        let mut ways = self.ways(at, known.map_or(NONE, |known| known.choice));
        let (mut best, mut best_code, before) = (-INFINITE, NONE, alpha);
        for index in 0..ways.len() {
            bring_best(&mut ways[index..]);
            let way = ways[index];
            let Some(next) = self.follow(at, &way) else { continue };
            let first = best == -INFINITE;
            let score = self.try_way(at, &next, &way, depth, (alpha, beta), (first, index));
            if self.over {
                break;
            }
            if score <= best {
                continue;
            }
            best = score;
            if at.level == 0 {
                self.at_ease = self.worry <= best;
            }
            if alpha < score {
                alpha = score;
                best_code = way.code;
                self.keep_line(at.level, way.action);
            }
            if beta <= score {
                if order::is_quiet(way.rank) || way.rank == i32::MAX {
                    self.memory.reward(at.position.side(), at.level, &way, &ways[..index], depth);
                }
                break;
            }
        }
        self.ways[at.level] = ways;
        if self.over {
            return 0;
        }
        if best == -INFINITE {
            // No way leads to a turn's end that the rules allow.
            return loss_at(at.ply);
        }
        let bound = match best {
            _ if beta <= best => Bound::Lower,
            _ if best <= before => Bound::Upper,
            _ => Bound::Exact,
        };
        self.table.put(key, Known { choice: best_code, score: to_table(best, at.ply), depth, bound });
        best
    }

    /// The score of one way: at full width for the first, else a proof that it is no better, perhaps with less depth.
    fn try_way(
        &mut self,
        at: &Place,
        next: &Place,
        way: &Way,
        depth: i32,
        (alpha, beta): (Score, Score),
        (first, index): (bool, usize),
    ) -> Score {
        let ends = next.is_turn_start();
        let left = depth - (next.ply - at.ply);
        if ends {
            self.path.push(end_key(next.board(), at.position.side(), self.rules));
        }
        let score = if first {
            self.visit(next, left, alpha, beta, ends)
        } else {
            let less = if order::is_quiet(way.rank) { reduction(depth, index) } else { 0 };
            let mut score = self.visit(next, left - less, alpha, alpha + 1, ends);
            if alpha < score && 0 < less {
                score = self.visit(next, left, alpha, alpha + 1, ends);
            }
            if alpha < score && score < beta {
                score = self.visit(next, left, alpha, beta, ends);
            }
            score
        };
        if ends {
            self.path.pop();
        }
        score
    }

    /// The score of a place for the side that led there.
    pub(crate) fn visit(
        &mut self,
        next: &Place,
        depth: i32,
        alpha: Score,
        beta: Score,
        flipped: bool,
    ) -> Score {
        if flipped { -self.search(next, depth, -beta, -alpha) } else { self.search(next, depth, alpha, beta) }
    }

    /// Whether a side would be content even without its turn: then it is with it.
    fn null_turn_holds(&mut self, at: &Place, depth: i32, beta: Score) -> bool {
        if !at.is_turn_start() || depth < 5 || is_proven(beta) || at.level == 0 {
            return false;
        }
        if self.eval.score(at.board(), at.position.side()) < beta {
            return false;
        }
        let next = at.turn_over();
        -self.search(&next, depth - 5, -beta, 1 - beta) >= beta && !self.over
    }

    /// The place that a way leads to, if the rules allow it.
    fn follow(&self, at: &Place, way: &Way) -> Option<Place> {
        let side = at.position.side();
        let next = match way.action {
            Some(action) => at.after(action),
            None => return (!self.repeats(at.board(), side)).then(|| at.turn_over()),
        };
        if next.position.steps_left() != 0 {
            return Some(next);
        }
        if self.repeats(next.board(), side) {
            return None;
        }
        let over = next.turn_over();
        Some(Place { level: next.level, ..over })
    }

    /// All ways to go on, ranked but not sorted.
    fn ways(&mut self, at: &Place, known: u32) -> Vec<Way> {
        if self.ways.len() <= at.level {
            self.ways.resize(at.level + 1, Vec::new());
        }
        let mut ways = std::mem::take(&mut self.ways[at.level]);
        ways.clear();
        let (board, side) = (*at.board(), at.position.side());
        let exchange = Exchange::after(at.last);
        let memory = &*self.memory;
        let mut add = |action: Option<Action>, board_then: Board, code: u32| {
            let mut way = Way { action, board: board_then, code, rank: 0 };
            way.rank = memory.rank(side, at.level, &board, &way, known);
            ways.push(way);
        };
        board.for_each_action(side, at.position.steps_left(), |action| {
            let code = order::code(action);
            if exchange.skips(action, code) {
                return;
            }
            let next = board.after_action(action);
            if !at.has_seen(&next) {
                add(Some(action), next, code);
            }
        });
        if !at.is_turn_start() && board != at.start {
            add(None, board, PASS);
        }
        ways
    }

    fn clear_line(&mut self, level: usize) {
        if self.lines.len() < level + 2 {
            self.lines.resize(level + 2, Vec::new());
        }
        self.lines[level].clear();
        self.lines[level + 1].clear();
    }

    fn keep_line(&mut self, level: usize, choice: Choice) {
        let rest = std::mem::take(&mut self.lines[level + 1]);
        let line = &mut self.lines[level];
        line.clear();
        line.push(choice);
        line.extend_from_slice(&rest);
        self.lines[level + 1] = rest;
    }
}

/// Steps that a late way is looked at less.
fn reduction(depth: i32, index: usize) -> i32 {
    match index {
        0..4 => 0,
        4..16 => i32::from(3 <= depth),
        _ => i32::from(3 <= depth) + i32::from(6 <= depth),
    }
}

/// Brings the way of the highest rank to the front; among equals the first.
fn bring_best(ways: &mut [Way]) {
    let best = (0..ways.len()).min_by_key(|&i| (Reverse(ways[i].rank), i));
    if let Some(best) = best {
        ways.swap(0, best);
    }
}

/// The key of a position as repetition counts it.
pub(crate) fn end_key(board: &Board, mover: Side, rules: Rules) -> u64 {
    let silver = rules.repetition_counts_side() && mover == Side::Silver;
    board.key() ^ if silver { 0x53a9_61c7_0f2b_84dd } else { 0 }
}
