//! The engine `alphabeta`: its options, and what it does with a job.

use std::time::Instant;

use surus_play::{
    Answer, Engine, EngineError, Id, Info, Job, Limit, OptionError, OptionKind, OptionSpec, Options,
};
use surus_rules::{Game, Phase, Turn};
use surus_tactics::{elimination_in, goal_in};

use crate::eval::{self, Handmade};
use crate::features::Features;
use crate::levels::{Blurred, HIGHEST, Level};
use crate::memory::Memory;
use crate::score::{Score, WIN, reported};
use crate::table::Table;
use crate::threads::Task;
use crate::{machine, setups};

static OPTIONS: [OptionSpec; 5] = [
    OptionSpec {
        name: "hash",
        kind: OptionKind::Whole(1, 1 << 20),
        default: "64",
        help: "Megabytes for the table of positions met before.",
    },
    OptionSpec {
        name: "level",
        kind: OptionKind::Whole(1, HIGHEST as i64),
        default: "10",
        help: "How well it plays, from a beginner of the first day (1) to all it can (10).",
    },
    OptionSpec {
        name: "seed",
        kind: OptionKind::Whole(0, i64::MAX),
        default: "1",
        help: "Chooses the setups, and the errors of the lower levels; the same seed plays the same games.",
    },
    OptionSpec {
        name: "threads",
        kind: OptionKind::Whole(1, 1024),
        default: "1",
        help: "Threads to search with. Only one thread plays the same games again.",
    },
    OptionSpec {
        name: "without",
        kind: OptionKind::Text,
        default: "",
        help: "Parts of the search to switch off, with + between them, to measure what they are worth.",
    },
];

/// Principal variation search over steps with a table, quiescence and exact tactics at the ends of turns.
#[derive(Debug)]
pub struct AlphaBeta {
    options: Options,
    /// Made with a game or when it is first needed, so that an engine that is only asked for its options costs nothing.
    table: Option<Table>,
    /// One for each thread; none until the number of threads is settled.
    memories: Vec<Memory>,
    /// What to tell with the next report.
    warnings: Vec<String>,
}

impl Default for AlphaBeta {
    fn default() -> Self {
        Self { options: Options::new(&OPTIONS), table: None, memories: Vec::new(), warnings: Vec::new() }
    }
}

impl Engine for AlphaBeta {
    fn id(&self) -> Id {
        Id::own("alphabeta", &[Limit::Depth, Limit::Nodes, Limit::Time]).revised(bench())
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        if name.eq_ignore_ascii_case("without")
            && let Err(expected) = Features::without(value)
        {
            return Err(OptionError::Value { name: name.into(), value: value.into(), expected });
        }
        let read = |options: &Options| ["hash", "threads", "level", "seed"].map(|name| options.whole(name));
        let before = read(&self.options);
        self.options.set(name, value)?;
        let now = read(&self.options);
        if now[0] != before[0] {
            self.table = None;
        }
        if now[1] != before[1] {
            self.memories.clear();
        }
        if now[2..] != before[2..] {
            // What another level thought of a position is not what this one thinks.
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
        let terms = eval::explain(game.position().board(), game.side());
        let all = terms.iter().fold([0, 0], |all, term| [all[0] + term.sides[0], all[1] + term.sides[1]]);
        let rows = terms.iter().filter(|term| term.sides != [0, 0]);
        let rows = rows.map(|term| format!("{} {}", term.spec.name.to_lowercase(), told(term.sides)));
        rows.chain([format!("all {}", told(all))]).collect()
    }

    fn think(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Answer, EngineError> {
        let game = &job.game;
        match game.phase() {
            Phase::Over(ending) => Err(EngineError::GameOver(ending)),
            Phase::Setup(side) => {
                let seed = self.options.whole("seed").unsigned_abs();
                setups::answer(game, side, seed)
            }
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
                score: Some(reported(WIN - turn.len() as Score)),
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
        let whole = |name| self.options.whole(name).unsigned_abs();
        if self.table.is_none() {
            self.table = Some(Table::new(machine::hash(whole("hash"), &mut self.warnings)));
        }
        if self.memories.is_empty() {
            let threads = machine::threads(whole("threads"), &mut self.warnings);
            self.memories.resize_with(threads as usize, Memory::new);
        }
    }

    fn search(&mut self, job: &Job, began: Instant, report: &mut dyn FnMut(Info)) -> Option<Turn> {
        let (level, seed) = (self.level(), self.options.whole("seed").unsigned_abs());
        let table = self.table.as_mut()?;
        table.next_search();
        self.memories.iter_mut().for_each(Memory::fade);
        let features = Features::without(self.options.text("without")).unwrap_or_default();
        if level.error == 0 {
            let task = Task { job, eval: &Handmade, level, features, table, began };
            return task.run(&mut self.memories, report);
        }
        // A level that errs answers at once as it is; alone it is also the same every time.
        let eval = &Blurred { eval: &Handmade, error: level.error, seed };
        Task { job, eval, level, features, table, began }.run(self.memories.get_mut(..1)?, report)
    }

    fn level(&self) -> Level {
        Level::of(self.options.whole("level"))
    }
}

/// The nodes of `surus bench`, which tell one search or evaluation from another.
fn bench() -> u32 {
    include_str!("../../../BENCH").trim().parse().unwrap_or_default()
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
