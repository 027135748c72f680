//! The engine `mcts`: its options, and what it does with a job.

use std::time::Instant;

use surus_play::{Answer, Engine, EngineError, Id, Info, Job, Limit, OptionError, Options};
use surus_rules::{Phase, Turn};
use surus_tactics::{elimination_in, goal_in};

use super::config;
use super::kept::Kept;
use crate::setups;

/// Monte Carlo tree search over steps.
#[derive(Debug)]
pub struct Mcts {
    options: Options,
    /// What the last search left behind; none after an option was changed.
    pub(super) kept: Option<Kept>,
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

    fn tree(&self) -> Vec<String> {
        self.kept.as_ref().map(Kept::dump).unwrap_or_default()
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
        let options = &self.options;
        let kept = self.kept.get_or_insert_with(|| {
            let [seed, threads, memory] =
                ["seed", "threads", "memory"].map(|name| options.whole(name).unsigned_abs());
            Kept::new(config::config(options), job, seed, threads, memory)
        });
        kept.begin(job);
        kept.search(job, began, report)
    }
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
