//! The storage formats of the games, and the migrations between them. SQLite's `user_version` is the number of the
//! format; a file without tables has 0.
//!
//! - 1: one row for each game, all of it in one JSON text. Files of that time have no number; they are known by their
//!   table.
//! - 2: terms, running turn, clocks and a summary in the columns of `games`, finished turns in `turns`, and what could
//!   not be converted in `unreadable`, as it was.

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::{StoreError, format1};

/// The format that this program reads and writes.
pub(super) const FORMAT: u32 = 2;

/// The step from each format to the next.
const MIGRATIONS: [fn(&Transaction<'_>) -> rusqlite::Result<()>; FORMAT as usize] = [to_1, to_2];

/// Brings a file to today's format, in one transaction.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(StoreError::Write)?;
    let found = format(&transaction)?;
    if FORMAT < found {
        return Err(StoreError::Newer { found });
    }
    for migration in &MIGRATIONS[found as usize..] {
        migration(&transaction).map_err(StoreError::Write)?;
    }
    if found < FORMAT {
        transaction.pragma_update(None, "user_version", FORMAT).map_err(StoreError::Write)?;
    }
    transaction.commit().map_err(StoreError::Write)
}

/// Whether a file can be read as it is.
pub(super) fn check(connection: &Connection) -> Result<(), StoreError> {
    match format(connection)? {
        FORMAT => Ok(()),
        found if found < FORMAT => Err(StoreError::Older { found }),
        found => Err(StoreError::Newer { found }),
    }
}

fn format(connection: &Connection) -> Result<u32, StoreError> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(StoreError::Read)
}

fn to_1(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch(
        "CREATE TABLE IF NOT EXISTS games (
             id TEXT PRIMARY KEY,
             created INTEGER NOT NULL,
             changed INTEGER NOT NULL,
             game TEXT NOT NULL
         ) STRICT;",
    )
}

fn to_2(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch(
        "ALTER TABLE games RENAME TO games_1;
         DROP INDEX IF EXISTS games_changed;
         CREATE TABLE games (
             id TEXT PRIMARY KEY,
             created INTEGER NOT NULL,
             changed INTEGER NOT NULL,
             change INTEGER NOT NULL,
             gold_name TEXT NOT NULL,
             gold_seconds INTEGER,
             silver_name TEXT NOT NULL,
             silver_seconds INTEGER,
             control TEXT,
             gold_handicap TEXT NOT NULL,
             silver_handicap TEXT NOT NULL,
             origin_board TEXT,
             origin_tag TEXT,
             running TEXT NOT NULL,
             redo TEXT NOT NULL,
             used_ms INTEGER NOT NULL,
             gold_ms INTEGER NOT NULL,
             silver_ms INTEGER NOT NULL,
             board TEXT NOT NULL,
             tag TEXT NOT NULL,
             winner TEXT,
             reason TEXT,
             problem TEXT
         ) STRICT;
         CREATE INDEX games_changed ON games (changed DESC, id);
         CREATE TABLE turns (
             game TEXT NOT NULL,
             number INTEGER NOT NULL,
             text TEXT NOT NULL,
             used_ms INTEGER NOT NULL,
             gold_ms INTEGER NOT NULL,
             silver_ms INTEGER NOT NULL,
             PRIMARY KEY (game, number)
         ) STRICT, WITHOUT ROWID;
         CREATE TABLE unreadable (
             id TEXT PRIMARY KEY,
             created INTEGER NOT NULL,
             changed INTEGER NOT NULL,
             format INTEGER NOT NULL,
             data TEXT NOT NULL,
             reason TEXT NOT NULL
         ) STRICT;",
    )?;
    format1::convert(transaction)?;
    transaction.execute_batch("DROP TABLE games_1;")
}
