//! The engine `mcts`: its options, and what it does with a job.

use std::time::Instant;

use surus_play::{Answer, Engine, EngineError, Id, Info, Job, Limit, OptionError, Options};
use surus_rules::{Phase, Position, Turn, Turns};
use surus_tactics::{elimination_in, goal_in};

use super::choose::Line;
use super::config;
use super::history::History;
use super::keys::{Config, Root as RootKind};
use super::parallel::{Budget, in_one_tree};
use super::playout::Playouts;
use super::search::Search;
use super::state::Root;
use super::tree::Tree;
use super::worker::Worker;
use crate::setups;

/// Without any limit it ends after so many playouts.
const ENOUGH: u64 = 100_000_000;

/// Monte Carlo tree search over steps.
#[derive(Debug)]
pub struct Mcts {
    options: Options,
    /// What the last search left behind; none after an option was changed.
    kept: Option<Kept>,
}

#[derive(Debug)]
struct Kept {
    config: Config,
    playouts: Playouts,
    tree: Tree,
    history: History,
    root: Root,
    workers: Vec<Worker>,
}

impl Default for Mcts {
    fn default() -> Self {
        Self { options: config::options(), kept: None }
    }
}

impl Engine for Mcts {
    fn id(&self) -> Id {
        Id::own("mcts", &[Limit::Nodes, Limit::Time])
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        config::set(&mut self.options, name, value)?;
        self.kept = None;
        Ok(())
    }

    fn new_game(&mut self) {
        self.kept = None;
    }

    fn think(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Answer, EngineError> {
        match job.game.phase() {
            Phase::Over(ending) => Err(EngineError::GameOver(ending)),
            Phase::Setup(side) => {
                let seed = self.options.whole("seed").unsigned_abs();
                setups::choose(job.game.turn_start(), side, seed)
                    .map(Answer::Setup)
                    .ok_or(EngineError::NoTurn)
            }
            Phase::Play(_) => self.turn(job, report).map(Answer::Turn),
        }
    }
}

impl Mcts {
    fn turn(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Turn, EngineError> {
        let began = Instant::now();
        if let Some(turn) = win_at_once(job) {
            report(Info {
                depth: Some(turn.len() as u32),
                finished: true,
                score: Some(100_000 - turn.len() as i32),
                win: Some(1.0),
                nodes: Some(0),
                time: Some(began.elapsed()),
                pv: vec![turn],
                ..Info::default()
            });
            return Ok(turn);
        }
        let kept = self.prepare(job);
        kept.search(job, began, report)
    }

    fn prepare(&mut self, job: &Job) -> &mut Kept {
        let whole = |name| self.options.whole(name).unsigned_abs();
        let (seed, threads, memory) = (whole("seed"), whole("threads"), whole("memory"));
        let options = &self.options;
        let kept = self.kept.get_or_insert_with(|| {
            let config = config::config(options);
            let tree = Tree::new(&config, (memory as usize) << 20);
            Kept {
                playouts: Playouts::new(&config, true),
                history: History::new(config.history),
                root: Root::new(&job.game),
                workers: Vec::new(),
                tree,
                config,
            }
        });
        kept.begin(job, seed, threads);
        kept
    }
}

impl Kept {
    fn begin(&mut self, job: &Job, seed: u64, threads: u64) {
        self.root = Root::new(&job.game);
        self.playouts = Playouts::new(&self.config, job.game.rules().elimination());
        if !job.only.is_empty() || self.config.root == RootKind::Turns {
            self.root.turns = whole_turns(job);
        }
        self.tree.begin();
        self.history.clear();
        let mixed = seed ^ self.root.state.position.key() ^ job.game.entries().len() as u64;
        self.workers = (0..threads)
            .map(|number| {
                Worker::new(&self.config, mixed.wrapping_add(number.wrapping_mul(0x1234_5678_9abc_def1)))
            })
            .collect();
    }

    fn shared(&self) -> Search<'_> {
        Search {
            config: &self.config,
            playouts: &self.playouts,
            tree: &self.tree,
            history: &self.history,
            root: &self.root,
            loss: 0,
        }
    }

    fn search(
        &mut self,
        job: &Job,
        began: Instant,
        report: &mut dyn FnMut(Info),
    ) -> Result<Turn, EngineError> {
        let stop = job.stop.with_deadline(job.limits.time, std::time::Duration::from_secs(365 * 86_400));
        let budget = Budget::new(job.limits.nodes.unwrap_or(ENOUGH));
        loop {
            let mut look = || stop.winding_down();
            let mut workers = std::mem::take(&mut self.workers);
            let search = self.shared();
            in_one_tree(&search, &mut workers, &budget, &mut look);
            self.workers = workers;
            if !self.tree.full.load(std::sync::atomic::Ordering::Relaxed) {
                break;
            }
            self.tree.make_room();
        }
        let lines = self.shared().lines(job.lines.max(4));
        let legal = |line: &&Line| job.game.clone().play(&line.turns[0]).is_ok();
        let best: Vec<&Line> = lines.iter().filter(legal).take(job.lines.max(1)).collect();
        for (number, line) in best.iter().enumerate() {
            report(self.info(line, number, began, &budget));
        }
        match best.first() {
            Some(line) => Ok(line.turns[0]),
            None => fallback(job).ok_or(EngineError::NoTurn),
        }
    }

    fn info(&self, line: &Line, number: usize, began: Instant, budget: &Budget) -> Info {
        let descents: u64 = self.workers.iter().map(|worker| worker.descents).sum();
        let playouts = budget.begun();
        Info {
            line: number,
            depth: Some((descents / playouts.max(1)) as u32),
            finished: true,
            score: None,
            win: Some(line.win),
            nodes: Some(playouts),
            time: Some(began.elapsed()),
            pv: line.turns.clone(),
            ..Info::default()
        }
    }
}

/// The turns that the root's children are to be.
fn whole_turns(job: &Job) -> Vec<(Turn, surus_rules::Board)> {
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

/// A goal, or the capture of the last rabbits, in this very turn.
fn win_at_once(job: &Job) -> Option<Turn> {
    let position = job.game.position();
    let last = || job.game.rules().elimination().then(|| elimination_in(position)).flatten();
    [goal_in(position), last()].into_iter().flatten().find(|turn| {
        (job.only.is_empty() || job.only.contains(turn)) && {
            let mut game = job.game.clone();
            game.play(turn).is_ok()
                && game.ending().is_some_and(|ending| ending.winner == Some(job.game.side()))
        }
    })
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
