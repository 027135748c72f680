//! The SQLite backend.

use std::path::Path;
use std::time::Duration;

use rusqlite::types::ValueRef as SqliteValue;
use rusqlite::{Connection, OpenFlags, params_from_iter};

use super::schema::TableDef;
use super::value::ValueRef;
use super::{DbRow, Value};
use crate::error::{ArchiveError, Result};

#[derive(Debug)]
pub(super) struct Sqlite {
    connection: Connection,
}

impl Sqlite {
    /// Opens the file. Nothing is written before the first change.
    pub(super) fn open(file: &Path) -> Result<Self> {
        let connection = Connection::open(file)?;
        connection.busy_timeout(Duration::from_secs(60))?;
        connection.set_prepared_statement_cache_capacity(64);
        // Negative values are kilobytes. Sorting for an index takes the same amount again per thread.
        connection.pragma_update(None, "cache_size", -48_000)?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "threads", 2)?;
        Ok(Self { connection })
    }

    /// Opens the file read-only and without memory mapping: truncating a mapped file would kill the process that reads it,
    /// which here is a server.
    pub(super) fn open_read_only(file: &Path) -> Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(file, flags)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        Ok(Self { connection })
    }

    /// Enables memory mapping, which avoids copying pages for queries with many random accesses.
    pub(super) fn enable_mmap(&self) -> Result<()> {
        Ok(self.connection.pragma_update(None, "mmap_size", 0x7fff_0000)?)
    }

    /// The first problem in the structure of the file, if any.
    pub(super) fn quick_check(&self) -> Result<Option<String>> {
        let found: rusqlite::Result<String> =
            self.connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0));
        match found {
            Ok(found) if found == "ok" => Ok(None),
            Ok(found) => Ok(Some(found.lines().collect::<Vec<_>>().join(" "))),
            // SQLite cannot even read the pages that it has to check.
            Err(rusqlite::Error::SqliteFailure(error, text))
                if error.code == rusqlite::ErrorCode::DatabaseCorrupt =>
            {
                Ok(Some(text.unwrap_or_else(|| error.to_string())))
            }
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn tables(&self) -> Result<Vec<String>> {
        let sql =
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
        let mut statement = self.connection.prepare(sql)?;
        let names = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        Ok(names)
    }

    pub(super) fn for_each_row(
        &self,
        sql: &str,
        values: &[Value],
        mut visit: impl FnMut(DbRow<'_>) -> Result<bool>,
    ) -> Result<()> {
        let mut statement = self.connection.prepare_cached(&sql.replace('$', "?"))?;
        let mut rows = statement.query(params_from_iter(values))?;
        while let Some(row) = rows.next()? {
            if !visit(DbRow::Sqlite(row))? {
                break;
            }
        }
        Ok(())
    }

    pub(super) fn execute(&self, sql: &str, values: &[Value]) -> Result<u64> {
        let mut statement = self.connection.prepare_cached(&sql.replace('$', "?"))?;
        Ok(statement.execute(params_from_iter(values))? as u64)
    }

    pub(super) fn execute_batch(&self, sql: &str) -> Result<()> {
        // With a write-ahead log readers do not wait for an import, and a killed process leaves complete transactions.
        if sql == "BEGIN" {
            self.connection.pragma_update(None, "journal_mode", "WAL")?;
            return Ok(self.connection.execute_batch("BEGIN IMMEDIATE")?);
        }
        Ok(self.connection.execute_batch(sql)?)
    }

    pub(super) fn insert_all(&self, table: &TableDef, rows: &[Vec<Value>]) -> Result<()> {
        let mut statement = self.connection.prepare_cached(&table.insert().replace('$', "?"))?;
        for row in rows {
            statement.execute(params_from_iter(row))?;
        }
        Ok(())
    }

    pub(super) fn checkpoint(&self) -> Result<()> {
        // A concurrent reader may prevent this; the next import repeats it.
        self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        Ok(())
    }
}

pub(super) fn value_at<'a>(row: &'a rusqlite::Row<'_>, column: usize) -> Result<ValueRef<'a>> {
    Ok(match row.get_ref(column)? {
        SqliteValue::Null => ValueRef::Null,
        SqliteValue::Integer(value) => ValueRef::Integer(value),
        SqliteValue::Real(value) => ValueRef::Float(value),
        SqliteValue::Text(value) => ValueRef::Text(
            std::str::from_utf8(value).map_err(|error| ArchiveError::Corrupt(error.to_string()))?,
        ),
        SqliteValue::Blob(value) => ValueRef::Bytes(value),
    })
}
