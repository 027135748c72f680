//! The table of an engine's options, which serves protocols, the command line, help and docs.

use std::collections::BTreeMap;
use std::fmt;

/// The type and range of an option.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum OptionKind {
    /// An integer from the first to the second, inclusive.
    Int(i64, i64),
    /// A number from the first to the second, inclusive.
    Float(f64, f64),
    /// `true` or `false`.
    Bool,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Any text.
    Str,
}

impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(low, high) => write!(f, "an integer from {low} to {high}"),
            Self::Float(low, high) => write!(f, "a number from {low} to {high}"),
            Self::Bool => f.write_str("true or false"),
            Self::Choice(words) => write!(f, "one of {}", words.join(", ")),
            Self::Str => f.write_str("a text"),
        }
    }
}

/// One option.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OptionSpec {
    /// Name in snake_case.
    pub name: &'static str,
    /// Type and range.
    pub kind: OptionKind,
    /// Default value.
    pub default: &'static str,
    /// Description in a sentence.
    pub help: &'static str,
}

/// An option that can't be set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// Unknown option.
    #[error("unknown option '{name}': expected {known}")]
    Unknown {
        /// The name that was given.
        name: String,
        /// The valid names, or a suggestion.
        known: String,
    },
    /// The option was renamed.
    #[error("unknown option '{name}': renamed to '{new_name}'")]
    Renamed {
        /// The name that was given.
        name: String,
        /// The present name.
        new_name: &'static str,
    },
    /// Invalid value.
    #[error("invalid value '{value}' for option '{name}': expected {expected}")]
    InvalidValue {
        /// The option.
        name: String,
        /// The value that was given.
        value: String,
        /// The valid values.
        expected: String,
    },
}

/// An error lists all options up to this number.
const MAX_LISTED: usize = 20;

/// A table of options with their current values.
#[derive(Clone, Debug)]
pub struct Options {
    specs: &'static [OptionSpec],
    values: Vec<String>,
    /// Values of undeclared options, if those are accepted.
    others: Option<BTreeMap<String, String>>,
}

impl Options {
    /// All options at their defaults.
    #[must_use]
    pub fn new(specs: &'static [OptionSpec]) -> Self {
        Self { specs, values: specs.iter().map(|spec| spec.default.into()).collect(), others: None }
    }

    /// The options of an external engine, whose valid names and values are unknown.
    #[must_use]
    pub fn accept_any() -> Self {
        Self { others: Some(BTreeMap::new()), ..Self::new(&[]) }
    }

    /// The undeclared options that were set.
    pub fn others(&self) -> impl Iterator<Item = (&str, &str)> {
        self.others.iter().flatten().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The declared options with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&OptionSpec, &str)> {
        self.specs.iter().zip(self.values.iter().map(String::as_str))
    }

    /// Whether the option exists.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.index(name).is_some() || self.other(name).is_some()
    }

    fn other(&self, name: &str) -> Option<&String> {
        self.others.as_ref()?.get(name)
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.specs.iter().position(|spec| spec.name.eq_ignore_ascii_case(name))
    }

    /// Sets an option if the value is valid.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let Some(index) = self.index(name) else {
            if let Some(others) = &mut self.others {
                others.insert(name.into(), value.into());
                return Ok(());
            }
            return Err(OptionError::Unknown { name: name.into(), known: self.suggestion(name) });
        };
        let spec = &self.specs[index];
        let is_valid = match spec.kind {
            OptionKind::Int(low, high) => value.parse().is_ok_and(|n: i64| (low..=high).contains(&n)),
            OptionKind::Float(low, high) => value.parse().is_ok_and(|n: f64| (low..=high).contains(&n)),
            OptionKind::Bool => ["true", "false"].contains(&value),
            OptionKind::Choice(words) => words.contains(&value),
            OptionKind::Str => true,
        };
        if !is_valid {
            let (name, value, expected) = (spec.name.into(), value.into(), spec.kind.to_string());
            return Err(OptionError::InvalidValue { name, value, expected });
        }
        self.values[index] = value.into();
        Ok(())
    }

    /// The valid names if there are few, or else the most similar one.
    fn suggestion(&self, name: &str) -> String {
        let names: Vec<&str> = self.specs.iter().map(|spec| spec.name).collect();
        if names.is_empty() {
            return "none".into();
        }
        if names.len() <= MAX_LISTED {
            return names.join(", ");
        }
        let name = name.to_ascii_lowercase();
        let distance = |other: &str| strsim::levenshtein(&name, other);
        match names.iter().map(|other| (distance(other), other)).min() {
            Some((edits, other)) if edits <= name.len().max(3) / 2 => format!("perhaps '{other}'"),
            _ => format!("one of its {} options", names.len()),
        }
    }

    /// The value of an option as text.
    #[must_use]
    pub fn get_str(&self, name: &str) -> Option<&str> {
        let declared = self.index(name).map(|index| &self.values[index]);
        declared.or_else(|| self.other(name)).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static SPECS: [OptionSpec; 3] = [
        OptionSpec { name: "seed", kind: OptionKind::Int(0, 9), default: "1", help: "random seed" },
        OptionSpec { name: "c", kind: OptionKind::Float(0.0, 1.0), default: "0.2", help: "exploration" },
        OptionSpec { name: "mode", kind: OptionKind::Choice(&["a", "b"]), default: "a", help: "a mode" },
    ];

    #[test]
    fn an_invalid_value_changes_nothing() {
        let mut options = Options::new(&SPECS);
        options.set("Seed", "7").unwrap();
        assert_eq!(options.get_str("seed"), Some("7"));
        for (name, value, message) in [
            ("seed", "10", "invalid value '10' for option 'seed': expected an integer from 0 to 9"),
            ("c", "NaN", "invalid value 'NaN' for option 'c': expected a number from 0 to 1"),
            ("mode", "c", "invalid value 'c' for option 'mode': expected one of a, b"),
            ("sede", "1", "unknown option 'sede': expected seed, c, mode"),
        ] {
            assert_eq!(options.set(name, value).unwrap_err().to_string(), message);
        }
        assert_eq!(
            ["seed", "c", "mode", "x"].map(|name| options.get_str(name)),
            [Some("7"), Some("0.2"), Some("a"), None]
        );
    }

    #[test]
    fn an_open_table_accepts_any_option() {
        let mut options = Options::accept_any();
        options.set("Hash", "16").unwrap();
        assert_eq!((options.get_str("Hash"), options.others().next()), (Some("16"), Some(("Hash", "16"))));
        assert!(!options.contains("depth"));
        assert_eq!(options.iter().count(), 0);
    }

    #[test]
    fn defaults_are_valid() {
        let mut options = Options::new(&SPECS);
        for spec in &SPECS {
            options.set(spec.name, spec.default).unwrap();
        }
    }
}
