//! The database: one schema and one set of questions for SQLite and PostgreSQL.

mod import_lock;
mod location;
mod postgres;
mod schema;
mod sqlite;
mod value;

use std::path::{Path, PathBuf};

use surus_play::Revision;

pub(crate) use import_lock::ImportLock;
pub use location::{DbLocation, data_folder};
pub use schema::VERSION;
pub(crate) use schema::{GAMES, INDEXES, POSITIONS, RECORDS};
pub(crate) use value::{DbRow, Value};

use self::postgres::Postgres;
use self::sqlite::Sqlite;
use crate::error::{ArchiveError, Result};

/// SQLite's name for a database without a file.
const IN_MEMORY: &str = ":memory:";

/// An open store. It belongs to one thread at a time.
#[derive(Debug)]
pub struct ArchiveDb {
    place: DbLocation,
    backend: Backend,
}

#[derive(Debug)]
enum Backend {
    Sqlite(Sqlite),
    Postgres(Box<Postgres>),
}

impl ArchiveDb {
    /// Opens a store to ask questions. It must be there, of a version that is known, and its last import finished.
    pub fn open(place: &DbLocation) -> Result<Self> {
        if let DbLocation::Sqlite(file) = place
            && !file.exists()
        {
            return Err(ArchiveError::Missing(place.to_string()));
        }
        let store = Self::connect(place)?;
        store.ensure_ready()?;
        if let Backend::Sqlite(sqlite) = &store.backend {
            sqlite.enable_mmap()?;
        }
        Ok(store)
    }

    /// Opens a store to read it and never to write.
    pub fn open_read_only(place: &DbLocation) -> Result<Self> {
        let backend = match place {
            DbLocation::Sqlite(file) if !file.exists() => {
                return Err(ArchiveError::Missing(place.to_string()));
            }
            DbLocation::Sqlite(file) => {
                Backend::Sqlite(Sqlite::open_read_only(file).map_err(|error| place.map_open_error(error))?)
            }
            DbLocation::Postgres(url) => Backend::Postgres(Box::new(Postgres::open(url)?)),
        };
        let store = Self { place: place.clone(), backend };
        if !store.is_sqlite() {
            store.execute_batch("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")?;
        }
        store.ensure_ready()?;
        Ok(store)
    }

    /// Whether it can be asked. What an older program made is refused: its indexes may have to be made again, which takes
    /// somebody who waits for it.
    fn ensure_ready(&self) -> Result<()> {
        let place = || self.place.to_string();
        match self.version()? {
            None => Err(ArchiveError::Missing(place())),
            Some(found) if found < VERSION => {
                Err(ArchiveError::MigrationRequired { location: place(), found, supported: VERSION })
            }
            Some(_) if self.is_loading()? => Err(ArchiveError::ImportIncomplete(place())),
            Some(_) => Ok(()),
        }
    }

    /// Opens a store to put games in, and makes it if there is none.
    pub fn open_or_create(place: &DbLocation) -> Result<Self> {
        if let DbLocation::Sqlite(file) = place
            && let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty())
        {
            std::fs::create_dir_all(folder)
                .map_err(|error| ArchiveError::Io { file: folder.into(), error })?;
        }
        let store = Self::connect(place)?;
        if store.version()?.is_none_or(|version| version < VERSION) {
            let _alone = store.lock_for_import()?;
            store.migrate()?;
        }
        Ok(store)
    }

    /// An empty store that is gone when it is dropped.
    pub(crate) fn in_memory() -> Result<Self> {
        let store = Self::connect(&DbLocation::Sqlite(IN_MEMORY.into()))?;
        store.migrate()?;
        Ok(store)
    }

    /// A hash that changes when games are added.
    pub(crate) fn fingerprint(&self) -> Result<String> {
        let newest = "SELECT origin FROM games WHERE id = (SELECT max(id) FROM games)";
        let origin = self.query(newest, &[])?.first().map(|row| row.text(0)).transpose()?.unwrap_or_default();
        let counts = ["games", "positions"].map(|what| self.meta(what));
        let [games, positions] = counts;
        Ok(Revision::default().with(format!("{:?} {:?} {origin}", games?, positions?)).to_string())
    }

    fn connect(place: &DbLocation) -> Result<Self> {
        let backend = match place {
            DbLocation::Sqlite(file) => {
                Backend::Sqlite(Sqlite::open(file).map_err(|error| place.map_open_error(error))?)
            }
            DbLocation::Postgres(url) => Backend::Postgres(Box::new(Postgres::open(url)?)),
        };
        Ok(Self { place: place.clone(), backend })
    }

    /// The version of what is there; nothing if it is empty. What is newer or foreign is refused before anything is written.
    fn version(&self) -> Result<Option<i64>> {
        let place = self.place.to_string();
        let tables = match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.tables(),
            Backend::Postgres(postgres) => postgres.tables(),
        }
        .map_err(|error| self.place.map_open_error(error))?;
        if tables.is_empty() {
            return Ok(None);
        }
        let found =
            if tables.iter().any(|table| table == "archive_meta") { self.meta("version")? } else { None };
        let Some(version) = found.and_then(|text| text.parse().ok()) else {
            let found = format!("it has the tables {}", tables.join(", "));
            return Err(ArchiveError::NotAnArchive { location: place, found });
        };
        if VERSION < version {
            return Err(ArchiveError::SchemaTooNew { location: place, found: version, supported: VERSION });
        }
        Ok(Some(version))
    }

    fn migrate(&self) -> Result<()> {
        self.transaction(|| {
            // Somebody else may have done it since.
            for text in schema::migrations_after(self.version()?.unwrap_or(0)) {
                self.execute_batch(text)?;
            }
            self.set_meta("version", &VERSION.to_string())
        })
    }

    /// Nobody else may put games in as long as this is held; a program that is killed holds nothing.
    pub(crate) fn lock_for_import(&self) -> Result<ImportLock<'_>> {
        ImportLock::new(self)
    }

    /// Where it is.
    #[must_use]
    pub const fn place(&self) -> &DbLocation {
        &self.place
    }

    /// A value that is kept under a name.
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

    /// Whether a bulk import runs, or was stopped before its end.
    pub(crate) fn is_loading(&self) -> Result<bool> {
        Ok(self.meta("loading")?.as_deref() == Some("1"))
    }

    /// All rows of an answer.
    pub(crate) fn query(&self, sql: &str, values: &[Value]) -> Result<Vec<DbRow<'static>>> {
        let mut rows = Vec::new();
        self.for_each_row(sql, values, |row| {
            rows.push(row.to_owned_row()?);
            Ok(true)
        })?;
        Ok(rows)
    }

    /// Visits the rows of an answer until the visitor says false.
    pub(crate) fn for_each_row(
        &self,
        sql: &str,
        values: &[Value],
        visit: impl FnMut(DbRow<'_>) -> Result<bool>,
    ) -> Result<()> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.each(sql, values, visit),
            Backend::Postgres(postgres) => postgres.each(sql, values, visit),
        }
    }

    /// The number in the first column of the first row, 0 if there is none.
    pub(crate) fn query_scalar(&self, sql: &str, values: &[Value]) -> Result<i64> {
        self.query(sql, values)?.first().map_or(Ok(0), |row| row.get_i64_or(0, 0))
    }

    /// Runs one statement.
    pub(crate) fn execute(&self, sql: &str, values: &[Value]) -> Result<u64> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.execute(sql, values),
            Backend::Postgres(postgres) => postgres.execute(sql, values),
        }
    }

    /// Runs several statements without values, in the words of PostgreSQL.
    pub(crate) fn execute_batch(&self, sql: &str) -> Result<()> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.batch(&schema::for_sqlite(sql)),
            Backend::Postgres(postgres) => postgres.batch(sql),
        }
    }

    /// Adds many rows to a table.
    pub(crate) fn insert_all(&self, table: &schema::TableDef, rows: &[Vec<Value>]) -> Result<()> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.insert_all(table, rows),
            Backend::Postgres(postgres) => postgres.insert_all(table, rows),
        }
    }

    /// Does everything or nothing.
    pub(crate) fn transaction<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.execute_batch("BEGIN")?;
        let done = work().and_then(|value| self.execute_batch("COMMIT").map(|()| value));
        if done.is_err() {
            // What went wrong first is what is told; SQLite may have ended the transaction by itself.
            let _ = self.execute_batch("ROLLBACK");
        }
        done
    }

    /// How the database means to find the answer, a line for each part.
    pub(crate) fn explain(&self, sql: &str, values: &[Value]) -> Result<Vec<String>> {
        let (word, column) = match &self.backend {
            Backend::Sqlite(_) => ("EXPLAIN QUERY PLAN", 3),
            Backend::Postgres(_) => ("EXPLAIN", 0),
        };
        self.query(&format!("{word} {sql}"), values)?.iter().map(|row| row.text(column)).collect()
    }

    /// The texts of the indexes for this database.
    pub(crate) fn index_ddl(&self) -> impl Iterator<Item = (&'static str, &'static str, String)> {
        let sqlite = matches!(self.backend, Backend::Sqlite(_));
        INDEXES.iter().map(move |index| (index.name, index.description, index.create(sqlite)))
    }

    /// Whether it is a file of SQLite.
    pub(crate) const fn is_sqlite(&self) -> bool {
        matches!(self.backend, Backend::Sqlite(_))
    }

    /// What the whole store takes on disk, in bytes.
    pub fn size(&self) -> Result<u64> {
        match &self.place {
            DbLocation::Sqlite(file) => Ok(size_of(file) + size_of(&sibling_path(file, "-wal"))),
            DbLocation::Postgres(_) => {
                Ok(self.query_scalar("SELECT pg_database_size(current_database())", &[])?.unsigned_abs())
            }
        }
    }

    /// Writes what lies beside the file into it, so that it is one file again.
    pub(crate) fn optimize(&self) -> Result<()> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.checkpoint(),
            Backend::Postgres(postgres) => postgres.batch("ANALYZE positions; ANALYZE games; ANALYZE common"),
        }
    }
}

/// A file with a longer name.
fn sibling_path(file: &Path, end: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(end);
    name.into()
}

fn size_of(file: &Path) -> u64 {
    std::fs::metadata(file).map_or(0, |about| about.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_of_the_first_version_is_brought_up_to_date_by_an_import_only() {
        let file = std::env::temp_dir().join(format!("surus-migrate-{}.db", std::process::id()));
        let _ = std::fs::remove_file(&file);
        let connection = rusqlite::Connection::open(&file).unwrap();
        let first = schema::migrations_after(0).next().unwrap();
        connection.execute_batch(&schema::for_sqlite(first)).unwrap();
        connection.execute_batch("INSERT INTO archive_meta VALUES ('version', '1')").unwrap();
        drop(connection);
        let place = DbLocation::Sqlite(file.clone());
        assert!(matches!(ArchiveDb::open(&place), Err(ArchiveError::MigrationRequired { found: 1, .. })));
        let store = ArchiveDb::open_or_create(&place).unwrap();
        assert_eq!(store.version().unwrap(), Some(VERSION));
        assert_eq!(store.query_scalar("SELECT count(*) FROM wins", &[]).unwrap(), 0);
        drop(store);
        for end in ["db", "db-wal", "db-shm", "db-import"] {
            let _ = std::fs::remove_file(file.with_extension(end));
        }
    }

    #[test]
    fn a_store_with_games_makes_the_indexes_of_this_version_before_it_is_asked() {
        let file = std::env::temp_dir().join(format!("surus-indexes-{}.db", std::process::id()));
        let _ = std::fs::remove_file(&file);
        let connection = rusqlite::Connection::open(&file).unwrap();
        for text in schema::migrations_after(0).take(2) {
            connection.execute_batch(&schema::for_sqlite(text)).unwrap();
        }
        let position = "INSERT INTO positions (id, standing, about, board, next, full_key) VALUES (65536, 0, 0, x'', x'', 1)";
        let index = "CREATE INDEX by_piece ON positions (piece_key, standing)";
        let version = "INSERT INTO archive_meta VALUES ('version', '2')";
        for text in [position, index, version] {
            connection.execute_batch(text).unwrap();
        }
        drop(connection);
        let place = DbLocation::Sqlite(file.clone());
        let store = ArchiveDb::open_or_create(&place).unwrap();
        assert!(store.is_loading().unwrap());
        assert!(matches!(ArchiveDb::open_read_only(&place), Err(ArchiveError::ImportIncomplete(_))));
        crate::import::import(&store, &[], &Default::default(), &Default::default(), &mut |_| ()).unwrap();
        let sql = "SELECT count(*) FROM sqlite_master WHERE name = 'by_piece' AND sql LIKE '%next%'";
        assert_eq!(store.query_scalar(sql, &[]).unwrap(), 1);
        assert!(ArchiveDb::open_read_only(&place).is_ok());
        drop(store);
        for end in ["db", "db-wal", "db-shm", "db-import"] {
            let _ = std::fs::remove_file(file.with_extension(end));
        }
    }
}
