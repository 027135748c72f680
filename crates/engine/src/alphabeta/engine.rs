//! The engine `alphabeta`: its options, and what it does with a job.

use std::sync::LazyLock;
use std::time::Instant;

use surus_play::{
    Answer, Engine, EngineError, Id, Info, Job, Limit, Limits, OptionError, OptionKind, Options, Revision,
    TypedOptions,
};
use surus_rules::{Game, Phase, Turn};
use surus_tactics::{elimination_in, goal_in};

use super::features::Features;
use super::history::Memory;
use super::lazy_smp::Task;
use super::levels::{Blurred, HIGHEST, Level};
use super::tt::Table;
use crate::common::{resources, setups};
use crate::eval::{self, HandWritten, Weights};

surus_play::options! {
    /// The options of `alphabeta`.
    pub(crate) struct AlphaBetaOptions {
        hash: u64 = OptionKind::Whole(1, 1 << 20), "64", "Megabytes for the table of positions met before.";
        level: u8 = OptionKind::Whole(1, HIGHEST as i64), "10",
            "How well it plays, from a beginner of the first day (1) to all it can (10).";
        seed: u64 = OptionKind::Whole(0, i64::MAX), "1",
            "Chooses the setups, and the errors of the lower levels; the same seed plays the same games.";
        threads: u64 = OptionKind::Whole(1, 1024), "1",
            "Threads to search with. Only one thread plays the same games again.";
        weights: Weights = OptionKind::Text, "",
            "A weights file for the evaluation; empty for the embedded weights.";
        without: Features = OptionKind::Text, "",
            "Parts of the search to switch off, with + between them, to measure what they are worth.";
    }
}

/// Principal variation search over steps with a table, quiescence and exact tactics at the ends of turns.
#[derive(Debug, Default)]
pub struct AlphaBeta {
    options: TypedOptions<AlphaBetaOptions>,
    /// Made with a game or when it is first needed, so that an engine that is only asked for its options costs nothing.
    table: Option<Table>,
    /// One for each thread; none until the number of threads is settled.
    memories: Vec<Memory>,
    /// What to tell with the next report.
    warnings: Vec<String>,
}

impl Engine for AlphaBeta {
    fn id(&self) -> Id {
        static BEHAVIOUR: LazyLock<String> = LazyLock::new(|| {
            let mut engine = AlphaBeta::default();
            // The smallest table, which is made fastest.
            let _ = engine.set("hash", "1");
            Revision::of(engine, Limits { nodes: Some(4_000), ..Limits::default() }).to_string()
        });
        let revision = Revision::default().with(BEHAVIOUR.as_str()).with(self.options.weights.revision());
        Id::own("alphabeta", revision.to_string(), &[Limit::Depth, Limit::Nodes, Limit::Time])
    }

    fn options(&self) -> &Options {
        self.options.table()
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let before = (*self.options).clone();
        self.options.set(name, value)?;
        let now = &*self.options;
        if now.hash != before.hash {
            self.table = None;
        }
        if now.threads != before.threads {
            self.memories.clear();
        }
        if (now.level, now.seed, &now.weights) != (before.level, before.seed, &before.weights) {
            // Entries of another level or evaluation are wrong for this one.
            self.table.iter_mut().for_each(Table::clear);
            self.memories.iter_mut().for_each(Memory::clear);
        }
        Ok(())
    }

    /// Also makes the table, which takes longer than a turn of a tenth of a second may.
    fn new_game(&mut self) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
        self.make_room();
        self.memories.iter_mut().for_each(Memory::clear);
    }

    fn explain(&self, game: &Game) -> Vec<String> {
        let told = |sides: [i32; 2]| {
            format!("gold {} silver {} sum {:+}", sides[0] / 10, sides[1] / 10, (sides[0] - sides[1]) / 10)
        };
        let terms = eval::explain(&self.options.weights, game.position().board(), game.side());
        let all = terms.iter().fold([0, 0], |all, term| [all[0] + term.sides[0], all[1] + term.sides[1]]);
        let rows = terms.iter().filter(|term| term.sides != [0, 0]);
        let rows = rows.map(|term| format!("{} {}", term.spec.name.to_lowercase(), told(term.sides)));
        rows.chain([format!("all {}", told(all))]).collect()
    }

    fn think(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Answer, EngineError> {
        let game = &job.game;
        match game.phase() {
            Phase::Over(ending) => Err(EngineError::GameOver(ending)),
            Phase::Setup(side) => setups::answer(game, side, self.options.seed),
            Phase::Play(_) => self.turn(job, report).map(Answer::Turn),
        }
    }
}

impl AlphaBeta {
    /// The boards that actions of all searches since the last new game led to, and how many of them were met for the
    /// first time in their turn.
    #[must_use]
    pub fn boards(&self) -> (u64, u64) {
        let sets = || self.memories.iter().map(|memory| &memory.turn_set);
        (sets().map(|set| set.made).sum(), sets().map(|set| set.distinct).sum())
    }

    fn turn(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Turn, EngineError> {
        let began = Instant::now();
        self.make_room();
        if !self.warnings.is_empty() {
            report(Info { words: std::mem::take(&mut self.warnings), ..Info::default() });
        }
        if job.lines < 2
            && let Some(turn) = win_at_once(job, self.level().care.sight)
        {
            report(Info {
                depth: Some(turn.len() as u32),
                finished: true,
                score: Some(surus_rules::Score::Win { turns: 1 }),
                win: Some(1.0),
                nodes: Some(0),
                time: Some(began.elapsed()),
                pv: vec![turn],
                ..Info::default()
            });
            return Ok(turn);
        }
        let best = self.search(job, began, report);
        best.or_else(|| fallback(job)).ok_or(EngineError::NoTurn)
    }

    /// The table and the memories in the sizes that are asked for, or in those the machine has room for.
    fn make_room(&mut self) {
        let AlphaBetaOptions { hash, threads, .. } = *self.options;
        if self.table.is_none() {
            self.table = Some(Table::new(resources::hash(hash, &mut self.warnings)));
        }
        if self.memories.is_empty() {
            let threads = resources::threads(threads, &mut self.warnings);
            self.memories.resize_with(threads as usize, Memory::new);
        }
    }

    fn search(&mut self, job: &Job, began: Instant, report: &mut dyn FnMut(Info)) -> Option<Turn> {
        let AlphaBetaOptions { seed, without: features, .. } = *self.options;
        let level = self.level();
        let eval = HandWritten::new(self.options.weights.clone());
        let table = self.table.as_mut()?;
        table.next_search();
        self.memories.iter_mut().for_each(Memory::fade);
        if level.error == 0 {
            let task = Task { job, eval, level, features, table, began };
            return task.run(&mut self.memories, report);
        }
        // A level that errs answers at once as it is; alone it is also the same every time.
        let eval = Blurred { eval, error: level.error, seed };
        Task { job, eval, level, features, table, began }.run(self.memories.get_mut(..1)?, report)
    }

    fn level(&self) -> Level {
        Level::of(i64::from(self.options.level))
    }
}

/// A goal, or the capture of the last rabbits, in this very turn, if it takes no more steps than are seen.
fn win_at_once(job: &Job, sight: u8) -> Option<Turn> {
    let position = job.game.position();
    let last = || job.game.rules().elimination().then(|| elimination_in(position)).flatten();
    [goal_in(position), last()].into_iter().flatten().find(|turn| {
        turn.len() <= sight as usize && (job.only.is_empty() || job.only.contains(turn)) && {
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
