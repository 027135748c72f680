//! Iterative deepening: the same root again and again, a step deeper each time.

use std::time::Instant;

use surus_play::{Info, Job};
use surus_rules::Turn;

use crate::eval::Evaluate;
use crate::root::{self, Beginning};
use crate::score::{INFINITE, Score, WIN, is_proven, reported};
use crate::search::{Choice, Search, end_key};

/// No search gets further than this many steps.
const DEEPEST: u32 = 100;

/// A score that falls by this much is a reason to think on.
const WORRY: Score = 400;

/// Iterative deepening over the beginnings of a job, by one thread.
pub(crate) struct Deepening<'a, E> {
    job: &'a Job,
    search: Search<'a, E>,
    began: Instant,
    beginnings: Vec<Beginning>,
    /// Helpers begin deeper, so that not all threads look at the same places at once; only the first decides.
    helper: u32,
    /// The best line so far and its score.
    best: Option<(Score, Vec<Turn>)>,
}

impl<'a, E: Evaluate> Deepening<'a, E> {
    pub(crate) fn new(job: &'a Job, search: Search<'a, E>, began: Instant, helper: u32) -> Self {
        Self { job, search, began, beginnings: root::beginnings(job), helper, best: None }
    }

    pub(crate) fn run(mut self, report: &mut dyn FnMut(Info)) -> Option<Turn> {
        // A helper goes on until the first thread is done.
        let limit = self.job.limits.depth.filter(|_| self.helper == 0);
        for depth in 1 + self.helper % 2..=limit.unwrap_or(DEEPEST).clamp(1, DEEPEST) {
            if self.best.is_some() && self.job.stop.winding_down() {
                break;
            }
            self.iterate(depth, report);
            if self.search.over {
                break;
            }
            let settled = self
                .best
                .as_ref()
                .is_some_and(|(score, _)| is_proven(*score) && WIN - score.abs() <= depth as Score);
            // With one way to go there is nothing to decide; but whoever set a depth or nodes wants them used.
            let forced =
                self.beginnings.len() == 1 && self.beginnings[0].ends && self.job.limits.time.is_some();
            if settled || forced {
                break;
            }
        }
        self.best.and_then(|(_, turns)| turns.first().copied())
    }

    /// Searches all beginnings to a depth; what is found before an end counts too.
    fn iterate(&mut self, depth: u32, report: &mut dyn FnMut(Info)) {
        let before = self.best.as_ref().map(|(score, _)| *score);
        let mut alpha = -INFINITE;
        // Without any turn yet, all the time there is may be used to find one.
        self.search.at_ease = before.is_some();
        self.search.worry = before.map_or(-INFINITE, |before| before - WORRY);
        for index in 0..self.beginnings.len() {
            let beginning = self.beginnings[index];
            let score = self.visit(&beginning, depth as i32, alpha);
            if self.search.over {
                self.keep_unfinished(&beginning);
                report(self.info(depth, false));
                break;
            }
            if score <= alpha {
                continue;
            }
            alpha = score;
            let line: &[_] = self.search.lines.first().map_or(&[], Vec::as_slice);
            if let Some(turns) = self.playable(&beginning, line) {
                self.best = Some((score, turns));
                report(self.info(depth, true));
            }
            self.beginnings[..=index].rotate_right(1);
        }
    }

    /// An unfinished search has no score, but what it found best so far is better than what a shallower one did.
    fn keep_unfinished(&mut self, beginning: &Beginning) {
        let line: &[_] = self.search.lines.first().map_or(&[], Vec::as_slice);
        if self.beginnings.len() == 1
            && !beginning.ends
            && let Some(turns) = self.playable(beginning, line)
        {
            let score = self.best.as_ref().map_or(0, |(score, _)| *score);
            self.best = Some((score, turns));
        }
    }

    /// The turns of a line if the first of them may be played: the search may have counted on a pass that may not.
    fn playable(&self, beginning: &Beginning, line: &[Choice]) -> Option<Vec<Turn>> {
        let turns = root::turns(self.job.game.position(), beginning, line);
        turns.first().is_some_and(|turn| self.job.game.clone().play(turn).is_ok()).then_some(turns)
    }

    fn visit(&mut self, beginning: &Beginning, depth: i32, alpha: Score) -> Score {
        let left = depth - beginning.place.ply;
        if !beginning.ends {
            let guess = self.best.as_ref().map(|(score, _)| *score);
            return self.search.search_root(&beginning.place, left, (alpha, INFINITE), guess);
        }
        let (rules, side) = (self.job.game.rules(), self.job.game.side());
        self.search.path.push(end_key(beginning.place.board(), side, rules));
        let score = -self.search.search(&beginning.place, left, -INFINITE, -alpha);
        self.search.path.pop();
        score
    }

    fn info(&self, depth: u32, finished: bool) -> Info {
        let turns = self.best.as_ref().map(|(_, turns)| turns.clone()).unwrap_or_default();
        Info {
            depth: Some(depth),
            finished,
            score: self.best.as_ref().map(|(score, _)| reported(*score)),
            nodes: Some(self.search.all_nodes()),
            time: Some(self.began.elapsed()),
            hashfull: Some(self.search.table.fullness()),
            pv: turns,
            ..Info::default()
        }
    }
}
