//! Iterative deepening: the same root again and again, a step deeper each time.

use std::time::Instant;

use surus_play::{Info, Job};
use surus_rules::Turn;

use super::pvs::Successor;
use super::root::{self, RootBranch};
use super::search::{ActionOrPass, Search, repetition_key};
use super::time_manager::{SCORE_DROP, TimeManager};
use crate::common::score::{INFINITE, Score, WIN, is_proven, to_centirabbits, win_probability};
use crate::eval::Evaluate;

/// No search gets further than this many steps.
const MAX_DEPTH: u32 = 100;

/// Iterative deepening over the root_branches of a job, by one thread.
pub(crate) struct IterativeDeepening<'a, E> {
    job: &'a Job,
    search: Search<'a, E>,
    started: Instant,
    root_branches: Vec<RootBranch>,
    /// Helpers begin deeper, so that not all threads look at the same places at once; only the first decides.
    thread_id: u32,
    /// The most steps to look ahead.
    max_depth: u32,
    /// The best lines so far, the best first, each to the last depth that it was searched to.
    pv_lines: Vec<PvLine>,
    time_manager: TimeManager,
}

/// A line of play from the root and its score.
#[derive(Clone, Debug)]
struct PvLine {
    score: Score,
    turns: Vec<Turn>,
}

impl<'a, E: Evaluate> IterativeDeepening<'a, E> {
    pub(crate) fn new(
        job: &'a Job,
        search: Search<'a, E>,
        started: Instant,
        (thread_id, max_depth): (u32, u32),
    ) -> Self {
        // A thread_id goes on until the first thread is done.
        let limit = job.limits.depth.filter(|_| thread_id == 0).unwrap_or(MAX_DEPTH);
        Self {
            job,
            search,
            started,
            root_branches: root::root_branches(job),
            thread_id,
            max_depth: max_depth.min(limit).clamp(1, MAX_DEPTH),
            pv_lines: Vec::new(),
            time_manager: TimeManager::default(),
        }
    }

    pub(crate) fn run(mut self, report: &mut dyn FnMut(Info)) -> Option<Turn> {
        for depth in (1 + self.thread_id % 2).min(self.max_depth)..=self.max_depth {
            if !self.pv_lines.is_empty() && self.job.stop.past(self.search.soft_limit_percent) {
                break;
            }
            self.search_depth(depth, report);
            if self.search.aborted || self.is_settled(depth) {
                break;
            }
            self.plan_time();
        }
        self.pv_lines.first().and_then(|line| line.turns.first()).copied()
    }

    /// Whether more depth would change nothing.
    fn is_settled(&self, depth: u32) -> bool {
        let proven = |line: &PvLine| is_proven(line.score) && WIN - line.score.abs() <= depth as Score;
        // With one way to go there is nothing to decide; but whoever set a depth or nodes wants them used.
        let forced = self.root_branches.len() == 1
            && self.root_branches[0].ends_turn
            && self.job.limits.time.is_some();
        forced || !self.pv_lines.is_empty() && self.pv_lines.iter().all(proven)
    }

    /// Easy turns get less time and hard ones more, where what is saved can be used later.
    fn plan_time(&mut self) {
        let elastic = self.job.limits.time.is_some_and(|time| time.soft < time.hard);
        if let (Some(PvLine { score, turns }), true) = (self.pv_lines.first(), elastic && self.thread_id == 0)
            && let Some(&turn) = turns.first()
        {
            self.search.soft_limit_percent = self.time_manager.update(turn, *score);
        }
    }

    /// Searches the best lines to a depth, each without the turns of those before it.
    fn search_depth(&mut self, depth: u32, report: &mut dyn FnMut(Info)) {
        self.search.clear_excluded_ends();
        for line in 0..self.job.lines.max(1) {
            let before = self.pv_lines.get(line).map(|line| line.score);
            // Without any turn yet, all the time there is may be used to find one.
            self.search.use_soft_limit = before.is_some();
            self.search.score_drop_limit = before.map_or(-INFINITE, |before| before - SCORE_DROP);
            let found = self.search_pv(depth, line, report);
            if self.search.aborted || !found {
                break;
            }
            let board = self.pv_lines[line].turns.first().map(|turn| self.key_after(turn));
            board.into_iter().for_each(|board| self.search.exclude_end(board));
        }
        if 1 < self.job.lines {
            self.report_multi_pv(depth, report);
        }
    }

    /// Several lines are told together: one may have come out better than those before it, and where a depth was not
    /// finished, one may stand in the place of another that it was before.
    fn report_multi_pv(&mut self, depth: u32, report: &mut dyn FnMut(Info)) {
        let mut known = Vec::new();
        let lines = std::mem::take(&mut self.pv_lines);
        self.pv_lines = lines
            .into_iter()
            .filter(|line| {
                let board = line.turns.first().map(|turn| self.key_after(turn));
                let new = !known.contains(&board);
                known.push(board);
                new
            })
            .collect();
        if !self.search.aborted {
            self.pv_lines.sort_by_key(|line| -line.score);
        }
        for line in 0..self.pv_lines.len() {
            report(self.info(depth, line, !self.search.aborted));
        }
    }

    /// Searches all root_branches to a depth; what is found before an end counts too.
    fn search_pv(&mut self, depth: u32, line: usize, report: &mut dyn FnMut(Info)) -> bool {
        let (mut alpha, mut found) = (-INFINITE, false);
        for index in 0..self.root_branches.len() {
            let branch = self.root_branches[index];
            if branch.ends_turn && self.search.excluded_ends.contains(&branch.state.board().key()) {
                continue;
            }
            let score = self.search_child(&branch, depth as i32, line, alpha);
            if self.search.aborted {
                if line == 0 {
                    self.keep_partial_result(&branch);
                }
                if self.job.lines < 2 {
                    report(self.info(depth, 0, false));
                }
                break;
            }
            if score <= alpha {
                continue;
            }
            alpha = score;
            if let Some(turns) = self.legal_pv(&branch) {
                self.put(line, PvLine { score, turns });
                if self.job.lines < 2 {
                    report(self.info(depth, line, true));
                }
                found = true;
            }
            self.root_branches[..=index].rotate_right(1);
        }
        found
    }

    fn put(&mut self, line: usize, new: PvLine) {
        match self.pv_lines.get_mut(line) {
            Some(old) => *old = new,
            None => self.pv_lines.push(new),
        }
    }

    /// An unfinished search has no score, but what it found best so far is better than what a shallower one did.
    fn keep_partial_result(&mut self, branch: &RootBranch) {
        if self.root_branches.len() == 1
            && !branch.ends_turn
            && let Some(turns) = self.legal_pv(branch)
        {
            let score = self.pv_lines.first().map_or(0, |line| line.score);
            self.put(0, PvLine { score, turns });
        }
    }

    /// The turns of the search's line if the first of them may be played and is not known already: the search may
    /// have counted on a pass that is not allowed.
    fn legal_pv(&self, branch: &RootBranch) -> Option<Vec<Turn>> {
        let line: &[ActionOrPass] = self.search.pv_table.first().map_or(&[], Vec::as_slice);
        let turns = root::turns(self.job.game.position(), branch, line);
        let first = turns.first()?;
        let fits = self.job.game.clone().play(first).is_ok()
            && !self.search.excluded_ends.contains(&self.key_after(first));
        fits.then_some(turns)
    }

    /// The key of the board that a turn leads to.
    fn key_after(&self, turn: &Turn) -> u64 {
        let board = *self.job.game.position().board();
        turn.steps().fold(board, |board, step| board.after(step)).key()
    }

    fn search_child(&mut self, branch: &RootBranch, depth: i32, line: usize, alpha: Score) -> Score {
        let left = depth - branch.state.ply;
        if !branch.ends_turn {
            let guess = self.pv_lines.get(line).map(|line| line.score);
            return self.search.aspiration_search(&branch.state, left, (alpha, INFINITE), guess);
        }
        let (game, place) = (&self.job.game, branch.state);
        let cost = self.search.turn_penalty(game.turn_start(), place.board(), game.side());
        let next = Successor { state: place, ends_turn: true, penalty: cost };
        self.search.path_keys.push(repetition_key(place.board(), game.side(), game.rules()));
        // Only the first is expected to be good; of the others it is asked whether they are better.
        let high = if alpha == -INFINITE { INFINITE } else { alpha + 1 };
        let mut score = self.search.search_child(&next, left, alpha, high);
        if high <= score && high < INFINITE {
            score = self.search.search_child(&next, left, alpha, INFINITE);
        }
        self.search.path_keys.pop();
        if alpha < score {
            self.search.use_soft_limit = self.search.score_drop_limit <= score;
            self.search.pv_table[0] = self.search.pv_table[place.stack_index].clone();
        }
        score
    }

    fn info(&self, depth: u32, line: usize, finished: bool) -> Info {
        let found = self.pv_lines.get(line);
        let first = i32::from(self.job.game.position().steps_left());
        let score = found.map(|line| to_centirabbits(line.score, first));
        Info {
            line,
            depth: Some(depth),
            finished,
            score,
            win: score.map(win_probability),
            nodes: Some(self.search.all_nodes()),
            time: Some(self.started.elapsed()),
            hashfull: Some(self.search.tt.hashfull()),
            pv: found.map(|line| line.turns.clone()).unwrap_or_default(),
            ..Info::default()
        }
    }
}
