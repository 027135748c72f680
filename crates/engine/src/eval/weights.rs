//! The values of the evaluation's parameters: a TOML file, embedded by default.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use serde::Deserialize;
use surus_play::Revision;

use super::term::TermSpec;
use super::{PARAMETER_COUNT, TERMS};
use crate::common::score::Score;

const EMBEDDED: &str = include_str!("../../weights/handcrafted.toml");

/// The format version.
const FORMAT: u32 = 1;

/// Larger values could overflow a sum.
const MAX_VALUE: Score = 100_000;

/// The values of all parameters, in millirabbits, term by term. Clones share them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    values: Arc<[Score; PARAMETER_COUNT]>,
}

/// An invalid weights file.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// The file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: std::io::Error,
    },
    /// Invalid TOML, or a missing field.
    #[error("invalid weights file: {0}")]
    Toml(#[from] toml::de::Error),
    /// Another format version.
    #[error("unsupported weights format {0}: expected {FORMAT}")]
    Format(u32),
    /// A term is missing.
    #[error("missing term '{0}'")]
    Missing(&'static str),
    /// An unknown term.
    #[error("unknown term '{0}'")]
    Unknown(String),
    /// The wrong number of values.
    #[error("term '{term}' has {found} values: expected {expected}")]
    Length {
        /// The term.
        term: &'static str,
        /// The number of values found.
        found: usize,
        /// The number of values expected.
        expected: usize,
    },
    /// A value out of range.
    #[error("term '{0}' has a value beyond {MAX_VALUE} millirabbits")]
    Range(&'static str),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: u32,
    terms: BTreeMap<String, Vec<Score>>,
}

impl Weights {
    /// The weights compiled into the program.
    ///
    /// # Panics
    /// If the file that was compiled in is invalid; a test loads it.
    #[must_use]
    pub fn embedded() -> Self {
        static WEIGHTS: LazyLock<Weights> =
            LazyLock::new(|| Weights::parse(EMBEDDED).expect("the embedded weights are valid"));
        WEIGHTS.clone()
    }

    /// Loads a file.
    pub fn load(path: &Path) -> Result<Self, WeightsError> {
        let text =
            std::fs::read_to_string(path).map_err(|error| WeightsError::File { path: path.into(), error })?;
        Self::parse(&text)
    }

    /// Parses the text of a file.
    pub fn parse(text: &str) -> Result<Self, WeightsError> {
        let mut file: File = toml::from_str(text)?;
        if file.format != FORMAT {
            return Err(WeightsError::Format(file.format));
        }
        let mut values = [0; PARAMETER_COUNT];
        for spec in &TERMS {
            let (term, expected) = (spec.name, spec.term.len);
            let given = file.terms.remove(term).ok_or(WeightsError::Missing(term))?;
            let own = &mut values[spec.term.first..][..expected];
            if given.len() != expected {
                return Err(WeightsError::Length { term, found: given.len(), expected });
            }
            if given.iter().any(|value| value.unsigned_abs() > MAX_VALUE.unsigned_abs()) {
                return Err(WeightsError::Range(term));
            }
            own.copy_from_slice(&given);
        }
        match file.terms.into_keys().next() {
            Some(name) => Err(WeightsError::Unknown(name)),
            None => Ok(Self { values: Arc::new(values) }),
        }
    }

    /// Rounds fitted values.
    #[must_use]
    pub fn from_fitted(fitted: &[f64; PARAMETER_COUNT]) -> Self {
        let round = |value: f64| (value.round() as Score).clamp(-MAX_VALUE, MAX_VALUE);
        Self { values: Arc::new(fitted.map(round)) }
    }

    /// All values, term by term as in [`TERMS`].
    #[must_use]
    pub fn values(&self) -> &[Score; PARAMETER_COUNT] {
        &self.values
    }

    /// A hash of the values.
    #[must_use]
    pub fn revision(&self) -> String {
        let values = self.values.iter().fold(Vec::new(), |mut bytes, value| {
            bytes.extend(value.to_le_bytes());
            bytes
        });
        Revision::default().with(values).to_string()
    }

    /// The text of a file with these values.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut text = format!(
            "# Weights of the handcrafted evaluation in millirabbits.\nformat = {FORMAT}\n\n[terms]\n"
        );
        for spec in &TERMS {
            let _ = writeln!(text, "{} = [", spec.name);
            for row in self.values[spec.term.first..][..spec.term.len].chunks(row_length(spec)) {
                let numbers: Vec<String> = row.iter().map(ToString::to_string).collect();
                let _ = writeln!(text, "  {},", numbers.join(", "));
            }
            text += "]\n";
        }
        text
    }
}

/// A row length that shows the shape of a term.
fn row_length(spec: &TermSpec) -> usize {
    let len = spec.term.len;
    [8, 6, 9, 5, 3].into_iter().find(|&row| row < len && len.is_multiple_of(row)).unwrap_or(len)
}

impl Default for Weights {
    fn default() -> Self {
        Self::embedded()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_round_trip() {
        let mut weights = Weights::default();
        assert_eq!(Weights::parse(&weights.to_toml()).unwrap(), weights);
        let revision = weights.revision();
        Arc::make_mut(&mut weights.values)[PARAMETER_COUNT - 1] += 1;
        assert_eq!(Weights::parse(&weights.to_toml()).unwrap(), weights);
        assert_ne!(weights.revision(), revision);
    }

    #[test]
    fn invalid_files_are_refused_with_the_reason() {
        let good = Weights::default().to_toml();
        for (text, message) in [
            (good.replace("format = 1", "format = 7"), "unsupported weights format 7: expected 1"),
            (good.replace("TEMPO", "TEMPI"), "missing term 'TEMPO'"),
            (good.clone() + "SPARE = [1]\n", "unknown term 'SPARE'"),
            (good.replace("TEMPO = [", "TEMPO = [ 5,"), "term 'TEMPO' has 2 values: expected 1"),
            (
                good.replace("FREE_OFFICERS = [", "FREE_OFFICERS = [ 200000, 1, 1]\nFREED = ["),
                "term 'FREE_OFFICERS' has a value beyond 100000 millirabbits",
            ),
        ] {
            assert_eq!(Weights::parse(&text).unwrap_err().to_string(), message);
        }
        assert!(Weights::parse("nonsense").unwrap_err().to_string().starts_with("invalid weights file: "));
        assert!(Weights::load(Path::new("/no/such/file")).is_err());
    }
}
