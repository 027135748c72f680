//! Iterative deepening over the branches of the root.

use std::time::Instant;

use surus_play::{Info, Job};
use surus_rules::Turn;

use super::features::FeatureSet;
use super::params::MAX_DEPTH;
use super::pvs::Successor;
use super::root::{self, RootBranch};
use super::search::Search;
use super::time_manager::TimeManager;
use crate::common::score::{INFINITE, Score, WIN, is_proven, to_centirabbits, win_probability};
use crate::eval::Evaluate;

/// The iterative deepening of one thread.
pub(crate) struct IterativeDeepening<'a, E, F> {
    job: &'a Job,
    search: Search<'a, E, F>,
    started: Instant,
    root_branches: Vec<RootBranch>,
    /// Whether the branches are only the best-ranked turns.
    is_ranked: bool,
    /// Thread 0 decides; every second helper starts a step deeper, so that not all threads search the same nodes.
    thread_id: u32,
    max_depth: u32,
    /// The best variations so far, best first, each from the last depth that it was searched to.
    pv_lines: Vec<PvLine>,
    time_manager: TimeManager,
}

/// A principal variation and its score.
#[derive(Clone, Debug)]
struct PvLine {
    score: Score,
    turns: Vec<Turn>,
}

impl<'a, E: Evaluate, F: FeatureSet> IterativeDeepening<'a, E, F> {
    pub(crate) fn new(
        job: &'a Job,
        search: Search<'a, E, F>,
        started: Instant,
        thread_id: u32,
        max_depth: u32,
        ranked: &[RootBranch],
    ) -> Self {
        // Helpers continue until the first thread is done.
        let limit = job.limits.depth.filter(|_| thread_id == 0).unwrap_or(MAX_DEPTH);
        Self {
            job,
            started,
            root_branches: if ranked.is_empty() { root::root_branches(job) } else { ranked.to_vec() },
            is_ranked: !ranked.is_empty(),
            thread_id,
            max_depth: max_depth.min(limit).clamp(1, MAX_DEPTH),
            pv_lines: Vec::new(),
            time_manager: TimeManager::new(search.params),
            search,
        }
    }

    pub(crate) fn run(mut self, report: &mut dyn FnMut(Info)) -> Option<Turn> {
        for depth in (1 + self.thread_id % 2).min(self.max_depth)..=self.max_depth {
            if !self.pv_lines.is_empty() && self.search.is_past_soft_limit() {
                break;
            }
            self.search_depth(depth, report);
            if self.is_ranked && !self.search.aborted && self.is_lost() {
                self.search_all_turns();
                self.search_depth(depth, report);
            }
            if self.search.aborted || self.is_decided(depth) {
                break;
            }
            self.manage_time();
        }
        self.pv_lines.first().and_then(|line| line.turns.first()).copied()
    }

    /// Whether every turn that was searched loses.
    fn is_lost(&self) -> bool {
        self.pv_lines.first().is_none_or(|line| is_proven(line.score) && line.score < 0)
    }

    /// Extends the search from the best-ranked turns to all.
    fn search_all_turns(&mut self) {
        self.is_ranked = false;
        self.root_branches = root::root_branches(self.job);
        self.pv_lines.clear();
    }

    /// Whether more depth would not change the result.
    fn is_decided(&self, depth: u32) -> bool {
        let proven = |line: &PvLine| is_proven(line.score) && WIN - line.score.abs() <= depth as Score;
        // A forced turn needs no time; a depth or node limit is used up all the same.
        let forced = self.root_branches.len() == 1
            && self.root_branches[0].ends_turn
            && self.job.limits.time.is_some();
        forced || !self.pv_lines.is_empty() && self.pv_lines.iter().all(proven)
    }

    /// Adjusts the time for the turn, where saved time can be used later.
    fn manage_time(&mut self) {
        let elastic = self.job.limits.time.is_some_and(|time| time.soft < time.hard);
        if let (Some(PvLine { score, turns }), true) = (self.pv_lines.first(), elastic && self.thread_id == 0)
            && let Some(&turn) = turns.first()
        {
            self.search.soft_limit_percent = self.time_manager.update(turn, *score);
        }
    }

    /// Searches the variations to a depth, each without the turns of those before it.
    fn search_depth(&mut self, depth: u32, report: &mut dyn FnMut(Info)) {
        self.search.clear_excluded_ends();
        for pv_index in 0..self.job.multi_pv.max(1) {
            let previous = self.pv_lines.get(pv_index).map(|line| line.score);
            // Until there is a turn, all the time may be used to find one.
            self.search.use_soft_limit = previous.is_some();
            let score_drop = self.search.params.time_score_drop();
            self.search.score_drop_limit = previous.map_or(-INFINITE, |previous| previous - score_drop);
            let found = self.search_pv(depth, pv_index, report);
            if self.search.aborted || !found {
                break;
            }
            if let Some(turn) = self.pv_lines[pv_index].turns.first() {
                self.search.exclude_end(self.key_after(turn));
            }
        }
        if self.job.multi_pv > 1 {
            self.report_multi_pv(depth, report);
        }
    }

    /// Reports several variations together: one may have overtaken another, and after an incomplete depth the same turn
    /// may occur twice.
    fn report_multi_pv(&mut self, depth: u32, report: &mut dyn FnMut(Info)) {
        let mut seen = Vec::new();
        let lines = std::mem::take(&mut self.pv_lines);
        self.pv_lines = lines
            .into_iter()
            .filter(|line| {
                let key = line.turns.first().map(|turn| self.key_after(turn));
                let is_new = !seen.contains(&key);
                seen.push(key);
                is_new
            })
            .collect();
        if !self.search.aborted {
            self.pv_lines.sort_by_key(|line| -line.score);
        }
        for pv_index in 0..self.pv_lines.len() {
            report(self.info(depth, pv_index, !self.search.aborted));
        }
    }

    /// Searches all branches of the root to a depth; returns whether a variation was found. A partial result counts.
    fn search_pv(&mut self, depth: u32, pv_index: usize, report: &mut dyn FnMut(Info)) -> bool {
        let (mut alpha, mut found) = (-INFINITE, false);
        for index in 0..self.root_branches.len() {
            let branch = self.root_branches[index];
            if branch.ends_turn && self.search.is_excluded_end(branch.state.board().key()) {
                continue;
            }
            let score = self.search_branch(&branch, depth as i32, pv_index, alpha);
            if self.search.aborted {
                if pv_index == 0 {
                    self.keep_partial_result(&branch);
                }
                if self.job.multi_pv < 2 {
                    report(self.info(depth, 0, false));
                }
                break;
            }
            if score <= alpha {
                continue;
            }
            alpha = score;
            if let Some(turns) = self.legal_pv(&branch) {
                self.set_pv_line(pv_index, PvLine { score, turns });
                if self.job.multi_pv < 2 {
                    report(self.info(depth, pv_index, true));
                }
                found = true;
            }
            self.root_branches[..=index].rotate_right(1);
        }
        found
    }

    fn set_pv_line(&mut self, pv_index: usize, line: PvLine) {
        match self.pv_lines.get_mut(pv_index) {
            Some(existing) => *existing = line,
            None => self.pv_lines.push(line),
        }
    }

    /// Keeps the best turn of an aborted search: it has no score, but is better than that of the previous depth.
    fn keep_partial_result(&mut self, branch: &RootBranch) {
        if self.root_branches.len() == 1
            && !branch.ends_turn
            && let Some(turns) = self.legal_pv(branch)
        {
            let score = self.pv_lines.first().map_or(0, |line| line.score);
            self.set_pv_line(0, PvLine { score, turns });
        }
    }

    /// The turns of the root's principal variation, if the first is legal and not excluded: the search may have relied on
    /// a pass that is not allowed.
    fn legal_pv(&self, branch: &RootBranch) -> Option<Vec<Turn>> {
        let turns = root::turns(self.job.game.position(), branch, self.search.stack.root_pv());
        let first = turns.first()?;
        let legal =
            self.job.game.clone().play(first).is_ok() && !self.search.is_excluded_end(self.key_after(first));
        legal.then_some(turns)
    }

    /// The key of the board after a turn.
    fn key_after(&self, turn: &Turn) -> u64 {
        let board = *self.job.game.position().board();
        turn.steps().fold(board, |board, step| board.after_step(step)).key()
    }

    fn search_branch(&mut self, branch: &RootBranch, depth: i32, pv_index: usize, alpha: Score) -> Score {
        let depth_left = depth - branch.state.ply;
        if !branch.ends_turn {
            let guess = self.pv_lines.get(pv_index).map(|line| line.score);
            return self.search.aspiration_search(&branch.state, depth_left, alpha, INFINITE, guess);
        }
        let (game, state) = (&self.job.game, branch.state);
        let penalty = self.search.turn_penalty(game.turn_start(), state.board(), game.side()) + branch.cost;
        let next = Successor { state, ends_turn: true, penalty };
        self.search.repetitions.push(state.board(), game.side());
        // PVS: full window for the first branch, null window for the rest, reduced for unlikely turns.
        let (is_first, reduction) = (alpha == -INFINITE, branch.reduction);
        let beta = if is_first { INFINITE } else { alpha + 1 };
        let mut score = beta;
        if !is_first && reduction > 0 {
            score = self.search.search_child(&next, depth_left - reduction, alpha, beta);
        }
        if score >= beta {
            score = self.search.search_child(&next, depth_left, alpha, beta);
        }
        if score >= beta && beta < INFINITE {
            score = self.search.search_child(&next, depth_left, alpha, INFINITE);
        }
        self.search.repetitions.pop();
        if score > alpha {
            self.search.use_soft_limit = score >= self.search.score_drop_limit;
            self.search.stack[0].pv = self.search.stack[state.stack_index].pv.clone();
        }
        score
    }

    fn info(&self, depth: u32, pv_index: usize, complete: bool) -> Info {
        let line = self.pv_lines.get(pv_index);
        let steps_left = i32::from(self.job.game.position().steps_left());
        let score = line.map(|line| to_centirabbits(line.score, steps_left));
        Info {
            pv_index,
            depth: Some(depth),
            depth_complete: complete,
            score,
            win_probability: score.map(|score| win_probability(score, self.search.eval.scale())),
            nodes: Some(self.search.total_nodes()),
            time: Some(self.started.elapsed()),
            hashfull: Some(self.search.tt.hashfull()),
            pv: line.map(|line| line.turns.clone()).unwrap_or_default(),
            ..Info::default()
        }
    }
}
