//! Iterative deepening: the same root again and again, a step deeper each time.

use std::time::Instant;

use surus_play::{Info, Job};
use surus_rules::Turn;

use super::pvs::Next;
use super::root::{self, Beginning};
use super::search::{Choice, Search, end_key};
use super::time_manager::{Patience, WORRY};
use crate::common::score::{INFINITE, Score, WIN, is_proven, reported, win_chance};
use crate::eval::Evaluate;

/// No search gets further than this many steps.
const DEEPEST: u32 = 100;

/// Iterative deepening over the beginnings of a job, by one thread.
pub(crate) struct Deepening<'a, E> {
    job: &'a Job,
    search: Search<'a, E>,
    began: Instant,
    beginnings: Vec<Beginning>,
    /// Helpers begin deeper, so that not all threads look at the same places at once; only the first decides.
    helper: u32,
    /// The most steps to look ahead.
    deepest: u32,
    /// The best lines so far, the best first, each to the last depth that it was searched to.
    best: Vec<Line>,
    patience: Patience,
}

/// A line of play from the root and its score.
#[derive(Clone, Debug)]
struct Line {
    score: Score,
    turns: Vec<Turn>,
}

impl<'a, E: Evaluate> Deepening<'a, E> {
    pub(crate) fn new(
        job: &'a Job,
        search: Search<'a, E>,
        began: Instant,
        (helper, deepest): (u32, u32),
    ) -> Self {
        // A helper goes on until the first thread is done.
        let limit = job.limits.depth.filter(|_| helper == 0).unwrap_or(DEEPEST);
        Self {
            job,
            search,
            began,
            beginnings: root::beginnings(job),
            helper,
            deepest: deepest.min(limit).clamp(1, DEEPEST),
            best: Vec::new(),
            patience: Patience::default(),
        }
    }

    pub(crate) fn run(mut self, report: &mut dyn FnMut(Info)) -> Option<Turn> {
        for depth in (1 + self.helper % 2).min(self.deepest)..=self.deepest {
            if !self.best.is_empty() && self.job.stop.past(self.search.share) {
                break;
            }
            self.iterate(depth, report);
            if self.search.over || self.is_settled(depth) {
                break;
            }
            self.plan_time();
        }
        self.best.first().and_then(|line| line.turns.first()).copied()
    }

    /// Whether more depth would change nothing.
    fn is_settled(&self, depth: u32) -> bool {
        let proven = |line: &Line| is_proven(line.score) && WIN - line.score.abs() <= depth as Score;
        // With one way to go there is nothing to decide; but whoever set a depth or nodes wants them used.
        let forced = self.beginnings.len() == 1 && self.beginnings[0].ends && self.job.limits.time.is_some();
        forced || !self.best.is_empty() && self.best.iter().all(proven)
    }

    /// Easy turns get less time and hard ones more, where what is saved can be used later.
    fn plan_time(&mut self) {
        let elastic = self.job.limits.time.is_some_and(|time| time.soft < time.hard);
        if let (Some(Line { score, turns }), true) = (self.best.first(), elastic && self.helper == 0)
            && let Some(&turn) = turns.first()
        {
            self.search.share = self.patience.after_depth(turn, *score);
        }
    }

    /// Searches the best lines to a depth, each without the turns of those before it.
    fn iterate(&mut self, depth: u32, report: &mut dyn FnMut(Info)) {
        self.search.unbar();
        for line in 0..self.job.lines.max(1) {
            let before = self.best.get(line).map(|line| line.score);
            // Without any turn yet, all the time there is may be used to find one.
            self.search.at_ease = before.is_some();
            self.search.worry = before.map_or(-INFINITE, |before| before - WORRY);
            let found = self.search_line(depth, line, report);
            if self.search.over || !found {
                break;
            }
            let board = self.best[line].turns.first().map(|turn| self.board_after(turn));
            board.into_iter().for_each(|board| self.search.bar(board));
        }
        if 1 < self.job.lines {
            self.tell_lines(depth, report);
        }
    }

    /// Several lines are told together: one may have come out better than those before it, and where a depth was not
    /// finished, one may stand in the place of another that it was before.
    fn tell_lines(&mut self, depth: u32, report: &mut dyn FnMut(Info)) {
        let mut known = Vec::new();
        let lines = std::mem::take(&mut self.best);
        self.best = lines
            .into_iter()
            .filter(|line| {
                let board = line.turns.first().map(|turn| self.board_after(turn));
                let new = !known.contains(&board);
                known.push(board);
                new
            })
            .collect();
        if !self.search.over {
            self.best.sort_by_key(|line| -line.score);
        }
        for line in 0..self.best.len() {
            report(self.info(depth, line, !self.search.over));
        }
    }

    /// Searches all beginnings to a depth; what is found before an end counts too.
    fn search_line(&mut self, depth: u32, line: usize, report: &mut dyn FnMut(Info)) -> bool {
        let (mut alpha, mut found) = (-INFINITE, false);
        for index in 0..self.beginnings.len() {
            let beginning = self.beginnings[index];
            if beginning.ends && self.search.barred.contains(&beginning.place.board().key()) {
                continue;
            }
            let score = self.visit(&beginning, depth as i32, line, alpha);
            if self.search.over {
                if line == 0 {
                    self.keep_unfinished(&beginning);
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
            if let Some(turns) = self.playable(&beginning) {
                self.put(line, Line { score, turns });
                if self.job.lines < 2 {
                    report(self.info(depth, line, true));
                }
                found = true;
            }
            self.beginnings[..=index].rotate_right(1);
        }
        found
    }

    fn put(&mut self, line: usize, new: Line) {
        match self.best.get_mut(line) {
            Some(old) => *old = new,
            None => self.best.push(new),
        }
    }

    /// An unfinished search has no score, but what it found best so far is better than what a shallower one did.
    fn keep_unfinished(&mut self, beginning: &Beginning) {
        if self.beginnings.len() == 1
            && !beginning.ends
            && let Some(turns) = self.playable(beginning)
        {
            let score = self.best.first().map_or(0, |line| line.score);
            self.put(0, Line { score, turns });
        }
    }

    /// The turns of the search's line if the first of them may be played and is not known already: the search may
    /// have counted on a pass that is not allowed.
    fn playable(&self, beginning: &Beginning) -> Option<Vec<Turn>> {
        let line: &[Choice] = self.search.lines.first().map_or(&[], Vec::as_slice);
        let turns = root::turns(self.job.game.position(), beginning, line);
        let first = turns.first()?;
        let fits = self.job.game.clone().play(first).is_ok()
            && !self.search.barred.contains(&self.board_after(first));
        fits.then_some(turns)
    }

    /// The key of the board that a turn leads to.
    fn board_after(&self, turn: &Turn) -> u64 {
        let board = *self.job.game.position().board();
        turn.steps().fold(board, |board, step| board.after(step)).key()
    }

    fn visit(&mut self, beginning: &Beginning, depth: i32, line: usize, alpha: Score) -> Score {
        let left = depth - beginning.place.ply;
        if !beginning.ends {
            let guess = self.best.get(line).map(|line| line.score);
            return self.search.search_root(&beginning.place, left, (alpha, INFINITE), guess);
        }
        let (game, place) = (&self.job.game, beginning.place);
        let cost = self.search.burden(game.turn_start(), place.board(), game.side());
        let next = Next { place, ends: true, cost };
        self.search.path.push(end_key(place.board(), game.side(), game.rules()));
        // Only the first is expected to be good; of the others it is asked whether they are better.
        let high = if alpha == -INFINITE { INFINITE } else { alpha + 1 };
        let mut score = self.search.visit(&next, left, alpha, high);
        if high <= score && high < INFINITE {
            score = self.search.visit(&next, left, alpha, INFINITE);
        }
        self.search.path.pop();
        if alpha < score {
            self.search.at_ease = self.search.worry <= score;
            self.search.lines[0] = self.search.lines[place.level].clone();
        }
        score
    }

    fn info(&self, depth: u32, line: usize, finished: bool) -> Info {
        let found = self.best.get(line);
        let first = i32::from(self.job.game.position().steps_left());
        let score = found.map(|line| reported(line.score, first));
        Info {
            line,
            depth: Some(depth),
            finished,
            score,
            win: score.map(win_chance),
            nodes: Some(self.search.all_nodes()),
            time: Some(self.began.elapsed()),
            hashfull: Some(self.search.table.fullness()),
            pv: found.map(|line| line.turns.clone()).unwrap_or_default(),
            ..Info::default()
        }
    }
}
