//! The database: one schema and one set of queries for SQLite and PostgreSQL.

mod import_lock;
mod location;
#[cfg(test)]
mod migration_tests;
mod postgres;
mod schema;
mod sqlite;
mod value;

use std::path::{Path, PathBuf};

use surus_play::Revision;

pub(crate) use import_lock::ImportLock;
pub use location::{DbLocation, data_dir};
pub use schema::VERSION;
pub(crate) use schema::{GAMES, INDEXES, POSITIONS, RECORDS};
pub(crate) use value::{DbRow, Value};

use self::postgres::Postgres;
use self::sqlite::Sqlite;
use crate::error::{ArchiveError, Result};

/// Checking a larger file would take longer than the query.
pub(crate) const MAX_CHECKED_BYTES: u64 = 256 << 20;

/// SQLite's name of an in-memory database.
const IN_MEMORY: &str = ":memory:";

/// An open archive, used by one thread at a time.
#[derive(Debug)]
pub struct ArchiveDb {
    location: DbLocation,
    backend: Backend,
}

#[derive(Debug)]
enum Backend {
    Sqlite(Sqlite),
    Postgres(Box<Postgres>),
}

impl ArchiveDb {
    /// Opens an archive for queries. It must exist, have the current schema and have no unfinished import.
    pub fn open(location: &DbLocation) -> Result<Self> {
        if let DbLocation::Sqlite(file) = location
            && !file.exists()
        {
            return Err(ArchiveError::Missing(location.to_string()));
        }
        let store = Self::connect(location)?;
        store.ensure_ready()?;
        store.check_pages()?;
        if let Backend::Sqlite(sqlite) = &store.backend {
            sqlite.enable_mmap()?;
        }
        Ok(store)
    }

    /// Checks the structure of an SQLite file of at most 256 MB: a query answers from overwritten pages
    /// if they happen to look like pages of the file.
    pub fn check_pages(&self) -> Result<()> {
        let (DbLocation::Sqlite(file), Backend::Sqlite(sqlite)) = (&self.location, &self.backend) else {
            return Ok(());
        };
        if size_of(file) > MAX_CHECKED_BYTES {
            return Ok(());
        }
        match sqlite.quick_check()? {
            None => Ok(()),
            Some(problem) => Err(ArchiveError::Damaged { location: self.location.to_string(), problem }),
        }
    }

    /// Opens an archive without write access.
    pub fn open_read_only(location: &DbLocation) -> Result<Self> {
        let backend = match location {
            DbLocation::Sqlite(file) if !file.exists() => {
                return Err(ArchiveError::Missing(location.to_string()));
            }
            DbLocation::Sqlite(file) => {
                Backend::Sqlite(Sqlite::open_read_only(file).map_err(|error| location.map_open_error(error))?)
            }
            DbLocation::Postgres(url) => Backend::Postgres(Box::new(Postgres::open(url)?)),
        };
        let store = Self { location: location.clone(), backend };
        if !store.is_sqlite() {
            store.execute_batch("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")?;
        }
        store.ensure_ready()?;
        Ok(store)
    }

    /// Checks that the archive can be queried. Older schemas are not migrated here, because their indexes may have to be
    /// built again, which takes long.
    fn ensure_ready(&self) -> Result<()> {
        let location = || self.location.to_string();
        match self.version()? {
            None => Err(ArchiveError::Missing(location())),
            Some(found) if found < VERSION => {
                Err(ArchiveError::MigrationRequired { location: location(), found, supported: VERSION })
            }
            Some(_) if self.is_bulk_loading()? => Err(ArchiveError::ImportIncomplete(location())),
            Some(_) => Ok(()),
        }
    }

    /// Opens an archive for import and creates or migrates it if necessary.
    pub fn open_or_create(location: &DbLocation) -> Result<Self> {
        if let DbLocation::Sqlite(file) = location
            && let Some(dir) = file.parent().filter(|dir| !dir.as_os_str().is_empty())
        {
            std::fs::create_dir_all(dir).map_err(|error| ArchiveError::Io { file: dir.into(), error })?;
        }
        let store = Self::connect(location)?;
        if store.version()?.is_none_or(|version| version < VERSION) {
            let _alone = store.lock_for_import()?;
            store.migrate()?;
        }
        Ok(store)
    }

    /// Creates an in-memory archive.
    pub(crate) fn in_memory() -> Result<Self> {
        let store = Self::connect(&DbLocation::Sqlite(IN_MEMORY.into()))?;
        store.migrate()?;
        Ok(store)
    }

    /// A hash that changes when games are added.
    pub(crate) fn fingerprint(&self) -> Result<String> {
        let newest = "SELECT dedup_key FROM games WHERE id = (SELECT max(id) FROM games)";
        let dedup_key =
            self.query(newest, &[])?.first().map(|row| row.text(0)).transpose()?.unwrap_or_default();
        let counts = ["games", "positions"].map(|what| self.meta(what));
        let [games, positions] = counts;
        Ok(Revision::default().with(format!("{:?} {:?} {dedup_key}", games?, positions?)).to_string())
    }

    fn connect(location: &DbLocation) -> Result<Self> {
        let backend = match location {
            DbLocation::Sqlite(file) => {
                Backend::Sqlite(Sqlite::open(file).map_err(|error| location.map_open_error(error))?)
            }
            DbLocation::Postgres(url) => Backend::Postgres(Box::new(Postgres::open(url)?)),
        };
        Ok(Self { location: location.clone(), backend })
    }

    /// The schema version; `None` for an empty database. Newer schemas and other databases are refused before any write.
    fn version(&self) -> Result<Option<i64>> {
        let location = self.location.to_string();
        let tables = match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.tables(),
            Backend::Postgres(postgres) => postgres.tables(),
        }
        .map_err(|error| self.location.map_open_error(error))?;
        if tables.is_empty() {
            return Ok(None);
        }
        let found =
            if tables.iter().any(|table| table == "archive_meta") { self.meta("version")? } else { None };
        let Some(version) = found.and_then(|text| text.parse().ok()) else {
            let found = format!("it has the tables {}", tables.join(", "));
            return Err(ArchiveError::NotAnArchive { location, found });
        };
        if version > VERSION {
            return Err(ArchiveError::SchemaTooNew { location, found: version, supported: VERSION });
        }
        Ok(Some(version))
    }

    fn migrate(&self) -> Result<()> {
        self.transaction(|| {
            // Another process may have migrated it since.
            for text in schema::migrations_after(self.version()?.unwrap_or(0)) {
                self.execute_batch(text)?;
            }
            self.set_meta("version", &VERSION.to_string())
        })
    }

    /// Prevents concurrent imports while held; released by the system if the process dies.
    pub(crate) fn lock_for_import(&self) -> Result<ImportLock<'_>> {
        ImportLock::new(self)
    }

    /// The location.
    #[must_use]
    pub const fn location(&self) -> &DbLocation {
        &self.location
    }

    /// A metadata value.
    pub(crate) fn meta(&self, name: &str) -> Result<Option<String>> {
        let rows = self.query("SELECT value FROM archive_meta WHERE name = $1", &[name.into()])?;
        rows.first().map(|row| row.text(0)).transpose()
    }

    pub(crate) fn set_meta(&self, name: &str, value: &str) -> Result<()> {
        self.execute(
            "INSERT INTO archive_meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            &[name.into(), value.into()],
        )?;
        Ok(())
    }

    /// Whether a bulk import is running or was interrupted.
    pub(crate) fn is_bulk_loading(&self) -> Result<bool> {
        Ok(self.meta("bulk_load_in_progress")?.as_deref() == Some("1"))
    }

    /// All rows of a query.
    pub(crate) fn query(&self, sql: &str, values: &[Value]) -> Result<Vec<DbRow<'static>>> {
        let mut rows = Vec::new();
        self.for_each_row(sql, values, |row| {
            rows.push(row.to_owned_row()?);
            Ok(true)
        })?;
        Ok(rows)
    }

    /// Visits the rows of a query until `visit` returns false.
    pub(crate) fn for_each_row(
        &self,
        sql: &str,
        values: &[Value],
        visit: impl FnMut(DbRow<'_>) -> Result<bool>,
    ) -> Result<()> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.for_each_row(sql, values, visit),
            Backend::Postgres(postgres) => postgres.for_each_row(sql, values, visit),
        }
    }

    /// The integer in the first column of the first row, 0 if there is none.
    pub(crate) fn query_scalar(&self, sql: &str, values: &[Value]) -> Result<i64> {
        self.query(sql, values)?.first().map_or(Ok(0), |row| row.get_i64_or(0, 0))
    }

    /// Executes one statement.
    pub(crate) fn execute(&self, sql: &str, values: &[Value]) -> Result<u64> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.execute(sql, values),
            Backend::Postgres(postgres) => postgres.execute(sql, values),
        }
    }

    /// Executes several statements without parameters, in the dialect of PostgreSQL.
    pub(crate) fn execute_batch(&self, sql: &str) -> Result<()> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.execute_batch(&schema::for_sqlite(sql)),
            Backend::Postgres(postgres) => postgres.execute_batch(sql),
        }
    }

    /// Inserts rows into a table.
    pub(crate) fn insert_all(&self, table: &schema::TableDef, rows: &[Vec<Value>]) -> Result<()> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.insert_all(table, rows),
            Backend::Postgres(postgres) => postgres.insert_all(table, rows),
        }
    }

    /// Runs `work` in a transaction, which is rolled back if it fails.
    pub(crate) fn transaction<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.execute_batch("BEGIN")?;
        let done = work().and_then(|value| self.execute_batch("COMMIT").map(|()| value));
        if done.is_err() {
            // The first error is reported; SQLite may have rolled back already.
            let _ = self.execute_batch("ROLLBACK");
        }
        done
    }

    /// The query plan, one line per node.
    pub(crate) fn explain(&self, sql: &str, values: &[Value]) -> Result<Vec<String>> {
        let (word, column) = match &self.backend {
            Backend::Sqlite(_) => ("EXPLAIN QUERY PLAN", 3),
            Backend::Postgres(_) => ("EXPLAIN", 0),
        };
        self.query(&format!("{word} {sql}"), values)?.iter().map(|row| row.text(column)).collect()
    }

    /// Name, description and DDL of each index.
    pub(crate) fn index_ddl(&self) -> impl Iterator<Item = (&'static str, &'static str, String)> {
        let sqlite = matches!(self.backend, Backend::Sqlite(_));
        INDEXES.iter().map(move |index| (index.name, index.description, index.create(sqlite)))
    }

    /// Whether this is an SQLite database.
    pub(crate) const fn is_sqlite(&self) -> bool {
        matches!(self.backend, Backend::Sqlite(_))
    }

    /// The size on disk in bytes.
    pub fn size(&self) -> Result<u64> {
        match &self.location {
            DbLocation::Sqlite(file) => Ok(size_of(file) + size_of(&sibling_path(file, "-wal"))),
            DbLocation::Postgres(_) => {
                Ok(self.query_scalar("SELECT pg_database_size(current_database())", &[])?.unsigned_abs())
            }
        }
    }

    /// Merges SQLite's write-ahead log into the file, or updates PostgreSQL's planner statistics.
    pub(crate) fn optimize(&self) -> Result<()> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.checkpoint(),
            Backend::Postgres(postgres) => {
                postgres.execute_batch("ANALYZE positions; ANALYZE games; ANALYZE position_stats")
            }
        }
    }
}

/// The path with a suffix appended.
fn sibling_path(file: &Path, end: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(end);
    name.into()
}

fn size_of(file: &Path) -> u64 {
    std::fs::metadata(file).map_or(0, |about| about.len())
}
