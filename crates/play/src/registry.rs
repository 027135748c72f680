//! Engines by name: `name` or `name:key=value,key=value`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::{Engine, GuardCommand, OptionError};

/// Makes an engine with its defaults.
type Make = Arc<dyn Fn() -> Box<dyn Engine> + Send + Sync>;

/// All engines that can be named.
#[derive(Clone, Default)]
pub struct Registry {
    entries: Vec<(&'static str, &'static str, Make)>,
    guard: Option<GuardCommand>,
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.entries.iter().map(|(name, ..)| name)).finish()
    }
}

/// An engine that can't be had.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RegistryError {
    /// Nobody of that name.
    #[error("unknown engine '{name}': expected one of {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// Who there is.
        known: String,
    },
    /// An option without a value.
    #[error("invalid option '{0}': expected key=value")]
    MissingValue(String),
    /// An option that it does not take.
    #[error("engine '{engine}': {error}")]
    Option {
        /// The engine.
        engine: String,
        /// What is wrong.
        error: OptionError,
    },
}

/// An engine's name and the options it is to have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineConfig {
    /// The name in the registry.
    pub name: String,
    /// Keys and values.
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
    /// Adds an engine with a sentence about it.
    pub fn add(
        &mut self,
        name: &'static str,
        about: &'static str,
        make: impl Fn() -> Box<dyn Engine> + Send + Sync + 'static,
    ) {
        self.entries.push((name, about, Arc::new(make)));
    }

    /// Has external engines started through this guard.
    #[must_use]
    pub fn with_guard(self, guard: GuardCommand) -> Self {
        Self { guard: Some(guard), ..self }
    }

    /// The guard of external engines. Without one they are killed with the value that owns them, but outlive a
    /// program that is killed itself.
    #[must_use]
    pub const fn guard(&self) -> Option<&GuardCommand> {
        self.guard.as_ref()
    }

    /// All names, each with its sentence.
    pub fn names(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.entries.iter().map(|(name, about, _)| (*name, *about))
    }

    /// Makes the engine of a name such as `greedy:seed=3`.
    pub fn make(&self, text: &str) -> Result<Box<dyn Engine>, RegistryError> {
        let wanted: EngineConfig = text.parse()?;
        let Some((.., make)) = self.entries.iter().find(|(name, ..)| *name == wanted.name) else {
            let known: Vec<&str> = self.entries.iter().map(|(name, ..)| *name).collect();
            return Err(RegistryError::Unknown { name: wanted.name, known: known.join(", ") });
        };
        let mut engine = make();
        for (key, value) in &wanted.options {
            engine
                .set_option(key, value)
                .map_err(|error| RegistryError::Option { engine: wanted.name.clone(), error })?;
        }
        Ok(engine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn engines_are_made_by_name_with_options_and_mistakes_are_explained() {
        let mut registry = Registry::default();
        registry.add("random", "plays anything", || Box::new(Random::default()));
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
