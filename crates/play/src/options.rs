//! The options of an engine: one table that the protocol, the command line, the help and the documents read.

use std::collections::BTreeMap;
use std::fmt;

/// What values an option takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum OptionKind {
    /// An integer from the first to the second.
    Int(i64, i64),
    /// A number from the first to the second.
    Float(f64, f64),
    /// true or false.
    Bool,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Anything.
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
    /// Its name, in small letters.
    pub name: &'static str,
    /// What it takes.
    pub kind: OptionKind,
    /// Its value at the start.
    pub default: &'static str,
    /// What it does, in a sentence.
    pub help: &'static str,
}

/// What is wrong with an option that was set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("unknown option '{name}': expected {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The options there are.
        known: String,
    },
    /// The option has another name now.
    #[error("unknown option '{name}': renamed to '{new_name}'")]
    Renamed {
        /// The name that was given.
        name: String,
        /// The present name.
        new_name: &'static str,
    },
    /// It does not take this value.
    #[error("invalid value '{value}' for option '{name}': expected {expected}")]
    InvalidValue {
        /// The option.
        name: String,
        /// What it was given.
        value: String,
        /// What it takes.
        expected: String,
    },
}

/// So many options are named where one was not known.
const FEW: usize = 20;

/// A table of options with their present values.
#[derive(Clone, Debug)]
pub struct Options {
    specs: &'static [OptionSpec],
    values: Vec<String>,
    /// What was set without being in the table, if anything may be.
    others: Option<BTreeMap<String, String>>,
}

impl Options {
    /// All options at their defaults.
    #[must_use]
    pub fn new(specs: &'static [OptionSpec]) -> Self {
        Self { specs, values: specs.iter().map(|spec| spec.default.into()).collect(), others: None }
    }

    /// The options of an outside program: it takes any, and nobody but itself knows which mean something.
    #[must_use]
    pub fn accept_any() -> Self {
        Self { others: Some(BTreeMap::new()), ..Self::new(&[]) }
    }

    /// What was set that no table describes.
    pub fn others(&self) -> impl Iterator<Item = (&str, &str)> {
        self.others.iter().flatten().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// What options there are, and their values.
    pub fn iter(&self) -> impl Iterator<Item = (&OptionSpec, &str)> {
        self.specs.iter().zip(self.values.iter().map(String::as_str))
    }

    /// Whether there is such an option.
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

    /// Sets an option if the value is one that it takes.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let Some(index) = self.index(name) else {
            if let Some(others) = &mut self.others {
                others.insert(name.into(), value.into());
                return Ok(());
            }
            return Err(OptionError::Unknown { name: name.into(), known: self.suggestion(name) });
        };
        let spec = &self.specs[index];
        let fits = match spec.kind {
            OptionKind::Int(low, high) => value.parse().is_ok_and(|n: i64| (low..=high).contains(&n)),
            OptionKind::Float(low, high) => value.parse().is_ok_and(|n: f64| (low..=high).contains(&n)),
            OptionKind::Bool => ["true", "false"].contains(&value),
            OptionKind::Choice(words) => words.contains(&value),
            OptionKind::Str => true,
        };
        if !fits {
            let (name, value, expected) = (spec.name.into(), value.into(), spec.kind.to_string());
            return Err(OptionError::InvalidValue { name, value, expected });
        }
        self.values[index] = value.into();
        Ok(())
    }

    /// What a name could have been: any of a few options, or the one of many that is most like it.
    fn suggestion(&self, name: &str) -> String {
        let names: Vec<&str> = self.specs.iter().map(|spec| spec.name).collect();
        if names.is_empty() {
            return "none".into();
        }
        if names.len() <= FEW {
            return names.join(", ");
        }
        let asked = name.to_ascii_lowercase();
        let likeness = |known: &str| strsim::levenshtein(&asked, known);
        match names.iter().map(|known| (likeness(known), known)).min() {
            Some((edits, known)) if edits <= asked.len().max(3) / 2 => format!("perhaps '{known}'"),
            _ => format!("one of its {} options", names.len()),
        }
    }

    /// The value of an option as text.
    #[must_use]
    pub fn get_str(&self, name: &str) -> Option<&str> {
        let own = self.index(name).map(|index| &self.values[index]);
        own.or_else(|| self.other(name)).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static SPECS: [OptionSpec; 3] = [
        OptionSpec { name: "seed", kind: OptionKind::Int(0, 9), default: "1", help: "where chance begins" },
        OptionSpec { name: "c", kind: OptionKind::Float(0.0, 1.0), default: "0.2", help: "exploration" },
        OptionSpec { name: "mode", kind: OptionKind::Choice(&["a", "b"]), default: "a", help: "a mode" },
    ];

    #[test]
    fn values_are_checked_and_a_wrong_one_changes_nothing() {
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
    fn an_open_table_takes_anything() {
        let mut options = Options::accept_any();
        options.set("Hash", "16").unwrap();
        assert_eq!((options.get_str("Hash"), options.others().next()), (Some("16"), Some(("Hash", "16"))));
        assert!(!options.contains("depth"));
        assert_eq!(options.iter().count(), 0);
    }

    #[test]
    fn every_default_is_a_value_that_the_option_takes() {
        let mut options = Options::new(&SPECS);
        for spec in &SPECS {
            options.set(spec.name, spec.default).unwrap();
        }
    }
}
