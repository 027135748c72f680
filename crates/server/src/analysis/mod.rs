//! Analyses for the review page: a fair queue with a limit on threads and memory.
//!
//! A client can ask for several analyses, of positions or of games. The clients are served in turn (`queue.rs`), as many
//! at a time as there are processors. A search without a limit is interrupted when others wait, and continued later with
//! the transposition table that it left. An analysis ends when its client stops it or disconnects. Results are kept
//! (`cache.rs`).

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use surus_arena::EngineSpec;
use surus_play::{Engine, Registry, StopToken};
use surus_rules::{Game, Phase, Position, Side};

use crate::api::{AnalysisLimits, AnalysisRequest, GameAnalysisRequest};
use crate::engine_pool::MAX_MEMORY_MB;
use crate::session::{Subscriber, encode};

mod cache;
mod game_analysis;
mod judgement;
mod queue;
mod scheduler;
mod search;
#[cfg(test)]
mod tests;

use game_analysis::GameAnalysis;
use scheduler::{Analysis, Key, PositionWork, State, Unit, Work, position_message, update};
use search::{SearchJob, SearchReport, search};

/// How long a search without a limit runs before others that wait are served.
const SLICE: Duration = Duration::from_millis(if cfg!(test) { 20 } else { 1500 });

/// How long one search runs at most, in case a page is left open.
const MAX_DURATION: Duration = Duration::from_secs(15 * 60);

/// The transposition table of each search of a game, in megabytes.
const GAME_HASH_MB: u16 = 16;

const MAX_LINES: u8 = 5;
const MAX_NODES: u64 = 20_000_000;

/// The maximum number of analyses of one client at the same time.
const MAX_PER_CLIENT: usize = 32;

/// Why a position cannot be analysed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum AnalysisError {
    #[error("there is nothing to analyse yet: {0} has not set up its pieces")]
    Setup(Side),
    #[error("there is nothing to analyse: the game is over")]
    Over,
    #[error("the position cannot be analysed with the other side to move: {0}")]
    Threat(surus_rules::PositionError),
    #[error("invalid {name} {value}: expected 1 to {max}")]
    Range { name: &'static str, value: u64, max: u64 },
    #[error("the limit of {MAX_PER_CLIENT} analyses per client is reached")]
    TooMany,
}

/// The analyses of all clients.
pub(crate) struct AnalysisService {
    registry: Registry,
    spec: EngineSpec,
    engine_id: OnceLock<String>,
    max_threads: u8,
    state: Mutex<State>,
}

impl fmt::Debug for AnalysisService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnalysisService").field("spec", &self.spec).finish_non_exhaustive()
    }
}

impl AnalysisService {
    pub(crate) fn new(registry: Registry, engine: &str, max_threads: usize) -> Self {
        Self {
            registry,
            spec: EngineSpec::parse(engine),
            engine_id: OnceLock::new(),
            max_threads: max_threads.clamp(1, 64) as u8,
            state: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change is complete before the lock is released.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn limits(&self) -> AnalysisLimits {
        AnalysisLimits {
            engine: self.spec.name.clone(),
            max_threads: self.max_threads,
            max_hash: self.max_hash(),
            max_lines: MAX_LINES,
        }
    }

    fn max_hash(&self) -> u16 {
        (MAX_MEMORY_MB / u32::from(self.max_threads)).max(1) as u16
    }

    /// The number of analyses that run or wait.
    pub(crate) fn count(&self) -> usize {
        self.lock().analyses.len()
    }

    /// Creates the engine once, so that the first analysis does not wait for it.
    pub(crate) fn warm_up(&self) {
        if let Ok(engine) = self.create() {
            self.lock().idle.push(engine);
        }
    }

    fn create(&self) -> Result<Box<dyn Engine>, String> {
        let engine = self.spec.instantiate(&self.registry).map_err(|error| error.to_string())?;
        self.engine_id.get_or_init(|| engine.id().to_string());
        Ok(engine)
    }

    fn engine_id(&self) -> &str {
        self.engine_id.get().map_or("", String::as_str)
    }

    /// Analyses a position. Results are sent as messages.
    pub(crate) fn start(
        self: &Arc<Self>,
        subscriber: &Subscriber,
        request: &AnalysisRequest,
        game: Game,
    ) -> Result<(), AnalysisError> {
        check_range("number of lines", u64::from(request.lines), u64::from(MAX_LINES))?;
        check_range("number of threads", u64::from(request.threads), u64::from(self.max_threads))?;
        check_range("hash", u64::from(request.hash), u64::from(self.max_hash()))?;
        check_range("number of nodes", request.nodes.unwrap_or(1), MAX_NODES)?;
        let game = if request.threat { with_other_side(&game)? } else { game };
        check_playable(&game)?;
        let line_count = usize::from(request.lines);
        let job = SearchJob { game, line_count, nodes: request.nodes, stop: StopToken::default() };
        let analysis = Analysis {
            subscriber: subscriber.clone(),
            threads: request.threads,
            hash: request.hash,
            work: Work::Position(Box::new(PositionWork { job, shown: SearchReport::default() })),
            running: Vec::new(),
        };
        self.enqueue(request.analysis, analysis)
    }

    /// Analyses all positions of a game.
    pub(crate) fn start_game(
        self: &Arc<Self>,
        subscriber: &Subscriber,
        request: &GameAnalysisRequest,
        game: &Game,
    ) -> Result<(), AnalysisError> {
        check_range("number of nodes", request.nodes, MAX_NODES)?;
        if let (Phase::Setup(side), true) = (game.phase(), game.entries().len() < 2) {
            return Err(AnalysisError::Setup(side));
        }
        let game = Box::new(GameAnalysis::new(game));
        let work = Work::Game { nodes: request.nodes, game };
        let analysis = Analysis {
            subscriber: subscriber.clone(),
            threads: 1,
            hash: GAME_HASH_MB.min(self.max_hash()),
            work,
            running: Vec::new(),
        };
        self.enqueue(request.analysis, analysis)
    }

    fn enqueue(self: &Arc<Self>, number: u32, analysis: Analysis) -> Result<(), AnalysisError> {
        let key = (analysis.subscriber.client, number);
        let mut state = self.lock();
        state.remove(key);
        if state.analyses.keys().filter(|(client, _)| *client == key.0).count() >= MAX_PER_CLIENT {
            return Err(AnalysisError::TooMany);
        }
        state.clients.insert(key.0);
        let urgent = matches!(analysis.work, Work::Position(_));
        state.analyses.insert(key, analysis);
        if !state.serve_from_cache(key, self.engine_id()) {
            state.queue.push(key.0, number, urgent);
            state.dispatch(self);
            state.send_waiting(key);
        }
        Ok(())
    }

    /// Stops an analysis; unknown ones are ignored, because it may just have ended.
    pub(crate) fn stop(self: &Arc<Self>, client: u64, number: u32) {
        let mut state = self.lock();
        state.remove((client, number));
        state.dispatch(self);
    }

    /// Stops all analyses of a client.
    pub(crate) fn disconnect(self: &Arc<Self>, client: u64) {
        let mut state = self.lock();
        let keys: Vec<Key> = state.analyses.keys().filter(|key| key.0 == client).copied().collect();
        keys.into_iter().for_each(|key| state.remove(key));
        // The transposition tables are of no use to anybody then.
        if state.clients.remove(&client) && state.clients.is_empty() {
            state.idle.clear();
        }
        state.dispatch(self);
    }

    /// Stops everything.
    pub(crate) fn stop_all(&self) {
        let mut state = self.lock();
        let keys: Vec<Key> = state.analyses.keys().copied().collect();
        keys.into_iter().for_each(|key| state.remove(key));
    }

    /// Runs one search on a blocking thread, then the next.
    fn run(self: Arc<Self>, unit: &Unit) {
        let result = self.acquire(unit).and_then(|mut engine| {
            let report = search(&mut *engine, &unit.job, &mut |report| self.on_report(unit, report))?;
            Ok((engine, report))
        });
        let mut state = self.lock();
        state.used_threads -= unit.threads;
        match result {
            Ok((engine, report)) => {
                if !state.clients.is_empty() {
                    state.idle.push(engine);
                }
                state.store(unit, &report, self.engine_id());
                state.finish(unit, &report);
            }
            Err(error) => state.fail(unit, &format!("the engine {} failed: {error}", self.spec.name)),
        }
        state.dispatch(&self);
    }

    /// An idle engine or a new one, with the options of the analysis.
    fn acquire(&self, unit: &Unit) -> Result<Box<dyn Engine>, String> {
        let idle = self.lock().idle.pop();
        let mut engine = match idle {
            Some(engine) => engine,
            None => self.create()?,
        };
        for (name, value) in [("threads", unit.threads.to_string()), ("hash", unit.hash.to_string())] {
            if engine.options().get_str(name).is_some_and(|existing| existing != value) {
                engine.set_option(name, &value).map_err(|error| error.to_string())?;
            }
        }
        Ok(engine)
    }

    fn on_report(&self, unit: &Unit, report: &SearchReport) {
        let mut state = self.lock();
        let Some(analysis) = state.analyses.get_mut(&unit.key) else { return };
        let Work::Position(work) = &mut analysis.work else { return };
        // A search that was interrupted repeats the depths that have been shown.
        if report.depth < work.shown.depth {
            return;
        }
        work.shown = report.clone();
        let update = update("searching", report);
        let _ = analysis.subscriber.sender.try_send(encode(&position_message(unit.key.1, update)));
    }

    /// Interrupts a search without a limit if others wait. Returns whether to look again later.
    fn check_slice(&self, key: Key, search: u64) -> bool {
        let mut state = self.lock();
        let others_wait = !state.queue.is_empty();
        let Some(analysis) = state.analyses.get_mut(&key) else { return false };
        let Some(running) = analysis.running.iter_mut().find(|running| running.search == search) else {
            return false;
        };
        let is_too_long = running.started.elapsed() >= MAX_DURATION;
        if others_wait || is_too_long {
            running.interrupted = !is_too_long;
            running.stop.request();
        }
        !(others_wait || is_too_long)
    }
}

fn check_range(name: &'static str, value: u64, max: u64) -> Result<(), AnalysisError> {
    if (1..=max).contains(&value) { Ok(()) } else { Err(AnalysisError::Range { name, value, max }) }
}

fn check_playable(game: &Game) -> Result<(), AnalysisError> {
    match game.phase() {
        Phase::Play(_) => Ok(()),
        Phase::Setup(side) => Err(AnalysisError::Setup(side)),
        Phase::Over(_) => Err(AnalysisError::Over),
    }
}

/// The present board with the other side to move.
fn with_other_side(game: &Game) -> Result<Game, AnalysisError> {
    check_playable(game)?;
    let position = Position::new(*game.position().board(), game.side().other());
    let position = position.map_err(AnalysisError::Threat)?;
    Ok(Game::from_position(&position, game.tag().number, game.rules()))
}
