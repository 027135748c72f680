//! What a search holds, and what it asks at the ends of turns; [`super::pvs`] is the search itself.

use surus_play::Stop;
use surus_rules::{Action, Board, Ending, Game, Rules, Side, Turn};
use surus_tactics::{Defence, elimination, goal, goal_defences};

use super::features::Features;
use super::history::Memory;
use super::lazy_smp::Crowd;
use super::levels::Care;
use super::ordering::Way;
use super::packed_turn::Plan;
use super::reversible;
use super::state::Place;
use super::tt::Table;
use crate::common::score::{INFINITE, Score, loss_at, win_at};
use crate::eval::Evaluate;

/// How often the clock is looked at, in nodes.
const PATIENCE: u64 = 512;

/// What it costs to be the first to repeat a position, and so the first who may not repeat it again.
pub(crate) const REPETITION: Score = 1000;

/// One choice of a line: an action, or nothing where the turn ends early.
pub(crate) type Choice = Option<Action>;

/// What one search needs.
#[derive(Debug)]
pub(crate) struct Search<'a, E> {
    pub(crate) eval: E,
    pub(crate) table: &'a Table,
    pub(crate) memory: &'a mut Memory,
    pub(crate) stop: &'a Stop,
    /// The other threads of this search, if there are any.
    pub(crate) crowd: Option<&'a Crowd>,
    pub(crate) features: Features,
    pub(crate) rules: Rules,
    /// The positions that ended turns of the game, sorted, and the last of them.
    history: Vec<u64>,
    latest: u64,
    /// Sets entries of the root's own turn apart where that turn has been thought about before: what repeats a
    /// position then is not what did the first time.
    salt: u64,
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
    /// Several lines are wanted, so that no turn of the root may be left out for a better one.
    pub(crate) several: bool,
    /// A score at the root below this is a reason not to be at ease.
    pub(crate) worry: Score,
    /// Whether the search was ended before it was done; its results mean nothing then.
    pub(crate) over: bool,
    /// The best line from each level on.
    pub(crate) lines: Vec<Vec<Choice>>,
    /// What quiescence found best for the rest of the turn.
    pub(crate) tail: Turn,
    /// What was best for the rest of the turn at each level.
    pub(crate) plans: Vec<Plan>,
    /// Lists of ways for each level, kept to be filled again.
    pub(crate) ways: Vec<Vec<Way>>,
}

impl<'a, E: Evaluate> Search<'a, E> {
    pub(crate) fn new(
        game: &Game,
        eval: E,
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
        let latest = history.last().copied().unwrap_or_default();
        history.sort_unstable();
        let mut search = Self {
            eval,
            table,
            memory,
            stop,
            crowd: None,
            features: Features::default(),
            rules,
            history,
            latest,
            salt: 0,
            path: Vec::new(),
            nodes: 0,
            most_nodes,
            at_ease: false,
            share: 100,
            care: Care::FULL,
            barred: Vec::new(),
            several: false,
            worry: -INFINITE,
            over: false,
            lines: Vec::new(),
            tail: Turn::EMPTY,
            plans: Vec::new(),
            ways: Vec::new(),
        };
        search.salt = (search.times(latest) as u64 / 2).wrapping_mul(0x2545_f491_4f6c_dd1d);
        search
    }

    /// Counts a node; false when the search is over.
    #[inline]
    pub(crate) fn enter(&mut self) -> bool {
        if self.most_nodes <= self.nodes {
            self.over = true;
        } else {
            self.nodes += 1;
            if self.nodes.is_multiple_of(PATIENCE) {
                self.look_at_the_clock();
                self.over |= self.crowd.is_some_and(|crowd| crowd.tell(PATIENCE));
            }
        }
        !self.over
    }

    fn look_at_the_clock(&mut self) {
        self.over |= self.stop.requested() || self.at_ease && self.stop.past(self.share);
    }

    /// What stops the goal that threatens. It can take as long as hundreds of nodes, so the clock is looked at.
    pub(crate) fn defences(&mut self, at: &Place) -> Defence {
        self.look_at_the_clock();
        goal_defences(&at.position, &at.start)
    }

    /// The nodes of all threads.
    pub(crate) fn all_nodes(&self) -> u64 {
        self.crowd.map_or(self.nodes, |crowd| crowd.nodes() + self.nodes % PATIENCE)
    }

    /// The key under which the table knows a place.
    #[inline]
    pub(crate) fn key(&self, at: &Place) -> u64 {
        at.key() ^ if at.turn == 0 { self.salt } else { 0 }
    }

    /// The root's turn may not end on this board any more, and is another turn for the table.
    pub(crate) fn bar(&mut self, board: u64) {
        self.barred.push(board);
        self.salt ^= board.rotate_left(17);
    }

    /// The root's turn may end on every board again.
    pub(crate) fn unbar(&mut self) {
        for board in self.barred.drain(..) {
            self.salt ^= board.rotate_left(17);
        }
    }

    /// How often a position has ended a turn so far.
    fn times(&self, key: u64) -> usize {
        let from = self.history.partition_point(|&known| known < key);
        let before = self.history[from..].iter().take_while(|&&known| known == key).count();
        before + self.path.iter().filter(|&&known| known == key).count()
    }

    /// Whether a side may not end its turn on this board: it repeats a position for the third time, or is barred.
    #[inline]
    pub(crate) fn repeats(&self, board: &Board, mover: Side) -> bool {
        if self.path.is_empty() && self.barred.contains(&board.key()) {
            return true;
        }
        2 <= self.times(end_key(board, mover, self.rules))
    }

    /// What a turn costs beside what its board is worth.
    pub(crate) fn burden(&self, start: &Board, end: &Board, mover: Side) -> Score {
        let mut cost = 0;
        if self.features.reversible {
            cost += reversible::cost(start, end, mover);
        }
        if self.features.repetition && 0 < self.times(end_key(end, mover, self.rules)) {
            // If the other side has just repeated one, it is the first that runs out of repetitions.
            let theirs = self.path.last().copied().unwrap_or(self.latest);
            if self.times(theirs) < 2 {
                cost += REPETITION;
            }
        }
        cost
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
            return elimination(board, side, self.care.sight).map(|turn| win_at(ply + turn.len() as i32));
        }
        None
    }

    pub(crate) fn clear_line(&mut self, level: usize) {
        if self.lines.len() < level + 2 {
            self.lines.resize(level + 2, Vec::new());
            self.plans.resize(level + 2, Plan::NONE);
            self.ways.resize(level + 2, Vec::new());
        }
        self.lines[level].clear();
        self.lines[level + 1].clear();
        self.plans[level] = Plan::NONE;
        self.plans[level + 1] = Plan::NONE;
    }

    pub(crate) fn keep_line(&mut self, level: usize, choices: impl Iterator<Item = Choice>) {
        let rest = std::mem::take(&mut self.lines[level + 1]);
        let line = &mut self.lines[level];
        line.clear();
        line.extend(choices);
        line.extend_from_slice(&rest);
        self.lines[level + 1] = rest;
    }
}

/// The key of a position as repetition counts it.
pub(crate) fn end_key(board: &Board, mover: Side, rules: Rules) -> u64 {
    let silver = rules.repetition_counts_side() && mover == Side::Silver;
    board.key() ^ if silver { 0x53a9_61c7_0f2b_84dd } else { 0 }
}
