//! Creates engines by name: `name` or `name:key=value,key=value`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::{Engine, GuardCommand, OptionError};

/// Creates an engine with default options.
type EngineFactory = Arc<dyn Fn() -> Box<dyn Engine> + Send + Sync>;

/// The engines that can be created by name.
#[derive(Clone, Default)]
pub struct Registry {
    entries: Vec<(&'static str, &'static str, EngineFactory)>,
    guard: Option<GuardCommand>,
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.entries.iter().map(|(name, ..)| name)).finish()
    }
}

/// An engine that can't be created.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RegistryError {
    /// Unknown name.
    #[error("unknown engine '{name}': expected one of {known}")]
    Unknown {
        /// The name that was given.
        name: String,
        /// The known names.
        known: String,
    },
    /// An option without a value.
    #[error("invalid option '{0}': expected key=value")]
    MissingValue(String),
    /// An invalid option.
    #[error("engine '{engine}': {error}")]
    Option {
        /// The engine.
        engine: String,
        /// The cause.
        error: OptionError,
    },
}

/// The name of an engine with options to set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineConfig {
    /// The name in the registry.
    pub name: String,
    /// Options as pairs of name and value.
    pub options: Vec<(String, String)>,
}

impl FromStr for EngineConfig {
    type Err = RegistryError;

    fn from_str(text: &str) -> Result<Self, RegistryError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let options = rest
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(|part| {
                let (key, value) =
                    part.split_once('=').ok_or_else(|| RegistryError::MissingValue(part.into()))?;
                Ok((key.trim().into(), value.trim().into()))
            })
            .collect::<Result<_, RegistryError>>()?;
        Ok(Self { name: name.trim().into(), options })
    }
}

impl fmt::Display for EngineConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (i, (key, value)) in self.options.iter().enumerate() {
            write!(f, "{}{key}={value}", if i == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

impl Registry {
    /// Adds an engine with a description.
    pub fn add(
        &mut self,
        name: &'static str,
        description: &'static str,
        create: impl Fn() -> Box<dyn Engine> + Send + Sync + 'static,
    ) {
        self.entries.push((name, description, Arc::new(create)));
    }

    /// Sets the guard that starts external engines.
    #[must_use]
    pub fn with_guard(self, guard: GuardCommand) -> Self {
        Self { guard: Some(guard), ..self }
    }

    /// The guard of external engines. Without one, they are killed when dropped, but survive if this process is killed.
    #[must_use]
    pub const fn guard(&self) -> Option<&GuardCommand> {
        self.guard.as_ref()
    }

    /// All names with their descriptions.
    pub fn names(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.entries.iter().map(|(name, description, _)| (*name, *description))
    }

    /// Creates an engine from a text such as `greedy:seed=3`.
    pub fn make(&self, text: &str) -> Result<Box<dyn Engine>, RegistryError> {
        let config: EngineConfig = text.parse()?;
        let Some((.., create)) = self.entries.iter().find(|(name, ..)| *name == config.name) else {
            let known: Vec<&str> = self.entries.iter().map(|(name, ..)| *name).collect();
            return Err(RegistryError::Unknown { name: config.name, known: known.join(", ") });
        };
        let mut engine = create();
        for (key, value) in &config.options {
            engine
                .set_option(key, value)
                .map_err(|error| RegistryError::Option { engine: config.name.clone(), error })?;
        }
        Ok(engine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn creates_engines_by_name_and_explains_errors() {
        let mut registry = Registry::default();
        registry.add("random", "random steps", || Box::new(Random::default()));
        assert_eq!(registry.make("random:seed=5").unwrap().options().get_str("seed"), Some("5"));
        for (text, message) in [
            ("randum", "unknown engine 'randum': expected one of random"),
            ("random:seed", "invalid option 'seed': expected key=value"),
            ("random:sed=1", "engine 'random': unknown option 'sed': expected seed"),
        ] {
            assert_eq!(registry.make(text).err().unwrap().to_string(), message);
        }
    }

    #[test]
    fn names_round_trip() {
        for text in ["random", "greedy:seed=3,x=y"] {
            assert_eq!(text.parse::<EngineConfig>().unwrap().to_string(), text);
        }
    }
}
