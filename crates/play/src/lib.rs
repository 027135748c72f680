//! The interface of all engines.
//!
//! Everything that can play Arimaa implements [`Engine`]: it is created by name from a [`Registry`], has a table of
//! [`Options`], and answers a [`Job`] with an [`Answer`]. Protocols, matches and the board own the threads; an engine reads
//! time only through its [`StopToken`].

mod engine;
mod greedy;
mod guard;
mod id;
mod info;
mod job;
mod options;
mod random;
mod registry;
mod resign_rule;
mod revision;
mod setups;
mod time_budget;
mod typed_options;

pub use engine::{Answer, Engine, EngineError, check_limits};
pub use greedy::Greedy;
pub use guard::GuardCommand;
pub use id::{EngineId, IdError};
pub use info::Info;
pub use job::{Job, LimitKind, Limits, StopToken};
pub use options::{OptionError, OptionKind, OptionSpec, Options};
pub use random::Random;
pub use registry::{EngineConfig, Registry, RegistryError};
pub use resign_rule::{ResignRule, ResignRuleError};
pub use revision::Revision;
pub use setups::{STANDARD_SETUPS, random_setup, standard_setup, varied_setup};
pub use time_budget::{TimeBudget, time_budget};
pub use typed_options::{InvalidValue, OptionSet, OptionValue, TypedOptions, default_value};
