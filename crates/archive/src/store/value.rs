//! Database values.

use postgres::types::{IsNull, ToSql, Type, to_sql_checked};

use crate::error::{ArchiveError, Result};

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    Null,
    Integer(i64),
    Float(f64),
    Text(String),
    Bytes(Vec<u8>),
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Self::Integer(value.into())
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
            Self::Integer(value) => ValueRef::Integer(*value),
            Self::Float(value) => ValueRef::Real(*value),
            Self::Text(value) => ValueRef::Text(value.as_bytes()),
            Self::Bytes(value) => ValueRef::Blob(value),
        }))
    }
}

impl ToSql for Value {
    /// PostgreSQL expects integers in the width of the column.
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut postgres::types::private::BytesMut,
    ) -> std::result::Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Integer(value) if *kind == Type::INT4 => i32::try_from(*value)?.to_sql(kind, out),
            Self::Integer(value) if *kind == Type::INT2 => i16::try_from(*value)?.to_sql(kind, out),
            Self::Integer(value) => value.to_sql(kind, out),
            Self::Float(value) => value.to_sql(kind, out),
            Self::Text(value) => value.to_sql(kind, out),
            Self::Bytes(value) => value.to_sql(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// A borrowed column value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum ValueRef<'a> {
    Null,
    Integer(i64),
    Float(f64),
    Text(&'a str),
    Bytes(&'a [u8]),
}

impl<'a> From<&'a Value> for ValueRef<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Integer(value) => Self::Integer(*value),
            Value::Float(value) => Self::Float(*value),
            Value::Text(value) => Self::Text(value),
            Value::Bytes(value) => Self::Bytes(value),
        }
    }
}

impl From<ValueRef<'_>> for Value {
    fn from(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Null => Self::Null,
            ValueRef::Integer(value) => Self::Integer(value),
            ValueRef::Float(value) => Self::Float(value),
            ValueRef::Text(value) => Self::Text(value.into()),
            ValueRef::Bytes(value) => Self::Bytes(value.into()),
        }
    }
}

/// A row: owned, or borrowed from the database until the next one. Some queries read a row of every game, so that only
/// what is used is copied.
pub(crate) enum DbRow<'a> {
    Owned(Vec<Value>),
    Sqlite(&'a rusqlite::Row<'a>),
    Postgres(&'a postgres::Row),
}

impl DbRow<'_> {
    fn get(&self, column: usize) -> Result<ValueRef<'_>> {
        match self {
            Self::Owned(values) => Ok(values.get(column).unwrap_or(&Value::Null).into()),
            Self::Sqlite(row) => super::sqlite::value_at(row, column),
            Self::Postgres(row) => super::postgres::value_at(row, column),
        }
    }

    /// Copies the row.
    pub(super) fn to_owned_row(&self) -> Result<DbRow<'static>> {
        let values = (0..self.columns()).map(|column| self.get(column).map(Value::from));
        Ok(DbRow::Owned(values.collect::<Result<_>>()?))
    }

    fn columns(&self) -> usize {
        match self {
            Self::Owned(values) => values.len(),
            Self::Sqlite(row) => row.as_ref().column_count(),
            Self::Postgres(row) => row.len(),
        }
    }

    pub(crate) fn get_i64(&self, column: usize) -> Result<i64> {
        match self.get(column)? {
            ValueRef::Integer(value) => Ok(value),
            other => corrupt(column, "a number", other),
        }
    }

    pub(crate) fn get_i32(&self, column: usize) -> Result<i32> {
        let value = self.get_i64(column)?;
        value.try_into().or_else(|_| corrupt(column, "a 32-bit integer", ValueRef::Integer(value)))
    }

    pub(crate) fn get_i64_or(&self, column: usize, other: i64) -> Result<i64> {
        Ok(self.get_opt_i64(column)?.unwrap_or(other))
    }

    pub(crate) fn get_opt_i64(&self, column: usize) -> Result<Option<i64>> {
        if self.get(column)? == ValueRef::Null { Ok(None) } else { self.get_i64(column).map(Some) }
    }

    pub(crate) fn text(&self, column: usize) -> Result<String> {
        match self.get(column)? {
            ValueRef::Text(value) => Ok(value.into()),
            ValueRef::Null => Ok(String::new()),
            other => corrupt(column, "a text", other),
        }
    }

    pub(crate) fn bytes(&self, column: usize) -> Result<&[u8]> {
        match self.get(column)? {
            ValueRef::Bytes(value) => Ok(value),
            other => corrupt(column, "bytes", other),
        }
    }
}

fn corrupt<T>(column: usize, expected: &str, found: ValueRef<'_>) -> Result<T> {
    Err(ArchiveError::Corrupt(format!("expected {expected} in column {column}, found {found:?}")))
}
