//! Engines for the games: which there are, what of them a client may set, and how many work at once.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use surus_play::{Engine, EngineConfig, OptionKind, Registry, RegistryError};
use surus_rules::{Game, Phase};
use tokio::sync::Semaphore;

use crate::wire::{EngineAbout, EngineOption};

/// Engines that are kept between their turns, with all that they remember.
const KEPT: usize = 4;

/// No client gets more memory for a table than this, in megabytes.
const MOST_HASH: i64 = 512;

/// The most seconds for a turn without clocks.
pub(crate) const MOST_SECONDS: u32 = 600;

/// Why a client may not have an engine.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub(crate) enum EngineRefused {
    #[error(transparent)]
    Registry(#[from] RegistryError),
    #[error("the board sets no option '{option}' of {engine}")]
    Option { engine: String, option: String },
    #[error("'{value}' is too much for the option '{option}': the board allows at most {most}")]
    TooMuch { option: String, value: String, most: f64 },
    #[error("{0} seconds for a turn: expected 1 to {MOST_SECONDS}")]
    Seconds(u32),
}

/// All engines, and the places where they may think.
pub(crate) struct Workshop {
    registry: Registry,
    /// As many engines think at once as there are permits.
    pub(crate) places: Arc<Semaphore>,
    pub(crate) size: usize,
    kept: Mutex<Vec<(String, Box<dyn Engine>)>>,
}

impl fmt::Debug for Workshop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workshop")
            .field("registry", &self.registry)
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}

impl Workshop {
    pub(crate) fn new(registry: Registry) -> Self {
        let size = std::thread::available_parallelism().map_or(1, usize::from);
        Self { registry, places: Arc::new(Semaphore::new(size)), size, kept: Mutex::default() }
    }

    fn kept(&self) -> MutexGuard<'_, Vec<(String, Box<dyn Engine>)>> {
        // Only a cache: a failure elsewhere can at most have lost an engine from it.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The engine of a game, as it was after its last turn if it is still there.
    pub(crate) fn take(&self, game: &str, name: &str) -> Result<Box<dyn Engine>, EngineRefused> {
        let key = format!("{game} {name}");
        let mut kept = self.kept();
        if let Some(index) = kept.iter().position(|(known, _)| *known == key) {
            return Ok(kept.remove(index).1);
        }
        drop(kept);
        self.check(name)?;
        let mut engine = self.registry.make(name)?;
        engine.new_game();
        Ok(engine)
    }

    /// An engine has had its turn; the one that has waited longest makes room for it.
    pub(crate) fn give_back(&self, game: &str, name: &str, engine: Box<dyn Engine>) {
        let mut kept = self.kept();
        kept.push((format!("{game} {name}"), engine));
        if KEPT < kept.len() {
            kept.remove(0);
        }
    }

    /// Drops the idle engines of a game. If it is over, notifies them on a thread of their own, because an engine that
    /// stores the game may have to wait for others.
    pub(crate) fn forget(&self, name: &str, game: &Game) {
        let mut kept = self.kept();
        let (gone, rest): (Vec<_>, Vec<_>) =
            kept.drain(..).partition(|(key, _)| key.split(' ').next() == Some(name));
        *kept = rest;
        drop(kept);
        if !gone.is_empty() && matches!(game.phase(), Phase::Over(_)) {
            let game = game.clone();
            // The end of the program waits for blocking tasks, so that the game is not lost.
            tokio::task::spawn_blocking(move || {
                gone.into_iter().for_each(|(_, mut engine)| engine.game_over(&game));
            });
        }
    }

    /// Whether a client may have this engine with these options.
    pub(crate) fn check(&self, text: &str) -> Result<(), EngineRefused> {
        let wanted: EngineConfig = text.parse()?;
        let about = self.about(&wanted.name)?;
        for (key, value) in &wanted.options {
            let Some(option) = about.options.iter().find(|option| option.name.eq_ignore_ascii_case(key))
            else {
                return Err(EngineRefused::Option { engine: wanted.name, option: key.clone() });
            };
            // A value that is no number is for the engine to judge.
            if let (Some(most), Ok(number)) = (option.high, value.parse::<f64>())
                && most < number
            {
                return Err(EngineRefused::TooMuch { option: key.clone(), value: value.clone(), most });
            }
        }
        Ok(self.registry.make(text).map(drop)?)
    }

    /// Every engine with its options.
    pub(crate) fn all(&self) -> Vec<EngineAbout> {
        self.registry.names().filter_map(|(name, _)| self.about(name).ok()).collect()
    }

    fn about(&self, name: &str) -> Result<EngineAbout, EngineRefused> {
        let engine = self.registry.make(name)?;
        let about = self.registry.names().find(|(known, _)| *known == name).map_or("", |(_, about)| about);
        let options = engine.options().iter().filter_map(|(spec, _)| {
            let mut option = EngineOption {
                name: spec.name.into(),
                help: spec.help.into(),
                default: spec.default.into(),
                kind: "switch",
                low: None,
                high: None,
                words: Vec::new(),
            };
            match spec.kind {
                OptionKind::Int(low, high) => {
                    let high = self.most(spec.name, high);
                    (option.kind, option.low, option.high) = ("whole", Some(low as f64), Some(high as f64));
                }
                OptionKind::Float(low, high) => {
                    (option.kind, option.low, option.high) = ("real", Some(low), Some(high));
                }
                OptionKind::Bool => {}
                OptionKind::Choice(words) => {
                    option.kind = "choice";
                    option.words = words.iter().map(|&word| word.into()).collect();
                }
                // A text may name a file of the machine, which is nobody's business here.
                OptionKind::Str => return None,
            }
            Some(option)
        });
        let timed = !engine.id().supported_limits.is_empty();
        Ok(EngineAbout { name: name.into(), about: about.into(), timed, options: options.collect() })
    }

    /// What one client may take of what all have to share.
    fn most(&self, option: &str, high: i64) -> i64 {
        match option {
            "hash" => high.min(MOST_HASH),
            "threads" => high.min(self.size as i64),
            _ => high,
        }
    }
}
