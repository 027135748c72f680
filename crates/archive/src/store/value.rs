//! Values on their way into and out of a database.

use postgres::types::{IsNull, ToSql, Type, to_sql_checked};

use crate::error::{ArchiveError, Result};

/// One value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    Null,
    Whole(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Whole(value)
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Self::Whole(value.into())
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.into())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl From<Vec<u8>> for Value {
    fn from(value: Vec<u8>) -> Self {
        Self::Bytes(value)
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl rusqlite::ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        use rusqlite::types::{ToSqlOutput, ValueRef};
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Whole(value) => ValueRef::Integer(*value),
            Self::Real(value) => ValueRef::Real(*value),
            Self::Text(value) => ValueRef::Text(value.as_bytes()),
            Self::Bytes(value) => ValueRef::Blob(value),
        }))
    }
}

impl ToSql for Value {
    /// The server says what it expects, and whole numbers come in three widths there.
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut postgres::types::private::BytesMut,
    ) -> std::result::Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Whole(value) if *kind == Type::INT4 => i32::try_from(*value)?.to_sql(kind, out),
            Self::Whole(value) if *kind == Type::INT2 => i16::try_from(*value)?.to_sql(kind, out),
            Self::Whole(value) => value.to_sql(kind, out),
            Self::Real(value) => value.to_sql(kind, out),
            Self::Text(value) => value.to_sql(kind, out),
            Self::Bytes(value) => value.to_sql(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// What stands in a column of a row, where the database has it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Cell<'a> {
    Null,
    Whole(i64),
    Real(f64),
    Text(&'a str),
    Bytes(&'a [u8]),
}

impl<'a> From<&'a Value> for Cell<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Whole(value) => Self::Whole(*value),
            Value::Real(value) => Self::Real(*value),
            Value::Text(value) => Self::Text(value),
            Value::Bytes(value) => Self::Bytes(value),
        }
    }
}

impl From<Cell<'_>> for Value {
    fn from(cell: Cell<'_>) -> Self {
        match cell {
            Cell::Null => Self::Null,
            Cell::Whole(value) => Self::Whole(value),
            Cell::Real(value) => Self::Real(value),
            Cell::Text(value) => Self::Text(value.into()),
            Cell::Bytes(value) => Self::Bytes(value.into()),
        }
    }
}

/// One row of an answer: kept, or as the database shows it until the next one. Some questions look at a row of every
/// game, so that nothing is copied which nobody asks for.
pub(crate) enum Row<'a> {
    Kept(Vec<Value>),
    Sqlite(&'a rusqlite::Row<'a>),
    Postgres(&'a postgres::Row),
}

impl Row<'_> {
    fn at(&self, column: usize) -> Result<Cell<'_>> {
        match self {
            Self::Kept(values) => Ok(values.get(column).unwrap_or(&Value::Null).into()),
            Self::Sqlite(row) => super::sqlite::cell(row, column),
            Self::Postgres(row) => super::postgres::cell(row, column),
        }
    }

    /// A row that outlives its answer.
    pub(super) fn kept(&self) -> Result<Row<'static>> {
        let values = (0..self.columns()).map(|column| self.at(column).map(Value::from));
        Ok(Row::Kept(values.collect::<Result<_>>()?))
    }

    fn columns(&self) -> usize {
        match self {
            Self::Kept(values) => values.len(),
            Self::Sqlite(row) => row.as_ref().column_count(),
            Self::Postgres(row) => row.len(),
        }
    }

    pub(crate) fn whole(&self, column: usize) -> Result<i64> {
        match self.at(column)? {
            Cell::Whole(value) => Ok(value),
            other => damaged(column, "a number", other),
        }
    }

    pub(crate) fn int(&self, column: usize) -> Result<i32> {
        let value = self.whole(column)?;
        value.try_into().or_else(|_| damaged(column, "a small number", Cell::Whole(value)))
    }

    pub(crate) fn whole_or(&self, column: usize, other: i64) -> Result<i64> {
        Ok(self.maybe(column)?.unwrap_or(other))
    }

    pub(crate) fn maybe(&self, column: usize) -> Result<Option<i64>> {
        if self.at(column)? == Cell::Null { Ok(None) } else { self.whole(column).map(Some) }
    }

    pub(crate) fn text(&self, column: usize) -> Result<String> {
        match self.at(column)? {
            Cell::Text(value) => Ok(value.into()),
            Cell::Null => Ok(String::new()),
            other => damaged(column, "a text", other),
        }
    }

    pub(crate) fn bytes(&self, column: usize) -> Result<&[u8]> {
        match self.at(column)? {
            Cell::Bytes(value) => Ok(value),
            other => damaged(column, "bytes", other),
        }
    }
}

fn damaged<T>(column: usize, expected: &str, found: Cell<'_>) -> Result<T> {
    Err(ArchiveError::Damaged(format!("expected {expected} in column {column}, found {found:?}")))
}
