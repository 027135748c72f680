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

/// One row of an answer.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Row(pub(super) Vec<Value>);

impl Row {
    fn at(&self, column: usize) -> &Value {
        self.0.get(column).unwrap_or(&Value::Null)
    }

    fn damaged<T>(&self, column: usize, expected: &str) -> Result<T> {
        Err(ArchiveError::Damaged(format!(
            "expected {expected} in column {column}, found {:?}",
            self.at(column)
        )))
    }

    pub(crate) fn whole(&self, column: usize) -> Result<i64> {
        match self.at(column) {
            Value::Whole(value) => Ok(*value),
            _ => self.damaged(column, "a number"),
        }
    }

    pub(crate) fn int(&self, column: usize) -> Result<i32> {
        self.whole(column)?.try_into().or_else(|_| self.damaged(column, "a small number"))
    }

    pub(crate) fn whole_or(&self, column: usize, other: i64) -> Result<i64> {
        if *self.at(column) == Value::Null { Ok(other) } else { self.whole(column) }
    }

    pub(crate) fn maybe(&self, column: usize) -> Result<Option<i64>> {
        if *self.at(column) == Value::Null { Ok(None) } else { self.whole(column).map(Some) }
    }

    pub(crate) fn text(&self, column: usize) -> Result<String> {
        match self.at(column) {
            Value::Text(value) => Ok(value.clone()),
            Value::Null => Ok(String::new()),
            _ => self.damaged(column, "a text"),
        }
    }

    pub(crate) fn bytes(&self, column: usize) -> Result<&[u8]> {
        match self.at(column) {
            Value::Bytes(value) => Ok(value),
            _ => self.damaged(column, "bytes"),
        }
    }
}
