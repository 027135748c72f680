//! The engine `alphabeta`: deepens step by step until a limit is reached.

use std::time::Instant;

use surus_play::{
    Answer, Engine, EngineError, Id, Info, Job, Limit, OptionError, OptionKind, OptionSpec, Options,
};
use surus_rules::{Phase, Turn};
use surus_tactics::{elimination_in, goal_in};

use crate::eval::Handmade;
use crate::features::Features;
use crate::memory::Memory;
use crate::root::{self, Beginning};
use crate::score::{INFINITE, Score, WIN, is_proven};
use crate::search::{Choice, Search, end_key};
use crate::setups;
use crate::table::Table;

static OPTIONS: [OptionSpec; 3] = [
    OptionSpec {
        name: "hash",
        kind: OptionKind::Whole(1, 1 << 20),
        default: "64",
        help: "Megabytes for the table of positions met before.",
    },
    OptionSpec {
        name: "seed",
        kind: OptionKind::Whole(0, i64::MAX),
        default: "1",
        help: "Chooses the setups; the same seed plays the same games.",
    },
    OptionSpec {
        name: "without",
        kind: OptionKind::Text,
        default: "",
        help: "Parts of the search to switch off, with + between them, to measure what they are worth.",
    },
];

/// No search gets further than this many steps.
const DEEPEST: u32 = 100;

/// A score that falls by this much is a reason to think on.
const WORRY: Score = 400;

/// Principal variation search over steps with a table, quiescence and exact tactics at the ends of turns.
#[derive(Debug)]
pub struct AlphaBeta {
    options: Options,
    /// Made when it is first needed, so that an engine that is only asked for its options costs nothing.
    table: Option<Table>,
    memory: Memory,
    /// What to tell with the next report.
    warnings: Vec<String>,
}

impl Default for AlphaBeta {
    fn default() -> Self {
        Self { options: Options::new(&OPTIONS), table: None, memory: Memory::new(), warnings: Vec::new() }
    }
}

impl Engine for AlphaBeta {
    fn id(&self) -> Id {
        Id::own("alphabeta", &[Limit::Depth, Limit::Nodes, Limit::Time])
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
        let before = self.options.whole("hash");
        self.options.set(name, value)?;
        if self.options.whole("hash") != before {
            self.table = None;
        }
        Ok(())
    }

    fn new_game(&mut self) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
        self.memory.clear();
    }

    fn think(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Answer, EngineError> {
        let game = &job.game;
        match game.phase() {
            Phase::Over(ending) => Err(EngineError::GameOver(ending)),
            Phase::Setup(side) => {
                let seed = self.options.whole("seed").unsigned_abs();
                setups::choose(game.turn_start(), side, seed).map(Answer::Setup).ok_or(EngineError::NoTurn)
            }
            Phase::Play(_) => self.turn(job, report).map(Answer::Turn),
        }
    }
}

impl AlphaBeta {
    fn turn(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Turn, EngineError> {
        let began = Instant::now();
        let table = make_table(&mut self.table, self.options.whole("hash"), &mut self.warnings);
        if !self.warnings.is_empty() {
            report(Info { words: std::mem::take(&mut self.warnings), ..Info::default() });
        }
        if let Some(turn) = win_at_once(job) {
            report(Info {
                depth: Some(turn.len() as u32),
                finished: true,
                score: Some(reported(WIN - turn.len() as Score)),
                nodes: Some(0),
                time: Some(began.elapsed()),
                pv: vec![turn],
                ..Info::default()
            });
            return Ok(turn);
        }
        table.next_search();
        self.memory.fade();
        let most_nodes = job.limits.nodes.unwrap_or(u64::MAX);
        let mut search = Search::new(&job.game, &Handmade, (table, &mut self.memory), &job.stop, most_nodes);
        search.features = Features::without(self.options.text("without")).unwrap_or_default();
        let best =
            Deepening { job, search, began, beginnings: root::beginnings(job), best: None }.run(report);
        best.or_else(|| fallback(job)).ok_or(EngineError::NoTurn)
    }
}

/// Iterative deepening over the beginnings of a job.
struct Deepening<'a> {
    job: &'a Job,
    search: Search<'a, Handmade>,
    began: Instant,
    beginnings: Vec<Beginning>,
    /// The best line so far and its score.
    best: Option<(Score, Vec<Turn>)>,
}

impl Deepening<'_> {
    fn run(mut self, report: &mut dyn FnMut(Info)) -> Option<Turn> {
        let deepest = self.job.limits.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST);
        for depth in 1..=deepest {
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
            nodes: Some(self.search.nodes),
            time: Some(self.began.elapsed()),
            hashfull: Some(self.search.table.fullness()),
            pv: turns,
            ..Info::default()
        }
    }
}

/// In hundredths of a rabbit; a win is 100,000 less its distance in steps.
const fn reported(score: Score) -> i32 {
    if is_proven(score) {
        let steps = WIN - score.abs();
        if 0 < score { 100_000 - steps } else { steps - 100_000 }
    } else {
        score / 10
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

/// Any turn that is allowed, for a search that was ended before it began.
fn fallback(job: &Job) -> Option<Turn> {
    let legal = |turn: &Turn| job.game.clone().play(turn).is_ok();
    if job.only.is_empty() {
        job.game.legal_turns().into_iter().next()
    } else {
        job.only.iter().copied().find(legal)
    }
}

/// The table in the size that is asked for, or in the one the machine has room for.
fn make_table<'a>(table: &'a mut Option<Table>, wanted: i64, warnings: &mut Vec<String>) -> &'a mut Table {
    table.get_or_insert_with(|| Table::new(clamped(wanted.unsigned_abs(), memory_of_the_machine(), warnings)))
}

/// At most half of the memory there is, in megabytes.
pub(crate) fn clamped(wanted: u64, memory: Option<u64>, warnings: &mut Vec<String>) -> u64 {
    let most = memory.map_or(u64::MAX, |memory| (memory / 2).max(1));
    if most < wanted {
        warnings.push(format!("hash is {most} MB: {wanted} are more than half of the machine's memory"));
    }
    wanted.min(most)
}

/// In megabytes, where the system tells.
fn memory_of_the_machine() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes / 1024)
}
