//! What it is to be an engine.
//!
//! Everything that can play Arimaa is an [`Engine`]: it is named in one [`Registry`], has one table of [`Options`], is
//! given a [`Job`] and gives an [`Answer`]. Protocols, matches and the board own the threads; an engine only thinks,
//! and looks at the clock only through its [`Stop`].

mod engine;
mod greedy;
mod info;
mod job;
mod options;
mod random;
mod registry;
mod setups;
mod time;

pub use engine::{Answer, Engine, EngineError, Id, check_limits};
pub use greedy::Greedy;
pub use info::Info;
pub use job::{Job, Limit, Limits, Stop};
pub use options::{OptionError, OptionKind, OptionSpec, Options};
pub use random::Random;
pub use registry::{EngineName, Registry, RegistryError};
pub use setups::{STANDARD_SETUPS, book_setup, random_setup, standard_setup};
pub use time::{Allowance, allowance};
