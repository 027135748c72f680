//! Engines for the games: which there are, what of them a client may set, and how many work at once.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use surus_play::{Engine, EngineName, OptionKind, Registry};
use surus_rules::{Game, Phase};
use tokio::sync::Semaphore;

use crate::wire::{EngineAbout, EngineOption};

/// Engines that are kept between their turns, with all that they remember.
const KEPT: usize = 4;

/// No client gets more memory for a table than this, in megabytes.
const MOST_HASH: i64 = 512;

/// The most seconds for a turn without clocks.
pub(crate) const MOST_SECONDS: u32 = 600;

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

    /// The engine of a game, as it was after its last turn if it is still there.
    pub(crate) fn take(&self, game: &str, name: &str) -> Result<Box<dyn Engine>, String> {
        let key = format!("{game} {name}");
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = kept.iter().position(|(known, _)| *known == key) {
            return Ok(kept.remove(index).1);
        }
        drop(kept);
        self.check(name)?;
        let mut engine = self.registry.make(name).map_err(|error| error.to_string())?;
        engine.new_game();
        Ok(engine)
    }

    /// An engine has had its turn; the one that has waited longest makes room for it.
    pub(crate) fn give_back(&self, game: &str, name: &str, engine: Box<dyn Engine>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push((format!("{game} {name}"), engine));
        if KEPT < kept.len() {
            kept.remove(0);
        }
    }

    /// Nobody is at this game any more. If it is over, its engines are told, by a thread of its own: whoever writes the
    /// game down may have to wait for others.
    pub(crate) fn forget(&self, name: &str, game: &Game) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let (gone, rest): (Vec<_>, Vec<_>) =
            kept.drain(..).partition(|(key, _)| key.split(' ').next() == Some(name));
        *kept = rest;
        drop(kept);
        if !gone.is_empty() && matches!(game.phase(), Phase::Over(_)) {
            let game = game.clone();
            std::thread::spawn(move || gone.into_iter().for_each(|(_, mut engine)| engine.game_over(&game)));
        }
    }

    /// Whether a client may have this engine with these options.
    pub(crate) fn check(&self, text: &str) -> Result<(), String> {
        let wanted: EngineName =
            text.parse().map_err(|error: surus_play::RegistryError| error.to_string())?;
        let about = self.about(&wanted.name)?;
        for (key, value) in &wanted.options {
            let Some(option) = about.options.iter().find(|option| option.name.eq_ignore_ascii_case(key))
            else {
                return Err(format!("the board sets no option '{key}' of {}", wanted.name));
            };
            let number: f64 = value.parse().unwrap_or(f64::NEG_INFINITY);
            if option.high.is_some_and(|high| high < number) {
                let most = option.high.unwrap_or_default();
                return Err(format!(
                    "'{value}' is too much for the option '{key}': the board allows at most {most}"
                ));
            }
        }
        self.registry.make(text).map(drop).map_err(|error| error.to_string())
    }

    /// Every engine with its options.
    pub(crate) fn all(&self) -> Vec<EngineAbout> {
        self.registry.names().filter_map(|(name, _)| self.about(name).ok()).collect()
    }

    fn about(&self, name: &str) -> Result<EngineAbout, String> {
        let engine = self.registry.make(name).map_err(|error| error.to_string())?;
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
                OptionKind::Whole(low, high) => {
                    let high = self.most(spec.name, high);
                    (option.kind, option.low, option.high) = ("whole", Some(low as f64), Some(high as f64));
                }
                OptionKind::Real(low, high) => {
                    (option.kind, option.low, option.high) = ("real", Some(low), Some(high));
                }
                OptionKind::Switch => {}
                OptionKind::Choice(words) => {
                    option.kind = "choice";
                    option.words = words.iter().map(|&word| word.into()).collect();
                }
                // A text may name a file of the machine, which is nobody's business here.
                OptionKind::Text => return None,
            }
            Some(option)
        });
        let timed = !engine.id().honours.is_empty();
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
