//! The games that are kept: one SQLite file.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension, params};

use crate::live::{Kept, Live};

/// The file of games.
#[derive(Debug)]
pub(crate) struct Store {
    connection: Mutex<Connection>,
}

/// A game as it was read.
pub(crate) struct Row {
    pub(crate) live: Live,
    pub(crate) changed: i64,
}

impl Store {
    /// Opens the file, and makes it if there is none.
    pub(crate) fn open(file: &Path) -> Result<Self, rusqlite::Error> {
        let connection = Connection::open(file)?;
        // A crash of the program loses nothing in this mode, and a change waits for no disk.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.execute_batch(
            "CREATE TABLE IF NOT EXISTS games (
                 id TEXT PRIMARY KEY,
                 created INTEGER NOT NULL,
                 changed INTEGER NOT NULL,
                 game TEXT NOT NULL
             ) STRICT;
             CREATE INDEX IF NOT EXISTS games_changed ON games (changed);",
        )?;
        Ok(Self { connection: Mutex::new(connection) })
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        // Every use is one statement, so a panic in another thread leaves nothing half done.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a game as it is now.
    pub(crate) fn keep(&self, live: &Live, created: i64, now: i64) -> Result<(), rusqlite::Error> {
        let text = serde_json::to_string(&live.kept()).unwrap_or_default();
        self.lock().execute(
            "INSERT INTO games (id, created, changed, game) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (id) DO UPDATE SET changed = ?3, game = ?4",
            params![live.id, created, now, text],
        )?;
        Ok(())
    }

    /// A game by its name.
    pub(crate) fn load(&self, id: &str) -> Result<Option<Row>, rusqlite::Error> {
        let row = self
            .lock()
            .query_row("SELECT created, changed, game FROM games WHERE id = ?1", [id], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?))
            })
            .optional()?;
        Ok(row.and_then(|(created, changed, text)| read(id.into(), created, changed, &text)))
    }

    /// The games that changed last.
    pub(crate) fn list(&self, most: u32, skip: u32) -> Result<(Vec<Row>, u64), rusqlite::Error> {
        let connection = self.lock();
        let total: i64 = connection.query_row("SELECT count(*) FROM games", [], |row| row.get(0))?;
        let mut statement = connection.prepare(
            "SELECT id, created, changed, game FROM games ORDER BY changed DESC LIMIT ?1 OFFSET ?2",
        )?;
        let rows = statement.query_map([most, skip], |row| {
            Ok((row.get::<_, String>(0)?, row.get(1)?, row.get(2)?, row.get::<_, String>(3)?))
        })?;
        let mut found = Vec::new();
        for row in rows {
            let (id, created, changed, text) = row?;
            found.extend(read(id, created, changed, &text));
        }
        Ok((found, total.unsigned_abs()))
    }

    /// How many games there are.
    pub(crate) fn count(&self) -> Result<u64, rusqlite::Error> {
        let total: i64 = self.lock().query_row("SELECT count(*) FROM games", [], |row| row.get(0))?;
        Ok(total.unsigned_abs())
    }

    /// Forgets a game; whether there was one.
    pub(crate) fn delete(&self, id: &str) -> Result<bool, rusqlite::Error> {
        Ok(self.lock().execute("DELETE FROM games WHERE id = ?1", [id])? != 0)
    }
}

/// A row that nobody can read any more is passed over, so that one game never hides the others.
fn read(id: String, created: i64, changed: i64, text: &str) -> Option<Row> {
    let kept: Kept = serde_json::from_str(text).ok()?;
    Some(Row { live: Live::resume(id, kept, created).ok()?, changed })
}
