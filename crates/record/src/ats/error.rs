//! What can be wrong with the files of a suite.

use std::fmt;

use surus_rules::{IllegalTurn, NotationError, ParseGameError};

/// What is wrong, in which file and line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct SuiteError {
    /// As it was given or found.
    pub file: String,
    /// Counted from 1; 0 for the file as a whole.
    pub line: usize,
    /// What is wrong there.
    pub problem: Box<Problem>,
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.problem),
            line => write!(f, "{}:{line}: {}", self.file, self.problem),
        }
    }
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Problem {
    /// The file can't be read.
    #[error("can't be read: {0}")]
    Unreadable(String),
    /// There is no test in it.
    #[error("there is no test in it: expected an ATS file with [settings], or [[test]] in a .toml file")]
    NoTests,
    /// The TOML itself is wrong.
    #[error("{0}")]
    Toml(String),
    /// Text before the first key.
    #[error("expected [section] or key = value, found '{0}'")]
    Stray(String),
    /// A section or key that is not known there.
    #[error("there is no {what} '{found}': expected one of {expected}")]
    Unknown {
        /// Section, key or condition.
        what: &'static str,
        /// What stands there.
        found: String,
        /// What may stand there.
        expected: &'static str,
    },
    /// A key stands there twice.
    #[error("'{0}' is given twice")]
    Twice(String),
    /// A key that has to be there.
    #[error("the test has no {0}")]
    Missing(&'static str),
    /// The question is put in two ways.
    #[error("the test has {0}: expected only one of condition, piece_position and best")]
    Ambiguous(String),
    /// A value of another kind.
    #[error("{key}: expected {expected}, found '{found}'")]
    Value {
        /// The key.
        key: &'static str,
        /// What it takes.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// The position is none.
    #[error("position: {0}")]
    Position(ParseGameError),
    /// There is no turn to play in it.
    #[error("position: {0}")]
    NothingToPlay(String),
    /// A turn that can't be played.
    #[error("{key} '{turn}': {error}")]
    Turn {
        /// best, avoid or solution.
        key: &'static str,
        /// What stands there.
        turn: String,
        /// What is wrong with it.
        error: IllegalTurn,
    },
    /// An atom that is none.
    #[error("'{0}' is no atom: expected a piece on a square (Eb3), its negation (!ce2) or a capture (Hf6x)")]
    Atom(String),
    /// An atom whose piece, square or trap is wrong.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// A block without atoms.
    #[error("a block has no atom: expected one like Eb3, !ce2 or Hf6x before ':' or '|'")]
    EmptyBlock,
    /// A weight that is none.
    #[error("'{0}' is no weight: expected a number above 0")]
    Weight(String),
    /// Two tests of one name.
    #[error("there is another test '{name}' in {other}")]
    SameName {
        /// The name.
        name: String,
        /// Where the other one is.
        other: String,
    },
}

impl Problem {
    /// The problem at its place; line 0 for the file as a whole.
    #[must_use]
    pub fn at(self, file: &str, line: usize) -> SuiteError {
        SuiteError { file: file.into(), line, problem: Box::new(self) }
    }
}

/// What a message quotes of a text that may be long.
pub(crate) fn quoted(text: &str) -> String {
    const MOST: usize = 40;
    let text = text.trim();
    if text.chars().count() <= MOST { text.into() } else { text.chars().take(MOST).chain(['…']).collect() }
}
