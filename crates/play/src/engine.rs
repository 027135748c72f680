//! The [`Engine`] trait.

use surus_rules::{Game, Setup, Turn};

use crate::{EngineId, Info, Job, LimitKind, OptionError, Options};

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The steps that complete the current turn.
    Turn(Turn),
    /// A setup.
    Setup(Setup),
    /// Resignation.
    Resign,
}

/// A search without an answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EngineError {
    /// The game is over.
    #[error("the game is over: {0}")]
    GameOver(surus_rules::GameResult),
    /// No legal turn, or none among those the job is restricted to.
    #[error("no legal turn")]
    NoLegalTurn,
    /// A limit that the engine does not support.
    #[error("{engine} does not support a {limit} limit (supported: {supported})")]
    UnsupportedLimit {
        /// The name of the engine.
        engine: String,
        /// The unsupported limit.
        limit: LimitKind,
        /// The supported limits.
        supported: String,
    },
    /// An external engine could not be started, or failed during the handshake.
    #[error("engine did not start: {0}")]
    NotStarted(String),
    /// An external engine exited.
    #[error("engine exited: {0}")]
    Crashed(String),
    /// An external engine did not answer in time, even after a stop request.
    #[error("engine does not respond: {0}")]
    Timeout(String),
    /// An external engine sent too much output.
    #[error("engine output limit exceeded: {0}")]
    OutputLimitExceeded(String),
    /// An external engine sent an answer that cannot be parsed.
    #[error("invalid reply of the engine: '{0}'")]
    InvalidReply(String),
    /// Any other failure, such as a missing file.
    #[error("{0}")]
    Failed(String),
}

/// An Arimaa engine.
pub trait Engine: Send {
    /// Name, version, revision and supported limits.
    fn id(&self) -> EngineId;

    /// The options with their current values.
    fn options(&self) -> &Options;

    /// Sets an option. An invalid value changes nothing.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError>;

    /// Discards state of the previous game.
    fn new_game(&mut self);

    /// Searches until done or stopped, calling `report` with progress. Blocks.
    fn think(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Answer, EngineError>;

    /// Called when a game of this engine has ended, for engines that learn from games.
    fn game_over(&mut self, _game: &Game) {}

    /// Describes the static evaluation of a position in lines of text; empty if unsupported.
    fn explain(&self, _game: &Game) -> Vec<String> {
        Vec::new()
    }

    /// Describes the tree of the last search in lines of text; empty if unsupported.
    fn dump_tree(&self) -> Vec<String> {
        Vec::new()
    }

    /// Recovers from a failure: restarts an external engine with its options.
    fn restart(&mut self) -> Result<(), EngineError> {
        Ok(())
    }
}

/// Checks that an engine supports all limits of a job.
pub fn check_limits(id: &EngineId, limits: &crate::Limits) -> Result<(), EngineError> {
    match limits.kinds().find(|limit| !id.supported_limits.is_empty() && !id.supported_limits.contains(limit))
    {
        None => Ok(()),
        Some(limit) => {
            let supported: Vec<String> = id.supported_limits.iter().map(ToString::to_string).collect();
            let supported = supported.join(", ");
            Err(EngineError::UnsupportedLimit { engine: id.name.clone(), limit, supported })
        }
    }
}
