//! The database: one schema and one set of questions for SQLite and PostgreSQL.

mod alone;
mod place;
mod postgres;
mod schema;
mod sqlite;
mod value;

use std::path::{Path, PathBuf};

use surus_play::Revision;

pub(crate) use alone::Alone;
pub use place::{Place, data_folder};
pub use schema::VERSION;
pub(crate) use schema::{GAMES, INDEXES, POSITIONS, RECORDS};
pub(crate) use value::{Row, Value};

use self::postgres::Postgres;
use self::sqlite::Sqlite;
use crate::error::{ArchiveError, Result};

/// SQLite's name for a database without a file.
const IN_MEMORY: &str = ":memory:";

/// An open store. It belongs to one thread at a time.
#[derive(Debug)]
pub struct Store {
    place: Place,
    backend: Backend,
}

#[derive(Debug)]
enum Backend {
    Sqlite(Sqlite),
    Postgres(Box<Postgres>),
}

impl Store {
    /// Opens a store to ask questions. It must be there, of a version that is known, and its last import finished.
    pub fn open(place: &Place) -> Result<Self> {
        if let Place::File(file) = place
            && !file.exists()
        {
            return Err(ArchiveError::Missing(place.to_string()));
        }
        let store = Self::connect(place)?;
        store.usable()?;
        if let Backend::Sqlite(sqlite) = &store.backend {
            sqlite.map()?;
        }
        Ok(store)
    }

    /// Opens a store to read it and never to write.
    pub fn read(place: &Place) -> Result<Self> {
        let backend = match place {
            Place::File(file) if !file.exists() => return Err(ArchiveError::Missing(place.to_string())),
            Place::File(file) => Backend::Sqlite(Sqlite::read(file).map_err(|error| place.foreign(error))?),
            Place::Server(url) => Backend::Postgres(Box::new(Postgres::open(url)?)),
        };
        let store = Self { place: place.clone(), backend };
        if !store.is_sqlite() {
            store.batch("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")?;
        }
        store.usable()?;
        Ok(store)
    }

    /// Whether it can be asked. What an older program made is refused: its indexes may have to be made again, which takes
    /// somebody who waits for it.
    fn usable(&self) -> Result<()> {
        let place = || self.place.to_string();
        match self.version()? {
            None => Err(ArchiveError::Missing(place())),
            Some(found) if found < VERSION => {
                Err(ArchiveError::Older { place: place(), found, known: VERSION })
            }
            Some(_) if self.is_loading()? => Err(ArchiveError::Unfinished(place())),
            Some(_) => Ok(()),
        }
    }

    /// Opens a store to put games in, and makes it if there is none.
    pub fn create(place: &Place) -> Result<Self> {
        if let Place::File(file) = place
            && let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty())
        {
            std::fs::create_dir_all(folder)
                .map_err(|error| ArchiveError::File { file: folder.into(), error })?;
        }
        let store = Self::connect(place)?;
        if store.version()?.is_none_or(|version| version < VERSION) {
            let _alone = store.alone()?;
            store.migrate()?;
        }
        Ok(store)
    }

    /// An empty store that is gone when it is dropped.
    pub(crate) fn in_memory() -> Result<Self> {
        let store = Self::connect(&Place::File(IN_MEMORY.into()))?;
        store.migrate()?;
        Ok(store)
    }

    /// A hash that changes when games are added.
    pub(crate) fn fingerprint(&self) -> Result<String> {
        let newest = "SELECT origin FROM games WHERE id = (SELECT max(id) FROM games)";
        let origin = self.rows(newest, &[])?.first().map(|row| row.text(0)).transpose()?.unwrap_or_default();
        let counts = ["games", "positions"].map(|what| self.meta(what));
        let [games, positions] = counts;
        Ok(Revision::default().with(format!("{:?} {:?} {origin}", games?, positions?)).to_string())
    }

    fn connect(place: &Place) -> Result<Self> {
        let backend = match place {
            Place::File(file) => Backend::Sqlite(Sqlite::open(file).map_err(|error| place.foreign(error))?),
            Place::Server(url) => Backend::Postgres(Box::new(Postgres::open(url)?)),
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
        .map_err(|error| self.place.foreign(error))?;
        if tables.is_empty() {
            return Ok(None);
        }
        let found =
            if tables.iter().any(|table| table == "archive_meta") { self.meta("version")? } else { None };
        let Some(version) = found.and_then(|text| text.parse().ok()) else {
            let found = format!("it has the tables {}", tables.join(", "));
            return Err(ArchiveError::Foreign { place, found });
        };
        if VERSION < version {
            return Err(ArchiveError::Newer { place, found: version, known: VERSION });
        }
        Ok(Some(version))
    }

    fn migrate(&self) -> Result<()> {
        self.transaction(|| {
            // Somebody else may have done it since.
            for text in schema::migrations_after(self.version()?.unwrap_or(0)) {
                self.batch(text)?;
            }
            self.set_meta("version", &VERSION.to_string())
        })
    }

    /// Nobody else may put games in as long as this is held; a program that is killed holds nothing.
    pub(crate) fn alone(&self) -> Result<Alone<'_>> {
        Alone::new(self)
    }

    /// Where it is.
    #[must_use]
    pub const fn place(&self) -> &Place {
        &self.place
    }

    /// A value that is kept under a name.
    pub(crate) fn meta(&self, name: &str) -> Result<Option<String>> {
        let rows = self.rows("SELECT value FROM archive_meta WHERE name = $1", &[name.into()])?;
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
    pub(crate) fn rows(&self, sql: &str, values: &[Value]) -> Result<Vec<Row<'static>>> {
        let mut rows = Vec::new();
        self.each(sql, values, |row| {
            rows.push(row.kept()?);
            Ok(true)
        })?;
        Ok(rows)
    }

    /// Visits the rows of an answer until the visitor says false.
    pub(crate) fn each(
        &self,
        sql: &str,
        values: &[Value],
        visit: impl FnMut(Row<'_>) -> Result<bool>,
    ) -> Result<()> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.each(sql, values, visit),
            Backend::Postgres(postgres) => postgres.each(sql, values, visit),
        }
    }

    /// The number in the first column of the first row, 0 if there is none.
    pub(crate) fn number(&self, sql: &str, values: &[Value]) -> Result<i64> {
        self.rows(sql, values)?.first().map_or(Ok(0), |row| row.whole_or(0, 0))
    }

    /// Runs one statement.
    pub(crate) fn execute(&self, sql: &str, values: &[Value]) -> Result<u64> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.execute(sql, values),
            Backend::Postgres(postgres) => postgres.execute(sql, values),
        }
    }

    /// Runs several statements without values, in the words of PostgreSQL.
    pub(crate) fn batch(&self, sql: &str) -> Result<()> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.batch(&schema::for_sqlite(sql)),
            Backend::Postgres(postgres) => postgres.batch(sql),
        }
    }

    /// Adds many rows to a table.
    pub(crate) fn insert_all(&self, table: &schema::Table, rows: &[Vec<Value>]) -> Result<()> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.insert_all(table, rows),
            Backend::Postgres(postgres) => postgres.insert_all(table, rows),
        }
    }

    /// Does everything or nothing.
    pub(crate) fn transaction<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.batch("BEGIN")?;
        let done = work().and_then(|value| self.batch("COMMIT").map(|()| value));
        if done.is_err() {
            // What went wrong first is what is told; SQLite may have ended the transaction by itself.
            let _ = self.batch("ROLLBACK");
        }
        done
    }

    /// How the database means to find the answer, a line for each part.
    pub(crate) fn plan(&self, sql: &str, values: &[Value]) -> Result<Vec<String>> {
        let (word, column) = match &self.backend {
            Backend::Sqlite(_) => ("EXPLAIN QUERY PLAN", 3),
            Backend::Postgres(_) => ("EXPLAIN", 0),
        };
        self.rows(&format!("{word} {sql}"), values)?.iter().map(|row| row.text(column)).collect()
    }

    /// The texts of the indexes for this database.
    pub(crate) fn index_texts(&self) -> impl Iterator<Item = (&'static str, &'static str, String)> {
        let sqlite = matches!(self.backend, Backend::Sqlite(_));
        INDEXES.iter().map(move |index| (index.name, index.what, index.create(sqlite)))
    }

    /// Whether it is a file of SQLite.
    pub(crate) const fn is_sqlite(&self) -> bool {
        matches!(self.backend, Backend::Sqlite(_))
    }

    /// What the whole store takes on disk, in bytes.
    pub fn size(&self) -> Result<u64> {
        match &self.place {
            Place::File(file) => Ok(size_of(file) + size_of(&beside(file, "-wal"))),
            Place::Server(_) => {
                Ok(self.number("SELECT pg_database_size(current_database())", &[])?.unsigned_abs())
            }
        }
    }

    /// Writes what lies beside the file into it, so that it is one file again.
    pub(crate) fn tidy(&self) -> Result<()> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.checkpoint(),
            Backend::Postgres(postgres) => postgres.batch("ANALYZE positions; ANALYZE games; ANALYZE common"),
        }
    }
}

/// A file with a longer name.
fn beside(file: &Path, end: &str) -> PathBuf {
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
        let place = Place::File(file.clone());
        assert!(matches!(Store::open(&place), Err(ArchiveError::Older { found: 1, .. })));
        let store = Store::create(&place).unwrap();
        assert_eq!(store.version().unwrap(), Some(VERSION));
        assert_eq!(store.number("SELECT count(*) FROM wins", &[]).unwrap(), 0);
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
        let place = Place::File(file.clone());
        let store = Store::create(&place).unwrap();
        assert!(store.is_loading().unwrap());
        assert!(matches!(Store::read(&place), Err(ArchiveError::Unfinished(_))));
        crate::import::import(&store, &[], &Default::default(), &Default::default(), &mut |_| ()).unwrap();
        let sql = "SELECT count(*) FROM sqlite_master WHERE name = 'by_piece' AND sql LIKE '%next%'";
        assert_eq!(store.number(sql, &[]).unwrap(), 1);
        assert!(Store::read(&place).is_ok());
        drop(store);
        for end in ["db", "db-wal", "db-shm", "db-import"] {
            let _ = std::fs::remove_file(file.with_extension(end));
        }
    }
}
