//! The embedded database: one file.

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
    /// Opens the file; nothing is written before the first change.
    pub(super) fn open(file: &Path) -> Result<Self> {
        let connection = Connection::open(file)?;
        connection.busy_timeout(Duration::from_secs(60))?;
        connection.set_prepared_statement_cache_capacity(64);
        // Negative: in kilobytes. Sorting for an index takes as much again for each of its threads.
        connection.pragma_update(None, "cache_size", -48_000)?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "threads", 2)?;
        Ok(Self { connection })
    }

    /// Opens the file so that nothing can be written by mistake. It is not mapped: whoever truncates a mapped file ends the
    /// program that reads it, and here that is a server.
    pub(super) fn open_read_only(file: &Path) -> Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(file, flags)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        Ok(Self { connection })
    }

    /// Reads pages where the system has them, instead of copying each: questions read a few from everywhere.
    pub(super) fn enable_mmap(&self) -> Result<()> {
        Ok(self.connection.pragma_update(None, "mmap_size", 0x7fff_0000)?)
    }

    pub(super) fn tables(&self) -> Result<Vec<String>> {
        let sql =
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
        let mut statement = self.connection.prepare(sql)?;
        let names = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        Ok(names)
    }

    pub(super) fn each(
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

    pub(super) fn batch(&self, sql: &str) -> Result<()> {
        // A reader never waits for an import in this mode, and a killed program leaves whole transactions behind.
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
        // A reader may hold it back; then it is done another time.
        self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        Ok(())
    }
}

pub(super) fn cell<'a>(row: &'a rusqlite::Row<'_>, column: usize) -> Result<ValueRef<'a>> {
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
