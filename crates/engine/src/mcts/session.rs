//! The state of an engine that persists between turns, and the search with it.

use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use surus_play::{EngineError, Info, Job, StopToken};
use surus_rules::Turn;

use super::advisor::Advisor;
use super::history::{self, History};
use super::parallel::{
    Budget, ThreadTree, merge_tree, run_leaf_parallel, run_root_parallel, run_tree_parallel,
};
use super::params::{Config, ParallelMode, RootChildren};
use super::playout::PlayoutPolicy;
use super::pv::PvLine;
use super::report::progress;
use super::simulation::Search;
use super::tree::{Tree, TreeRole};
use super::worker::Worker;
use crate::common::root_turns::{any_legal_turn, root_turns};
use crate::common::turn_state::SearchRoot;

/// The playout limit of a job without limits.
const DEFAULT_PLAYOUT_LIMIT: u64 = 100_000_000;

/// The interval between two reports.
const BETWEEN_REPORTS: Duration = Duration::from_secs(1);

/// The trees, histories and workers of an engine with one configuration.
#[derive(Debug)]
pub(crate) struct MctsSession {
    pub(crate) config: Config,
    playouts: PlayoutPolicy,
    pub(crate) tree: Tree,
    /// One per thread in the tree.
    pub(crate) histories: Vec<History>,
    /// The trees of threads that do not share one.
    pub(crate) thread_trees: Vec<ThreadTree>,
    root: SearchRoot,
    pub(crate) workers: Vec<Worker>,
    seed: u64,
    /// Visits of the root from an earlier turn.
    pub(crate) reused_visits: u32,
}

impl MctsSession {
    pub(crate) fn new(config: Config, job: &Job, seed: u64, threads: u64, megabytes: u64) -> Self {
        let advisors = threads as usize * Advisor::bytes(&config);
        let bytes = ((megabytes as usize) << 20).saturating_sub(advisors);
        let trees = match config.parallel {
            ParallelMode::Root | ParallelMode::Island if threads > 1 => threads as usize + 1,
            _ => 1,
        };
        let island = config.parallel == ParallelMode::Island && trees > 1;
        let (role, thread_role) = if island {
            (TreeRole::Master, TreeRole::Island)
        } else {
            (TreeRole::Standalone, TreeRole::Standalone)
        };
        let tree_bytes = bytes / trees;
        // At most half of the memory is for histories: if it is short, threads share them, or there are none.
        let (wanted, replies) = (config.uses_history(), config.playout_replies > 0.0);
        let history_bytes = history::BYTES * (1 + usize::from(replies));
        let max_histories = if wanted { tree_bytes / 2 / history_bytes } else { 0 };
        let history_count = if trees == 1 { (threads as usize).clamp(1, max_histories.max(1)) } else { 1 };
        let rest = tree_bytes - max_histories.min(history_count) * history_bytes;
        let thread_tree = || ThreadTree {
            tree: Tree::new(&config, rest, thread_role),
            history: History::new(max_histories != 0, replies),
        };
        Self {
            playouts: PlayoutPolicy::new(&config, true),
            tree: Tree::new(&config, if island { tree_bytes } else { rest }, role),
            histories: (0..history_count)
                .map(|_| History::new(max_histories != 0 && !island, replies))
                .collect(),
            thread_trees: (1..trees).map(|_| thread_tree()).collect(),
            root: SearchRoot::new(&job.game),
            workers: (0..threads).map(|_| Worker::new(&config, seed)).collect(),
            seed,
            reused_visits: 0,
            config,
        }
    }

    /// Prepares for a job, reusing the tree of the last turn if that is enabled.
    pub(crate) fn prepare(&mut self, job: &Job) {
        let mut root = SearchRoot::new(&job.game);
        if !job.search_turns.is_empty() || self.config.root_children == RootChildren::Turns {
            root.turns = root_turns(job);
        }
        let reused = if self.config.tree_reuse && self.thread_trees.is_empty() && root.turns.is_empty() {
            self.find_reusable_node(job)
        } else {
            None
        };
        self.playouts = PlayoutPolicy::new(&self.config, job.game.rules().elimination())
            .with_learned_values(&self.config, job.game.turn_start());
        match reused {
            Some(node) => self.tree.reroot(node),
            None => {
                self.tree.reset();
                self.histories.iter().for_each(History::clear);
            }
        }
        for own in &mut self.thread_trees {
            own.tree.reset();
            own.history.clear();
        }
        self.reused_visits = self.tree.node(0).visits();
        self.root = root;
        let mixed = self.seed ^ self.root.state.position.key() ^ u64::from(self.root.state.turn_number);
        for (number, worker) in (0..).zip(&mut self.workers) {
            let fresh = Worker::new(&self.config, mixed.wrapping_add(number * 0x1234_5678_9abc_def1));
            let old = std::mem::replace(worker, fresh);
            if reused.is_some() {
                // The reused nodes will not be expanded again, so the advisor keeps its sequences.
                worker.playout.advisor = old.playout.advisor.carried_over();
            }
        }
    }

    /// The node of a job's position in the tree of an earlier search: none, one (after pondering) or two turns were
    /// played since.
    fn find_reusable_node(&self, job: &Job) -> Option<u32> {
        let before = self.root.state.turn_number as usize;
        let played = job.game.entries().get(before..)?;
        let inside = job.game.position().steps_taken() != 0 || self.root.state.position.steps_taken() != 0;
        if played.len() > 2 || inside || !self.root.turns.is_empty() {
            return None;
        }
        let search = self.main_search();
        let (mut index, mut state) = (0, self.root.state);
        for entry in played {
            (index, state) = search.ends_on(index, state, &entry.board)?;
        }
        // The game may be another one; and a node that was proven without expansion has no turns.
        let node = self.tree.node(index);
        let bare = node.proven_winner().is_some() && node.children().is_empty();
        (!bare && state.position == *job.game.position()).then_some(index)
    }

    pub(crate) fn main_search(&self) -> Search<'_> {
        let shares_tree = self.workers.len() > 1 && self.config.parallel == ParallelMode::Tree;
        let island = self.config.parallel == ParallelMode::Island && !self.thread_trees.is_empty();
        Search {
            config: &self.config,
            playouts: &self.playouts,
            tree: &self.tree,
            history: &self.histories[0],
            root: &self.root,
            master: island.then_some(&self.tree),
            virtual_loss: if shares_tree { self.config.virtual_loss as u32 } else { 0 },
        }
    }

    /// The search whose tree the final turn is chosen from.
    ///
    /// With islands it is the first one, which is synchronised completely at the end: in the master tree, where nodes
    /// with the same position share no children, a turn could end in the middle.
    pub(crate) fn final_search(&self) -> Search<'_> {
        let search = self.main_search();
        match self.thread_trees.first().filter(|_| search.master.is_some()) {
            Some(own) => Search { tree: &own.tree, history: &own.history, ..search },
            None => search,
        }
    }

    pub(crate) fn search(
        &mut self,
        job: &Job,
        stop: &StopToken,
        started: Instant,
        report: &mut dyn FnMut(Info),
    ) -> Result<Turn, EngineError> {
        let mut last_report = started;
        let mut report_progress = |search: &Search<'_>, playouts: u64| {
            if last_report.elapsed() < BETWEEN_REPORTS {
                return;
            }
            last_report = Instant::now();
            let legal = |line: &PvLine| job.game.clone().play(&line.turns[0]).is_ok();
            if let Some(line) = search.pv_lines(1).first().filter(|line| legal(line)) {
                report(progress(line, job.game.side(), playouts, started.elapsed()));
            }
        };
        let limits = &job.limits;
        self.run(
            stop,
            limits.nodes.unwrap_or(DEFAULT_PLAYOUT_LIMIT),
            limits.time.is_some(),
            &mut report_progress,
        );
        let lines = self.final_search().pv_lines(usize::MAX);
        let legal = |line: &&PvLine| job.game.clone().play(&line.turns[0]).is_ok();
        let best: Vec<&PvLine> = lines.iter().filter(legal).take(job.multi_pv.max(1)).collect();
        for (number, line) in best.iter().enumerate().rev() {
            report(self.info(line, job.game.side(), number, started.elapsed()));
        }
        match best.first() {
            Some(line) => Ok(line.turns[0]),
            None => any_legal_turn(job).ok_or(EngineError::NoLegalTurn),
        }
    }

    /// Runs simulations until the time or the budget is used up; calls `report_progress` regularly.
    fn run(
        &mut self,
        stop: &StopToken,
        max_playouts: u64,
        timed: bool,
        report_progress: &mut dyn FnMut(&Search<'_>, u64),
    ) {
        let budget = Budget::new(max_playouts);
        let mut stop_check = |search: &Search<'_>| {
            report_progress(search, budget.started());
            stop.soft_limit_reached() || timed && search.can_stop_early(stop.soft_fraction_elapsed())
        };
        let mut workers = std::mem::take(&mut self.workers);
        let mut thread_trees = std::mem::take(&mut self.thread_trees);
        if !thread_trees.is_empty() {
            let island = self.config.parallel == ParallelMode::Island;
            loop {
                let search = Search { master: island.then_some(&self.tree), ..self.main_search() };
                run_root_parallel(&search, &mut thread_trees, &mut workers, &budget, &mut stop_check);
                if !island || !self.tree.must_grow() {
                    break;
                }
                self.tree.make_room();
            }
            let search = self.main_search();
            if !island && let Some(worker) = workers.first_mut() {
                for own in &thread_trees {
                    merge_tree(&search, &Search { tree: &own.tree, ..search }, worker);
                }
            }
        }
        while thread_trees.is_empty() {
            self.tree.full.store(false, Relaxed);
            let search = Search {
                virtual_loss: if workers.len() > 1 { self.virtual_loss() } else { 0 },
                ..self.main_search()
            };
            if workers.len() > 1 && self.config.parallel == ParallelMode::Leaf {
                run_leaf_parallel(&search, &mut workers, &budget, &mut stop_check);
            } else {
                run_tree_parallel(&search, &self.histories, &mut workers, &budget, &mut stop_check);
            }
            let ended = !self.tree.full.load(Relaxed) || budget.stopped.load(Relaxed);
            if ended || !stop.has_time_for(self.tree.room_takes()) {
                break;
            }
            self.tree.make_room();
        }
        self.thread_trees = thread_trees;
        self.workers = workers;
    }

    const fn virtual_loss(&self) -> u32 {
        match self.config.parallel {
            ParallelMode::Tree => self.config.virtual_loss as u32,
            ParallelMode::Island | ParallelMode::Root | ParallelMode::Leaf => 0,
        }
    }

    /// The first levels of the tree as text.
    pub(crate) fn dump(&self) -> Vec<String> {
        self.final_search().dump(4, 3)
    }
}
