//! The engines of the games: which ones exist, which options a client may set, how many search at once, and how much
//! memory they have together.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use surus_play::{Engine, EngineConfig, OptionKind, OptionSpec, Registry, RegistryError};
use surus_rules::{Game, Phase, SplitMix};
use tokio::sync::Semaphore;

use crate::api::{EngineInfo, EngineOption};

/// Idle engines that are kept between their turns, with their transposition tables.
const MAX_IDLE: usize = 4;

/// The memory of the engines of all games together, in megabytes; the analyses have as much again.
pub(crate) const MAX_MEMORY_MB: u32 = 512;

/// What an engine is counted as that has no option for its memory.
const DEFAULT_MEMORY_MB: u32 = 64;

/// The option with which an engine writes to the archive.
const LEARN_OPTION: &str = "learn";

/// The options for the memory of an engine, in megabytes.
const MEMORY_OPTIONS: [&str; 2] = ["hash", "memory"];

/// The maximum time per turn without clocks.
pub(crate) const MAX_SECONDS: u32 = 600;

/// The evaluation error of engines at full strength, in millirabbits: too small to matter, but enough for another choice
/// among equal turns.
const VARIETY: u64 = 50;

/// Why a client cannot have an engine.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub(crate) enum EngineRequestError {
    #[error(transparent)]
    Registry(#[from] RegistryError),
    #[error("the option '{option}' of {engine} cannot be set on the board")]
    Option { engine: String, option: String },
    #[error("invalid value '{value}' for option '{option}': the board allows at most {max}")]
    AboveLimit { option: String, value: String, max: f64 },
    #[error("invalid time per turn: {0} seconds, expected 1 to {MAX_SECONDS}")]
    Seconds(u32),
}

/// All engines, and the permits for searching.
pub(crate) struct EnginePool {
    registry: Registry,
    /// Whether only this machine can reach the board.
    local: bool,
    /// One permit per engine that may search at the same time.
    pub(crate) permits: Arc<Semaphore>,
    pub(crate) max_concurrent: usize,
    shared: Arc<Shared>,
}

/// The engines between two turns, and the memory of all engines.
#[derive(Default)]
struct Shared {
    state: Mutex<PoolState>,
    /// Signalled when an engine becomes idle or frees its memory.
    freed: Condvar,
}

#[derive(Default)]
struct PoolState {
    /// By game and name, oldest first.
    idle: Vec<(String, PooledEngine)>,
    used_mb: u32,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, PoolState> {
        // A panic elsewhere can at most have lost an idle engine.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An engine with its share of the memory, which it frees on drop.
pub(crate) struct PooledEngine {
    engine: Box<dyn Engine>,
    _memory: MemoryShare,
}

impl Deref for PooledEngine {
    type Target = dyn Engine;

    fn deref(&self) -> &Self::Target {
        &*self.engine
    }
}

impl DerefMut for PooledEngine {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.engine
    }
}

struct MemoryShare {
    megabytes: u32,
    shared: Arc<Shared>,
}

impl Drop for MemoryShare {
    fn drop(&mut self) {
        self.shared.lock().used_mb -= self.megabytes;
        self.shared.freed.notify_all();
    }
}

impl fmt::Debug for EnginePool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EnginePool")
            .field("registry", &self.registry)
            .field("max_concurrent", &self.max_concurrent)
            .finish_non_exhaustive()
    }
}

fn idle_key(game: &str, name: &str) -> String {
    format!("{game} {name}")
}

/// A seed that depends on the id of a game only, so that a restart of the program changes nothing.
fn game_seed(id: &str) -> u64 {
    SplitMix::hash(id.bytes().fold(0, |hash, byte| SplitMix::hash(hash ^ u64::from(byte)))) >> 16
}

impl EnginePool {
    pub(crate) fn new(registry: Registry, local: bool) -> Self {
        let max_concurrent = std::thread::available_parallelism().map_or(1, usize::from);
        let permits = Arc::new(Semaphore::new(max_concurrent));
        Self { registry, local, permits, max_concurrent, shared: Arc::default() }
    }

    /// Returns the engine of a game: the idle one after its last turn, or a new one. Blocks until there is memory for it,
    /// which idle engines of other games give up.
    pub(crate) fn acquire(&self, game: &str, name: &str) -> Result<PooledEngine, EngineRequestError> {
        match self.idle_or_memory(Some(&idle_key(game, name)), self.memory_of(name)?) {
            Ok(idle) => Ok(idle),
            Err(memory) => {
                self.validate_options(name)?;
                let mut engine = self.registry.make(&self.varied(game, name)?)?;
                engine.new_game();
                Ok(PooledEngine { engine, _memory: memory })
            }
        }
    }

    /// A new instance of an engine, for a single search.
    pub(crate) fn make(&self, name: &str) -> Result<PooledEngine, EngineRequestError> {
        match self.idle_or_memory(None, self.memory_of(name)?) {
            Ok(idle) => Ok(idle),
            Err(memory) => Ok(PooledEngine { engine: self.registry.make(name)?, _memory: memory }),
        }
    }

    /// The memory that an engine takes with these options, in megabytes.
    fn memory_of(&self, name: &str) -> Result<u32, EngineRequestError> {
        let engine = self.registry.make(name)?;
        let memory = MEMORY_OPTIONS.iter().find_map(|option| engine.options().get_str(option)?.parse().ok());
        Ok(memory.unwrap_or(DEFAULT_MEMORY_MB).min(MAX_MEMORY_MB))
    }

    /// The idle engine with a key, or the memory for a new one as soon as it is free.
    fn idle_or_memory(&self, key: Option<&str>, megabytes: u32) -> Result<PooledEngine, MemoryShare> {
        let mut state = self.shared.lock();
        loop {
            if let Some(index) = state.idle.iter().position(|(existing, _)| Some(&**existing) == key) {
                return Ok(state.idle.remove(index).1);
            }
            if state.used_mb + megabytes <= MAX_MEMORY_MB {
                state.used_mb += megabytes;
                return Err(MemoryShare { megabytes, shared: Arc::clone(&self.shared) });
            }
            if state.idle.is_empty() {
                state = self.shared.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
            } else {
                let oldest = state.idle.remove(0);
                // Freeing its memory takes the lock.
                drop(state);
                drop(oldest);
                state = self.shared.lock();
            }
        }
    }

    /// The engine with a seed of the game, so that no game is like the last one, unless the client has set one.
    fn varied(&self, game: &str, name: &str) -> Result<String, EngineRequestError> {
        let mut config: EngineConfig = name.parse()?;
        let engine = self.registry.make(name)?;
        let options: Vec<&str> = engine.options().iter().map(|(spec, _)| spec.name).collect();
        for (option, value) in [("seed", game_seed(game)), ("variety", VARIETY)] {
            let is_set = config.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(option));
            if options.contains(&option) && !is_set {
                config.options.push((option.into(), value.to_string()));
            }
        }
        Ok(config.to_string())
    }

    /// Keeps an engine after its turn, instead of the one that has been idle longest.
    pub(crate) fn release(&self, game: &str, name: &str, engine: PooledEngine) {
        let mut state = self.shared.lock();
        state.idle.push((idle_key(game, name), engine));
        let oldest = (state.idle.len() > MAX_IDLE).then(|| state.idle.remove(0));
        drop(state);
        drop(oldest);
        self.shared.freed.notify_all();
    }

    /// Drops the idle engines of a game. If it is over, notifies them on a separate thread, because an engine that
    /// saves the game may block.
    pub(crate) fn drop_game(&self, id: &str, game: &Game) {
        let mut state = self.shared.lock();
        let (dropped, remaining): (Vec<_>, Vec<_>) =
            state.idle.drain(..).partition(|(key, _)| key.split(' ').next() == Some(id));
        state.idle = remaining;
        drop(state);
        if !dropped.is_empty() && matches!(game.phase(), Phase::Over(_)) {
            let game = game.clone();
            // Shutdown waits for blocking tasks, so the game is not lost.
            tokio::task::spawn_blocking(move || {
                dropped.into_iter().for_each(|(_, mut engine)| engine.game_over(&game));
            });
        }
    }

    /// The memory of all engines, in megabytes.
    pub(crate) fn used_memory(&self) -> u32 {
        self.shared.lock().used_mb
    }

    /// Checks that the engine exists and that clients may set its options to these values.
    pub(crate) fn validate_options(&self, text: &str) -> Result<(), EngineRequestError> {
        let config: EngineConfig = text.parse()?;
        let engine = self.describe(&config.name)?;
        for (key, value) in &config.options {
            let Some(option) = engine.options.iter().find(|option| option.name.eq_ignore_ascii_case(key))
            else {
                return Err(EngineRequestError::Option { engine: config.name, option: key.clone() });
            };
            // The engine itself rejects values that are not numbers.
            if let (Some(max), Ok(number)) = (option.max, value.parse::<f64>())
                && number > max
            {
                return Err(EngineRequestError::AboveLimit {
                    option: key.clone(),
                    value: value.clone(),
                    max,
                });
            }
        }
        Ok(self.registry.make(text).map(drop)?)
    }

    /// Every engine with its options.
    pub(crate) fn describe_all(&self) -> Vec<EngineInfo> {
        self.registry.names().filter_map(|(name, _)| self.describe(name).ok()).collect()
    }

    fn describe(&self, name: &str) -> Result<EngineInfo, EngineRequestError> {
        let engine = self.registry.make(name)?;
        let mut names = self.registry.names();
        let description =
            names.find(|(existing, _)| *existing == name).map_or("", |(_, description)| description);
        Ok(EngineInfo {
            name: name.into(),
            description: description.into(),
            uses_time: !engine.id().supported_limits.is_empty(),
            options: engine.options().iter().filter_map(|(spec, _)| self.option(spec)).collect(),
        })
    }

    /// Describes an option, unless it is a text, which may name a file of this machine, or would let other machines add
    /// games to the archive.
    fn option(&self, spec: &OptionSpec) -> Option<EngineOption> {
        if spec.name == LEARN_OPTION && !self.local {
            return None;
        }
        let option = EngineOption {
            name: spec.name.into(),
            description: spec.help.into(),
            default: spec.default.into(),
            kind: "boolean",
            min: None,
            max: None,
            choices: Vec::new(),
        };
        match spec.kind {
            OptionKind::Int(min, max) => Some(EngineOption {
                kind: "integer",
                min: Some(min as f64),
                max: Some(self.client_limit(spec.name, max) as f64),
                ..option
            }),
            OptionKind::Float(min, max) => {
                Some(EngineOption { kind: "number", min: Some(min), max: Some(max), ..option })
            }
            OptionKind::Bool => Some(option),
            OptionKind::Choice(choices) => {
                let choices = choices.iter().map(|&choice| choice.into()).collect();
                Some(EngineOption { kind: "enum", choices, ..option })
            }
            OptionKind::Str => None,
        }
    }

    /// The maximum of an option for one client; memory and processors are shared by all clients.
    fn client_limit(&self, option: &str, max: i64) -> i64 {
        match option {
            option if MEMORY_OPTIONS.contains(&option) => max.min(i64::from(MAX_MEMORY_MB)),
            "threads" => max.min(self.max_concurrent as i64),
            _ => max,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use surus_engine::{AlphaBeta, Mcts};

    use super::*;

    fn pool() -> EnginePool {
        let mut registry = Registry::default();
        registry.add("alphabeta", "", || Box::new(AlphaBeta::default()));
        registry.add("mcts", "", || Box::new(Mcts::default()));
        EnginePool::new(registry, true)
    }

    #[test]
    fn one_engine_has_at_most_the_memory_of_all() {
        for name in ["mcts:memory=513", "alphabeta:hash=513"] {
            let error = pool().validate_options(name).unwrap_err().to_string();
            assert!(error.ends_with("the board allows at most 512"), "{error}");
        }
        pool().validate_options("mcts:memory=512").unwrap();
    }

    #[test]
    fn idle_engines_give_up_their_memory() {
        let pool = pool();
        for game in ["one", "two", "three"] {
            let engine = pool.acquire(game, "mcts:memory=200").unwrap();
            assert!(pool.used_memory() <= MAX_MEMORY_MB);
            pool.release(game, "mcts:memory=200", engine);
        }
        assert_eq!(pool.used_memory(), 400, "the first engine was evicted");
        let _all = pool.acquire("four", "alphabeta:hash=512").unwrap();
        assert_eq!(pool.used_memory(), 512);
    }

    #[test]
    fn a_search_waits_for_the_memory_of_another() {
        let pool = pool();
        let first = pool.acquire("one", "mcts:memory=400").unwrap();
        let (sender, acquired) = mpsc::channel();
        std::thread::scope(|scope| {
            scope.spawn(|| sender.send(pool.acquire("two", "mcts:memory=400").map(drop).is_ok()));
            assert!(acquired.recv_timeout(Duration::from_millis(50)).is_err(), "there is no memory yet");
            pool.release("one", "mcts:memory=400", first);
            assert!(acquired.recv().unwrap());
        });
        assert_eq!(pool.used_memory(), 0);
    }
}
