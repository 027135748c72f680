//! The stored games: one SQLite file.
//!
//! A change of a game is one transaction, which writes the columns of its row that change and the turns that are new,
//! not the whole game. The file is in WAL mode with `synchronous=NORMAL`: what was reported as stored survives a crash
//! of the program; a power failure may lose the last changes, but never leaves half of one.
//!
//! All methods block: call them through a [`crate::blocking::Pool`].

mod format1;
mod read;
mod rows;
mod schema;
#[cfg(test)]
mod tests;
mod write;

use std::path::Path;
use std::sync::{Mutex, MutexGuard};

use rusqlite::{Connection, OpenFlags, OptionalExtension, Transaction, TransactionBehavior};

use read::{count, invalid_value, listed, stored_game, stored_turn};
pub(crate) use rows::{Listed, StoredGame, StoredPlayer, StoredTerms, StoredTurn};

/// Why stored games can't be had or changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    #[error("the games cannot be read: {0}")]
    Read(rusqlite::Error),
    #[error("the change cannot be stored: {0}")]
    Write(rusqlite::Error),
    #[error("there is no game '{0}'")]
    Missing(String),
    #[error("the stored game '{id}' cannot be read: {reason}")]
    Unreadable { id: String, reason: String },
    #[error("the change cannot be stored: game '{0}' was deleted or changed elsewhere")]
    Conflict(String),
    #[error(
        "the games are stored in format {found}, which needs a newer program: expected at most {}",
        schema::FORMAT
    )]
    Newer { found: u32 },
    #[error(
        "the games are stored in format {found}: start once without --read-only to convert them to {}",
        schema::FORMAT
    )]
    Older { found: u32 },
    #[error("an earlier failure while storing games makes them unavailable: start the program again")]
    Poisoned,
}

/// The file of games.
#[derive(Debug)]
pub(crate) struct Store {
    connection: Mutex<Connection>,
}

/// What a change of a game writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Change {
    /// The number of the change that it follows.
    pub(crate) expected: u64,
    /// The game after it.
    pub(crate) game: StoredGame,
    /// How many turns there were before it, how many of those remain, and which are new.
    pub(crate) turns_before: usize,
    pub(crate) turns_kept: usize,
    pub(crate) new_turns: Vec<StoredTurn>,
}

impl Store {
    /// Opens the file, creates it if there is none, and converts it if it is in an older format.
    pub(crate) fn open(file: &Path) -> Result<Self, StoreError> {
        let mut connection = Connection::open(file).map_err(StoreError::Read)?;
        connection.pragma_update(None, "journal_mode", "WAL").map_err(StoreError::Write)?;
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(StoreError::Write)?;
        schema::migrate(&mut connection)?;
        Ok(Self { connection: Mutex::new(connection) })
    }

    /// Opens a file that another program may be writing, only to read.
    pub(crate) fn open_read_only(file: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(file, flags).map_err(StoreError::Read)?;
        schema::check(&connection)?;
        Ok(Self { connection: Mutex::new(connection) })
    }

    fn lock(&self) -> Result<MutexGuard<'_, Connection>, StoreError> {
        self.connection.lock().map_err(|_| StoreError::Poisoned)
    }

    fn write<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut connection = self.lock()?;
        let transaction = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(StoreError::Write)?;
        let done = work(&transaction)?;
        transaction.commit().map_err(StoreError::Write)?;
        Ok(done)
    }

    /// Stores a new game.
    pub(crate) fn insert(&self, game: &StoredGame, now: i64) -> Result<(), StoreError> {
        self.write(|transaction| write::insert(transaction, game, now).map_err(StoreError::Write))
    }

    /// Stores a change, all of it or nothing.
    pub(crate) fn update(&self, change: &Change, now: i64) -> Result<(), StoreError> {
        let id = &change.game.id;
        self.write(|transaction| {
            if !write::update(transaction, change.expected, &change.game, now).map_err(StoreError::Write)? {
                return Err(StoreError::Conflict(id.clone()));
            }
            if change.turns_kept < change.turns_before {
                write::truncate(transaction, id, change.turns_kept).map_err(StoreError::Write)?;
            }
            write::append(transaction, id, change.turns_kept, &change.new_turns).map_err(StoreError::Write)
        })
    }

    /// A game and its finished turns.
    pub(crate) fn load(&self, id: &str) -> Result<(StoredGame, Vec<StoredTurn>), StoreError> {
        let unreadable = |reason| StoreError::Unreadable { id: id.into(), reason };
        let connection = self.lock()?;
        let original: Option<String> = connection
            .query_row("SELECT reason FROM unreadable WHERE id = ?", [id], |row| row.get(0))
            .optional()
            .map_err(StoreError::Read)?;
        if let Some(reason) = original {
            return Err(unreadable(reason));
        }
        let read = || {
            let game =
                connection.query_row("SELECT * FROM games WHERE id = ?", [id], stored_game).optional()?;
            let Some(game) = game else { return Ok(None) };
            let mut statement = connection.prepare(
                "SELECT text, used_ms, gold_ms, silver_ms FROM turns WHERE game = ? ORDER BY number",
            )?;
            let turns = statement.query_map([id], stored_turn)?.collect::<rusqlite::Result<Vec<_>>>()?;
            Ok(Some((game, turns)))
        };
        match read() {
            Ok(found) => found.ok_or_else(|| StoreError::Missing(short(id))),
            Err(error) => Err(invalid_value(&error).map_or(StoreError::Read(error), unreadable)),
        }
    }

    /// Notes why a game could not be replayed, so that the list says so; the game itself stays as it is.
    pub(crate) fn note_problem(&self, id: &str, reason: &str) -> Result<(), StoreError> {
        let statement = "UPDATE games SET problem = ? WHERE id = ?";
        self.lock()?.execute(statement, [reason, id]).map(drop).map_err(StoreError::Write)
    }

    /// The games that changed last, and how many there are.
    pub(crate) fn list(&self, most: u32, skip: u32) -> Result<(Vec<Listed>, u64), StoreError> {
        let connection = self.lock()?;
        let read = || {
            let mut statement = connection.prepare(
                "SELECT id, created, changed, problem, gold_name, gold_seconds, silver_name, silver_seconds, board, tag,
                     winner, reason FROM games
                 UNION ALL
                 SELECT id, created, changed, reason, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM unreadable
                 ORDER BY changed DESC, id LIMIT ? OFFSET ?",
            )?;
            let found = statement.query_map([most, skip], listed)?.collect::<rusqlite::Result<Vec<_>>>()?;
            Ok((found, count(&connection)?))
        };
        read().map_err(StoreError::Read)
    }

    /// How many games there are, unreadable ones included.
    pub(crate) fn count(&self) -> Result<u64, StoreError> {
        count(&*self.lock()?).map_err(StoreError::Read)
    }

    /// Deletes a game, readable or not.
    pub(crate) fn delete(&self, id: &str) -> Result<(), StoreError> {
        self.write(|transaction| {
            let delete = || {
                transaction.execute("DELETE FROM turns WHERE game = ?", [id])?;
                Ok(transaction.execute("DELETE FROM games WHERE id = ?", [id])?
                    + transaction.execute("DELETE FROM unreadable WHERE id = ?", [id])?)
            };
            match delete().map_err(StoreError::Write)? {
                0 => Err(StoreError::Missing(short(id))),
                _ => Ok(()),
            }
        })
    }

    /// The connection, for tests that damage the file.
    #[cfg(test)]
    pub(crate) fn raw(&self) -> MutexGuard<'_, Connection> {
        self.lock().unwrap()
    }
}

/// What a sentence quotes of an id that may be anything.
fn short(id: &str) -> String {
    id.chars().filter(|letter| !letter.is_control()).take(40).collect()
}
