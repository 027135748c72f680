//! The stored games: one SQLite file.
//!
//! A change of a game is one transaction, which writes the columns that can change and the new turns, not the entire
//! game. The file is in WAL mode with `synchronous=NORMAL`: what was reported as stored survives a crash
//! of the program; a power failure may lose the last changes, but never leaves a partial one.
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

use rusqlite::{Connection, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params};

use read::{count, entry, invalid_value, stored_game, stored_turn};
use rows::Unsigned;
pub(crate) use rows::{ResultCount, StoredConfig, StoredEntry, StoredGame, StoredPlayer, StoredTurn};

/// The part of an id that errors quote, in characters.
const QUOTED_ID_LEN: usize = 40;

/// Why stored games cannot be read or changed.
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
        "the games are stored in format {found}, which requires a newer version of the program: expected at most {}",
        schema::FORMAT
    )]
    Newer { found: u32 },
    #[error(
        "the games are stored in format {found}: start once without --read-only to migrate them to format {}",
        schema::FORMAT
    )]
    Older { found: u32 },
    #[error("the stored games are unavailable after an internal error: restart the program")]
    Poisoned,
}

/// The database of games.
#[derive(Debug)]
pub(crate) struct GameStore {
    connection: Mutex<Connection>,
}

/// A change of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Change {
    /// The version of the game before it.
    pub(crate) expected_version: u64,
    /// The game after it.
    pub(crate) game: StoredGame,
    /// The number of turns before it, how many of those remain, and the new ones.
    pub(crate) turns_before: usize,
    pub(crate) turns_kept: usize,
    pub(crate) new_turns: Vec<StoredTurn>,
}

impl GameStore {
    /// Opens the file, creating or migrating it as needed.
    pub(crate) fn open(file: &Path) -> Result<Self, StoreError> {
        let mut connection = Connection::open(file).map_err(StoreError::Read)?;
        connection.pragma_update(None, "journal_mode", "WAL").map_err(StoreError::Write)?;
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(StoreError::Write)?;
        schema::migrate(&mut connection)?;
        Ok(Self { connection: Mutex::new(connection) })
    }

    /// Opens a file read-only; another program may be writing to it.
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
        let result = work(&transaction)?;
        transaction.commit().map_err(StoreError::Write)?;
        Ok(result)
    }

    /// Stores a new game, which may have turns already, and the guest that has started it.
    pub(crate) fn insert(
        &self,
        game: &StoredGame,
        turns: &[StoredTurn],
        guest: Option<&str>,
        now: i64,
    ) -> Result<(), StoreError> {
        self.write(|transaction| {
            write::insert(transaction, game, now).map_err(StoreError::Write)?;
            if let Some(guest) = guest {
                let statement = "INSERT INTO owners (game, owner) VALUES (?, ?)";
                transaction.execute(statement, [&*game.id, guest]).map_err(StoreError::Write)?;
            }
            write::append(transaction, &game.id, 0, turns).map_err(StoreError::Write)
        })
    }

    /// The guest that has started a game.
    pub(crate) fn guest(&self, id: &str) -> Result<Option<String>, StoreError> {
        let statement = "SELECT owner FROM owners WHERE game = ?";
        let found = self.lock()?.query_row(statement, [id], |row| row.get(0)).optional();
        found.map_err(StoreError::Read)
    }

    /// The number of finished games between a person and an engine, by result, of all clients or of one guest. Games that
    /// started from a position or with missing pieces do not count.
    pub(crate) fn results(&self, guest: Option<&str>) -> Result<Vec<ResultCount>, StoreError> {
        let connection = self.lock()?;
        let read = || {
            let mut statement = connection.prepare(
                "SELECT gold_name, gold_seconds, silver_name, winner, count(*) FROM games
                 WHERE reason IS NOT NULL AND error IS NULL AND start_board IS NULL
                     AND gold_handicap = '' AND silver_handicap = ''
                     AND (gold_seconds IS NULL) <> (silver_seconds IS NULL)
                     AND (?1 IS NULL OR id IN (SELECT game FROM owners WHERE owner = ?1))
                 GROUP BY gold_name, gold_seconds IS NULL, silver_name, winner",
            )?;
            statement.query_map([guest], read::result_count)?.collect::<rusqlite::Result<Vec<_>>>()
        };
        read().map_err(StoreError::Read)
    }

    /// Stores a change atomically.
    pub(crate) fn update(&self, change: &Change, now: i64) -> Result<(), StoreError> {
        let id = &change.game.id;
        self.write(|transaction| {
            if !write::update(transaction, change.expected_version, &change.game, now)
                .map_err(StoreError::Write)?
            {
                return Err(StoreError::Conflict(id.clone()));
            }
            if change.turns_kept < change.turns_before {
                write::truncate(transaction, id, change.turns_kept).map_err(StoreError::Write)?;
            }
            write::append(transaction, id, change.turns_kept, &change.new_turns).map_err(StoreError::Write)
        })
    }

    /// A game and its complete turns.
    pub(crate) fn load(&self, id: &str) -> Result<(StoredGame, Vec<StoredTurn>), StoreError> {
        let unreadable = |reason| StoreError::Unreadable { id: id.into(), reason };
        let connection = self.lock()?;
        let unconverted: Option<String> = connection
            .query_row("SELECT reason FROM unreadable WHERE id = ?", [id], |row| row.get(0))
            .optional()
            .map_err(StoreError::Read)?;
        if let Some(reason) = unconverted {
            return Err(unreadable(reason));
        }
        let read = || {
            let game =
                connection.query_row("SELECT * FROM games WHERE id = ?", [id], stored_game).optional()?;
            let Some(game) = game else { return Ok(None) };
            let mut statement = connection.prepare(
                "SELECT text, elapsed_ms, gold_ms, silver_ms FROM turns WHERE game = ? ORDER BY number",
            )?;
            let turns = statement.query_map([id], stored_turn)?.collect::<rusqlite::Result<Vec<_>>>()?;
            Ok(Some((game, turns)))
        };
        match read() {
            Ok(found) => found.ok_or_else(|| StoreError::Missing(quoted(id))),
            Err(error) => Err(invalid_value(&error).map_or(StoreError::Read(error), unreadable)),
        }
    }

    /// Records why a game could not be replayed, for the list. The game itself is kept unchanged.
    pub(crate) fn mark_unreadable(&self, id: &str, reason: &str) -> Result<(), StoreError> {
        let statement = "UPDATE games SET error = ? WHERE id = ?";
        self.lock()?.execute(statement, [reason, id]).map(drop).map_err(StoreError::Write)
    }

    /// One page of the games of all clients or of one guest, the most recently changed first, and their number.
    pub(crate) fn list(
        &self,
        guest: Option<&str>,
        limit: u32,
        offset: u32,
    ) -> Result<(Vec<StoredEntry>, u64), StoreError> {
        let connection = self.lock()?;
        let read = || {
            let mut statement = connection.prepare(
                "SELECT id, created_at, updated_at, error, gold_name, gold_seconds, silver_name, silver_seconds, board,
                     tag, winner, reason FROM games
                     WHERE ?1 IS NULL OR id IN (SELECT game FROM owners WHERE owner = ?1)
                 UNION ALL
                 SELECT id, created_at, updated_at, reason, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM unreadable
                     WHERE ?1 IS NULL
                 ORDER BY updated_at DESC, id LIMIT ?2 OFFSET ?3",
            )?;
            let entries = statement
                .query_map(params![guest, limit, offset], entry)?
                .collect::<rusqlite::Result<Vec<_>>>()?;
            let owned = "SELECT count(*) FROM owners WHERE owner = ?";
            let total = match guest {
                None => count(&connection)?,
                Some(guest) => {
                    connection.query_row(owned, [guest], |row| Ok(row.get::<_, Unsigned>(0)?.0))?
                }
            };
            Ok((entries, total))
        };
        read().map_err(StoreError::Read)
    }

    /// The number of games, including unreadable ones.
    pub(crate) fn count(&self) -> Result<u64, StoreError> {
        count(&*self.lock()?).map_err(StoreError::Read)
    }

    /// Deletes a game, readable or not.
    pub(crate) fn delete(&self, id: &str) -> Result<(), StoreError> {
        self.write(|transaction| {
            let delete = || {
                transaction.execute("DELETE FROM turns WHERE game = ?", [id])?;
                transaction.execute("DELETE FROM owners WHERE game = ?", [id])?;
                Ok(transaction.execute("DELETE FROM games WHERE id = ?", [id])?
                    + transaction.execute("DELETE FROM unreadable WHERE id = ?", [id])?)
            };
            match delete().map_err(StoreError::Write)? {
                0 => Err(StoreError::Missing(quoted(id))),
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

/// The part of an arbitrary id that an error quotes.
fn quoted(id: &str) -> String {
    id.chars().filter(|letter| !letter.is_control()).take(QUOTED_ID_LEN).collect()
}
