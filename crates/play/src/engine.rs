//! The one interface of all engines.

use surus_rules::{Game, Setup, Turn};

use crate::{EngineId, Info, Job, LimitKind, OptionError, Options};

/// What an engine wants to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The steps that finish the running turn.
    Turn(Turn),
    /// Its setup.
    Setup(Setup),
    /// It gives up.
    Resign,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EngineError {
    /// There is nothing to play.
    #[error("the game is over: {0}")]
    GameOver(surus_rules::GameResult),
    /// The turns it is restricted to are none.
    #[error("there is no turn to choose from")]
    NoLegalTurn,
    /// An option, or a limit, that it can't keep.
    #[error("{engine} can't be limited by {limit}: it knows {known}")]
    UnsupportedLimit {
        /// The engine's name.
        engine: String,
        /// What it was asked to keep.
        limit: LimitKind,
        /// What it can keep.
        known: String,
    },
    /// An outside program could not be started, or did not greet.
    #[error("the program did not start: {0}")]
    NotStarted(String),
    /// An outside program ended by itself.
    #[error("the program ended: {0}")]
    Crashed(String),
    /// An outside program did not answer in time, not even when it was told to stop.
    #[error("the program does not answer: {0}")]
    Timeout(String),
    /// An outside program said more than anybody can read.
    #[error("the program floods its output: {0}")]
    Flooded(String),
    /// An outside program answered something that is no turn.
    #[error("the program answered nonsense: '{0}'")]
    InvalidReply(String),
    /// Something else failed: a file, a model.
    #[error("{0}")]
    Failed(String),
}

/// Something that plays Arimaa.
pub trait Engine: Send {
    /// Its name, version and limits.
    fn id(&self) -> EngineId;

    /// The table of its options with their values.
    fn options(&self) -> &Options;

    /// Sets an option.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError>;

    /// Forgets what it knows of the game before.
    fn new_game(&mut self);

    /// Thinks about a job until it is done or stopped, and reports on the way. It blocks.
    fn think(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Answer, EngineError>;

    /// A game in which it played has ended, as it says itself: whoever learns from games can do so now.
    fn game_over(&mut self, _game: &Game) {}

    /// What it thinks of a position without looking ahead, in lines of words; nothing if it has no such opinion.
    fn explain(&self, _game: &Game) -> Vec<String> {
        Vec::new()
    }

    /// The tree of its last search, in lines of words; nothing if it keeps none.
    fn dump_tree(&self) -> Vec<String> {
        Vec::new()
    }

    /// Comes back after a failure. Only an outside program can fail for good; it is started again, with its options.
    fn restart(&mut self) -> Result<(), EngineError> {
        Ok(())
    }
}

/// Whether an engine keeps all limits of a job; asked before the first game.
pub fn check_limits(id: &EngineId, limits: &crate::Limits) -> Result<(), EngineError> {
    match limits.kinds().find(|limit| !id.supported_limits.is_empty() && !id.supported_limits.contains(limit))
    {
        None => Ok(()),
        Some(limit) => {
            let known: Vec<String> = id.supported_limits.iter().map(ToString::to_string).collect();
            Err(EngineError::UnsupportedLimit { engine: id.name.clone(), limit, known: known.join(", ") })
        }
    }
}
