//! What an engine keeps from turn to turn, and a search with it.

use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use surus_play::{EngineError, Info, Job, Stop};
use surus_rules::{Board, Position, Turn, Turns};

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
use crate::common::turn_state::SearchRoot;

/// Without any limit it ends after so many playouts.
const DEFAULT_PLAYOUT_LIMIT: u64 = 100_000_000;

/// So often a search tells how it stands.
const BETWEEN_REPORTS: Duration = Duration::from_secs(1);

/// The trees, histories and workers of an engine with one configuration.
#[derive(Debug)]
pub(crate) struct MctsSession {
    pub(crate) config: Config,
    playouts: PlayoutPolicy,
    pub(crate) tree: Tree,
    /// One for each thread in the tree.
    pub(crate) histories: Vec<History>,
    /// Trees of threads that work run_root_parallel.
    pub(crate) thread_trees: Vec<ThreadTree>,
    root: SearchRoot,
    pub(crate) workers: Vec<Worker>,
    seed: u64,
    /// Visits that the root had from an earlier turn.
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
        let (whole, part) = if island {
            (TreeRole::Master, TreeRole::Island)
        } else {
            (TreeRole::Standalone, TreeRole::Standalone)
        };
        let share = bytes / trees;
        // Half of the memory at most is for histories: where it is short threads share them, or there is none.
        let most = if config.history { share / 2 / history::BYTES } else { 0 };
        let inside = if trees == 1 { (threads as usize).clamp(1, most.max(1)) } else { 1 };
        let rest = share - most.min(inside) * history::BYTES;
        let own = || ThreadTree { tree: Tree::new(&config, rest, part), history: History::new(most != 0) };
        Self {
            playouts: PlayoutPolicy::new(&config, true),
            tree: Tree::new(&config, if island { share } else { rest }, whole),
            histories: (0..inside).map(|_| History::new(most != 0 && !island)).collect(),
            thread_trees: (1..trees).map(|_| own()).collect(),
            root: SearchRoot::new(&job.game),
            workers: (0..threads).map(|_| Worker::new(&config, seed)).collect(),
            seed,
            reused_visits: 0,
            config,
        }
    }

    /// Makes ready for a job; what is left of the tree from the turn before is session if that is wanted.
    pub(crate) fn prepare(&mut self, job: &Job) {
        let mut root = SearchRoot::new(&job.game);
        if !job.only.is_empty() || self.config.root_children == RootChildren::Turns {
            root.turns = root_turns(job);
        }
        let known = if self.config.tree_reuse && self.thread_trees.is_empty() && root.turns.is_empty() {
            self.find_reusable_node(job)
        } else {
            None
        };
        self.playouts = PlayoutPolicy::new(&self.config, job.game.rules().elimination());
        match known {
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
            if known.is_some() {
                // What is left of the tree taught it, and will not do so again.
                worker.playout.advisor = old.playout.advisor.carried_over();
            }
        }
    }

    /// The node of a job's position in the tree of a turn before, or of the same: after pondering one turn was played since,
    /// else two.
    fn find_reusable_node(&self, job: &Job) -> Option<u32> {
        let before = self.root.state.turn_number as usize;
        let played = job.game.entries().get(before..)?;
        let inside = job.game.position().steps_taken() != 0 || self.root.state.position.steps_taken() != 0;
        if played.len() > 2 || inside || !self.root.turns.is_empty() {
            return None;
        }
        let search = self.main_search();
        let mut at = (0, self.root.state);
        for entry in played {
            at = search.ends_on(at.0, at.1, &entry.board)?;
        }
        // The game may have been another one until now; and what was proved without a look at the turns has none.
        let node = self.tree.node(at.0);
        let bare = node.proven_winner().is_some() && node.children().is_empty();
        (!bare && at.1.position == *job.game.position()).then_some(at.0)
    }

    pub(crate) fn main_search(&self) -> Search<'_> {
        let crowd = self.workers.len() > 1 && self.config.parallel == ParallelMode::Tree;
        let island = self.config.parallel == ParallelMode::Island && !self.thread_trees.is_empty();
        Search {
            config: &self.config,
            playouts: &self.playouts,
            tree: &self.tree,
            history: &self.histories[0],
            root: &self.root,
            master: island.then_some(&self.tree),
            virtual_loss: if crowd { self.config.virtual_loss as u32 } else { 0 },
        }
    }

    /// The search that has the tree from which the turn is chosen.
    ///
    /// Of islands that is the first one, which knows all in the end: in the master tree, where nodes with the same
    /// position share no children, a turn could end in the middle.
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
        stop: &Stop,
        began: Instant,
        report: &mut dyn FnMut(Info),
    ) -> Result<Turn, EngineError> {
        let mut told = began;
        let mut tell = |search: &Search<'_>, playouts: u64| {
            if told.elapsed() < BETWEEN_REPORTS {
                return;
            }
            told = Instant::now();
            let legal = |line: &PvLine| job.game.clone().play(&line.turns[0]).is_ok();
            if let Some(line) = search.pv_lines(1).first().filter(|line| legal(line)) {
                report(progress(line, job.game.side(), playouts, began.elapsed()));
            }
        };
        let limits = &job.limits;
        self.run(stop, limits.nodes.unwrap_or(DEFAULT_PLAYOUT_LIMIT), limits.time.is_some(), &mut tell);
        let lines = self.final_search().pv_lines(usize::MAX);
        let legal = |line: &&PvLine| job.game.clone().play(&line.turns[0]).is_ok();
        let best: Vec<&PvLine> = lines.iter().filter(legal).take(job.lines.max(1)).collect();
        for (number, line) in best.iter().enumerate().rev() {
            report(self.info(line, job.game.side(), number, began.elapsed()));
        }
        match best.first() {
            Some(line) => Ok(line.turns[0]),
            None => fallback(job).ok_or(EngineError::NoTurn),
        }
    }

    /// Simulations until the end of time or budget; `tell` hears often how it stands.
    fn run(&mut self, stop: &Stop, most: u64, timed: bool, tell: &mut dyn FnMut(&Search<'_>, u64)) {
        let budget = Budget::new(most);
        let mut look = |search: &Search<'_>| {
            tell(search, budget.begun());
            stop.winding_down() || timed && search.can_stop_early(stop.gone())
        };
        let mut workers = std::mem::take(&mut self.workers);
        let mut thread_trees = std::mem::take(&mut self.thread_trees);
        if !thread_trees.is_empty() {
            let island = self.config.parallel == ParallelMode::Island;
            loop {
                let search = Search { master: island.then_some(&self.tree), ..self.main_search() };
                run_root_parallel(&search, &mut thread_trees, &mut workers, &budget, &mut look);
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
                run_leaf_parallel(&search, &mut workers, &budget, &mut look);
            } else {
                run_tree_parallel(&search, &self.histories, &mut workers, &budget, &mut look);
            }
            let ended = !self.tree.full.load(Relaxed) || budget.over.load(Relaxed);
            if ended || !stop.leaves(self.tree.room_takes()) {
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

    /// The first levels of the tree in words.
    pub(crate) fn dump(&self) -> Vec<String> {
        self.final_search().dump(4, 3)
    }
}

/// The turns that the root's children are to be.
pub(crate) fn root_turns(job: &Job) -> Vec<(Turn, Board)> {
    let position: &Position = job.game.position();
    let after = |turn: &Turn| turn.steps().fold(*position.board(), |board, step| board.after(step));
    if job.only.is_empty() {
        let turns = Turns::new(position, job.game.turn_start(), Turn::MAX as u8);
        let legal = turns.iter().filter(|(_, board)| job.game.third_repetition(board).is_none());
        return legal.map(|(turn, board)| (turn, *board)).collect();
    }
    let legal = job.only.iter().filter(|turn| job.game.clone().play(turn).is_ok());
    legal.map(|turn| (*turn, after(turn))).collect()
}

/// Any turn that is allowed, for a search that was ended before it began.
fn fallback(job: &Job) -> Option<Turn> {
    let legal = |turn: &Turn| job.game.clone().play(turn).is_ok();
    if job.only.is_empty() {
        job.game.legal_turns().into_iter().next()
    } else {
        job.only.iter().copied().find(legal)
    }
}
