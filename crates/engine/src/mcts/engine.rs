//! The engine `mcts`: its options, and what it does with a job.

use std::time::{Duration, Instant};

use surus_play::{Answer, Engine, EngineError, Id, Info, Job, Limit, OptionError, Options};
use surus_rules::{Phase, Position, Side, Turn};
use surus_tactics::{elimination_in, goal_in};

use super::config;
use super::kept::Kept;
use super::playout::{Hand, Playouts, Run};
use super::way::Way;
use crate::setups;

/// To be raised with every change of how it plays.
const REVISION: u32 = 4;

/// Longer than any search.
const FOR_EVER: Duration = Duration::from_secs(365 * 86_400);

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
        Id::own("mcts", &[Limit::Nodes, Limit::Time]).revised(REVISION)
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
            Phase::Setup(side) => setups::answer(&job.game, side, self.options.whole("seed").unsigned_abs()),
            Phase::Play(_) => self.turn(job, report).map(Answer::Turn),
        }
    }

    fn tree(&self) -> Vec<String> {
        self.kept.as_ref().map(Kept::dump).unwrap_or_default()
    }
}

impl Mcts {
    /// The mean result of so many playouts from a board, half of them begun by either side: gold's chance to win.
    #[must_use]
    pub fn mean_playout(&self, position: &Position, count: u64) -> f64 {
        let config = config::config(&self.options);
        let playouts = Playouts::new(&config, true);
        let mut hand = Hand::new(&config, self.options.whole("seed").unsigned_abs());
        let mut sum = 0.0;
        for number in 0..count {
            let side = Side::BOTH[(number % 2) as usize];
            let run = Run { board: *position.board(), side, left: Turn::MAX as u8, last: Way(0) };
            sum += f64::from(playouts.play(run, &mut hand));
        }
        (1.0 + sum / count.max(1) as f64) / 2.0
    }

    fn turn(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Turn, EngineError> {
        // The clock runs while the tree is made ready, too.
        let (began, stop) = (Instant::now(), job.stop.with_deadline(job.limits.time, FOR_EVER));
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
        kept.search(job, &stop, began, report)
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
