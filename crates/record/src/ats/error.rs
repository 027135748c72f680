//! Errors in the files of a suite.

use std::fmt;

use surus_rules::{IllegalTurn, NotationError, ParseGameError};

/// An error with its file and line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct SuiteError {
    /// The name of the file.
    pub file: String,
    /// Line number, counted from 1; 0 for the whole file.
    pub line: usize,
    /// The error.
    pub problem: Box<SuiteErrorKind>,
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.problem),
            line => write!(f, "{}:{line}: {}", self.file, self.problem),
        }
    }
}

/// The kinds of errors.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SuiteErrorKind {
    /// The file can't be read.
    #[error("can't be read: {0}")]
    Unreadable(String),
    /// The file has no test.
    #[error("no test found: expected an ATS file with [settings], or [[test]] in a .toml file")]
    NoTests,
    /// Invalid TOML.
    #[error("{0}")]
    Toml(String),
    /// Text before the first key.
    #[error("expected [section] or key = value, found '{0}'")]
    UnexpectedText(String),
    /// An unknown section, key or condition.
    #[error("unknown {kind} '{found}': expected one of {expected}")]
    Unknown {
        /// The kind of name, such as section or key.
        kind: &'static str,
        /// The text that was found.
        found: String,
        /// The valid names.
        expected: &'static str,
    },
    /// A key occurs twice.
    #[error("duplicate key '{0}'")]
    DuplicateKey(String),
    /// A required key is missing.
    #[error("the test has no {0}")]
    Missing(&'static str),
    /// Several conditions.
    #[error("the test has {0}: expected only one of condition, piece_position and best")]
    Ambiguous(String),
    /// An invalid value.
    #[error("{key}: expected {expected}, found '{found}'")]
    Value {
        /// The key.
        key: &'static str,
        /// The valid values.
        expected: &'static str,
        /// The text that was found.
        found: String,
    },
    /// An invalid position.
    #[error("position: {0}")]
    Position(ParseGameError),
    /// A position without a turn to play.
    #[error("position: {0}")]
    NotPlayable(String),
    /// An illegal turn.
    #[error("{key} '{turn}': {error}")]
    Turn {
        /// `best`, `avoid` or `solution`.
        key: &'static str,
        /// The text that was found.
        turn: String,
        /// The cause.
        error: IllegalTurn,
    },
    /// An invalid atom.
    #[error(
        "invalid atom '{0}': expected a piece on a square (Eb3), its negation (!ce2) or a capture (Hf6x)"
    )]
    Atom(String),
    /// An atom with an invalid piece, square or trap.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// A block without atoms.
    #[error("a block has no atom: expected one like Eb3, !ce2 or Hf6x before ':' or '|'")]
    EmptyBlock,
    /// An invalid weight.
    #[error("invalid weight '{0}': expected a number above 0")]
    Weight(String),
    /// Two tests with the same name.
    #[error("duplicate name '{name}', also in {other}")]
    DuplicateName {
        /// The name.
        name: String,
        /// File and line of the other test.
        other: String,
    },
}

impl SuiteErrorKind {
    /// Adds file and line; line 0 for the whole file.
    #[must_use]
    pub fn at(self, file: &str, line: usize) -> SuiteError {
        SuiteError { file: file.into(), line, problem: Box::new(self) }
    }
}

/// Shortens a text for an error message.
pub(crate) fn quoted(text: &str) -> String {
    const MAX_LEN: usize = 40;
    let text = text.trim();
    if text.chars().count() <= MAX_LEN {
        text.into()
    } else {
        text.chars().take(MAX_LEN).chain(['…']).collect()
    }
}
