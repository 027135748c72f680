//! The engines of the games: which ones exist, which options a client may set, and how many search at once.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use surus_play::{Engine, EngineConfig, OptionKind, OptionSpec, Registry, RegistryError};
use surus_rules::{Game, Phase, SplitMix};
use tokio::sync::Semaphore;

use crate::api::{EngineInfo, EngineOption};

/// Idle engines that are kept between their turns, with their transposition tables.
const MAX_IDLE: usize = 4;

/// The largest transposition table that a client can ask for, in megabytes.
const MAX_HASH_MB: i64 = 512;

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
    /// One permit per engine that may search at the same time.
    pub(crate) permits: Arc<Semaphore>,
    pub(crate) max_concurrent: usize,
    /// Engines between two turns, by game and name, oldest first.
    idle: Mutex<Vec<(String, Box<dyn Engine>)>>,
}

impl fmt::Debug for EnginePool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EnginePool")
            .field("registry", &self.registry)
            .field("max_concurrent", &self.max_concurrent)
            .finish_non_exhaustive()
    }
}

/// A seed that depends on the id of a game only, so that a restart of the program changes nothing.
fn game_seed(id: &str) -> u64 {
    SplitMix::hash(id.bytes().fold(0, |hash, byte| SplitMix::hash(hash ^ u64::from(byte)))) >> 16
}

impl EnginePool {
    pub(crate) fn new(registry: Registry) -> Self {
        let max_concurrent = std::thread::available_parallelism().map_or(1, usize::from);
        let permits = Arc::new(Semaphore::new(max_concurrent));
        Self { registry, permits, max_concurrent, idle: Mutex::default() }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<(String, Box<dyn Engine>)>> {
        // A cache: a panic elsewhere can at most have lost an engine from it.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the engine of a game: the idle one after its last turn, or a new one.
    pub(crate) fn acquire(&self, game: &str, name: &str) -> Result<Box<dyn Engine>, EngineRequestError> {
        let key = format!("{game} {name}");
        let mut idle = self.idle();
        if let Some(index) = idle.iter().position(|(existing, _)| *existing == key) {
            return Ok(idle.remove(index).1);
        }
        drop(idle);
        self.validate_options(name)?;
        let mut engine = self.registry.make(&self.varied(game, name)?)?;
        engine.new_game();
        Ok(engine)
    }

    /// A new instance of an engine, for a single search.
    pub(crate) fn make(&self, name: &str) -> Result<Box<dyn Engine>, EngineRequestError> {
        Ok(self.registry.make(name)?)
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

    /// Stores an engine after its turn, evicting the one that has been idle longest.
    pub(crate) fn release(&self, game: &str, name: &str, engine: Box<dyn Engine>) {
        let mut idle = self.idle();
        idle.push((format!("{game} {name}"), engine));
        if idle.len() > MAX_IDLE {
            idle.remove(0);
        }
    }

    /// Drops the idle engines of a game. If it is over, notifies them on a separate thread, because an engine that
    /// saves the game may block.
    pub(crate) fn drop_game(&self, id: &str, game: &Game) {
        let mut idle = self.idle();
        let (dropped, remaining): (Vec<_>, Vec<_>) =
            idle.drain(..).partition(|(key, _)| key.split(' ').next() == Some(id));
        *idle = remaining;
        drop(idle);
        if !dropped.is_empty() && matches!(game.phase(), Phase::Over(_)) {
            let game = game.clone();
            // Shutdown waits for blocking tasks, so the game is not lost.
            tokio::task::spawn_blocking(move || {
                dropped.into_iter().for_each(|(_, mut engine)| engine.game_over(&game));
            });
        }
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

    /// Describes an option, unless it is a text: that may name a file of this machine.
    fn option(&self, spec: &OptionSpec) -> Option<EngineOption> {
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
            "hash" => max.min(MAX_HASH_MB),
            "threads" => max.min(self.max_concurrent as i64),
            _ => max,
        }
    }
}
