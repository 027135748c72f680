//! The rows of the database, independent of the types of the API.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use surus_rules::{GameResult, Side, Termination};

/// A row of `games`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StoredGame {
    pub(crate) id: String,
    pub(crate) created_at: i64,
    /// Incremented by every change.
    pub(crate) version: u64,
    pub(crate) config: StoredConfig,
    /// The steps of the current turn, and those that were undone.
    pub(crate) steps_played: String,
    pub(crate) redo: String,
    pub(crate) elapsed_ms: u64,
    pub(crate) reserves_ms: [u64; 2],
    /// The current board and turn, so that listing games does not replay them.
    pub(crate) board: String,
    pub(crate) tag: String,
    pub(crate) result: Option<GameResult>,
}

/// How many games against an engine had a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ResultCount {
    pub(crate) engine: String,
    /// Whether the person won; `None` without a winner.
    pub(crate) won: Option<bool>,
    pub(crate) games: u64,
}

/// The configuration of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StoredConfig {
    pub(crate) gold: StoredPlayer,
    pub(crate) silver: StoredPlayer,
    pub(crate) time_control: Option<String>,
    /// Letters of the missing pieces of gold and silver.
    pub(crate) handicaps: [String; 2],
    /// Board and tag, for a game that does not start with the setups.
    pub(crate) start: Option<(String, String)>,
}

/// A player of one side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum StoredPlayer {
    Human { name: String },
    Engine { name: String, seconds: u32 },
}

impl StoredPlayer {
    /// Its columns. Only engines have a time per turn.
    pub(super) fn columns(&self) -> (&str, Option<u32>) {
        match self {
            Self::Human { name } => (name, None),
            Self::Engine { name, seconds } => (name, Some(*seconds)),
        }
    }

    pub(super) fn from_columns(name: String, seconds: Option<u32>) -> Self {
        match seconds {
            None => Self::Human { name },
            Some(seconds) => Self::Engine { name, seconds },
        }
    }
}

/// A row of `turns`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StoredTurn {
    /// As in a record, without its tag.
    pub(crate) text: String,
    pub(crate) elapsed_ms: u64,
    /// Both reserves before it, so that a takeback restores them.
    pub(crate) reserves_ms: [u64; 2],
}

/// An entry of the list of games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum StoredEntry {
    Game(Box<Summary>),
    Unreadable { id: String, created_at: i64, updated_at: i64, reason: String },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Summary {
    pub(crate) id: String,
    pub(crate) created_at: i64,
    pub(crate) updated_at: i64,
    pub(crate) gold: StoredPlayer,
    pub(crate) silver: StoredPlayer,
    pub(crate) board: String,
    pub(crate) tag: String,
    pub(crate) result: Option<GameResult>,
}

/// A value that is invalid in this format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("found '{found}', expected {expected}")]
struct InvalidValue {
    found: String,
    expected: &'static str,
}

/// A non-negative integer, such as a time in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unsigned(pub(super) u64);

impl ToSql for Unsigned {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let value =
            i64::try_from(self.0).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        Ok(value.into())
    }
}

impl FromSql for Unsigned {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let value = value.as_i64()?;
        u64::try_from(value).map(Self).map_err(|_| FromSqlError::OutOfRange(value))
    }
}

/// The column `winner`.
pub(super) struct Winner(pub(super) Side);

impl ToSql for Winner {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(side_name(self.0).into())
    }
}

impl FromSql for Winner {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let name = value.as_str()?;
        let side = Side::BOTH.into_iter().find(|&side| side_name(side) == name);
        side.map(Self).ok_or_else(|| invalid(name, "gold or silver"))
    }
}

/// The column `reason`.
pub(super) struct ReasonName(pub(super) Termination);

impl ToSql for ReasonName {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(reason_name(self.0).into())
    }
}

impl FromSql for ReasonName {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let name = value.as_str()?;
        let reason = REASONS.into_iter().find(|&reason| reason_name(reason) == name);
        reason.map(Self).ok_or_else(|| invalid(name, "a reason such as goal or resignation"))
    }
}

fn invalid(found: &str, expected: &'static str) -> FromSqlError {
    FromSqlError::other(InvalidValue { found: found.chars().take(40).collect(), expected })
}

const fn side_name(side: Side) -> &'static str {
    match side {
        Side::Gold => "gold",
        Side::Silver => "silver",
    }
}

const fn reason_name(reason: Termination) -> &'static str {
    match reason {
        Termination::Goal => "goal",
        Termination::Elimination => "elimination",
        Termination::Immobilisation => "immobilisation",
        Termination::OnlyRepetitions => "only-repetitions",
        Termination::Repetition => "repetition",
        Termination::NoRabbits => "no-rabbits",
        Termination::Time => "time",
        Termination::Resignation => "resignation",
        Termination::Illegal => "illegal",
        Termination::Abandoned => "abandoned",
        Termination::Score => "score",
        Termination::Forfeit => "forfeit",
    }
}

const REASONS: [Termination; 12] = [
    Termination::Goal,
    Termination::Elimination,
    Termination::Immobilisation,
    Termination::OnlyRepetitions,
    Termination::Repetition,
    Termination::NoRabbits,
    Termination::Time,
    Termination::Resignation,
    Termination::Illegal,
    Termination::Abandoned,
    Termination::Score,
    Termination::Forfeit,
];
