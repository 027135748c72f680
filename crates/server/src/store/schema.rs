//! The storage formats and the migrations between them. SQLite's `user_version` is the number of the format; a file
//! without tables has 0.
//!
//! - 1: one row per game, as one JSON text. Such files have no version number; they are recognised by their table.
//! - 2: the configuration, the current turn, the clocks and a summary in the columns of `games`, complete turns in
//!   `turns`, and games that could not be converted in `unreadable`.
//! - 3: like 2, with the current column names.
//! - 4: like 3, with the guest that has started a game in `owners`; games of the owner of the board have no row.

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::{StoreError, format1};

/// The format that this program reads and writes.
pub(super) const FORMAT: u32 = 4;

/// The migration from each format to the next.
const MIGRATIONS: [fn(&Transaction<'_>) -> rusqlite::Result<()>; FORMAT as usize] = [to_1, to_2, to_3, to_4];

/// Migrates a file to the current format, in one transaction.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(StoreError::Write)?;
    let found = format(&transaction)?;
    if found > FORMAT {
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

/// Checks that a file can be read without migration.
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
    )
}

/// Renames columns. Games of format 1 are converted here, directly to this format.
fn to_3(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    for (table, old, new) in [
        ("games", "created", "created_at"),
        ("games", "changed", "updated_at"),
        ("games", "change", "version"),
        ("games", "control", "time_control"),
        ("games", "origin_board", "start_board"),
        ("games", "origin_tag", "start_tag"),
        ("games", "running", "steps_played"),
        ("games", "used_ms", "elapsed_ms"),
        ("games", "problem", "error"),
        ("turns", "used_ms", "elapsed_ms"),
        ("unreadable", "created", "created_at"),
        ("unreadable", "changed", "updated_at"),
    ] {
        transaction.execute_batch(&format!("ALTER TABLE {table} RENAME COLUMN {old} TO {new}"))?;
    }
    transaction.execute_batch(
        "DROP INDEX games_changed;
         CREATE INDEX games_updated ON games (updated_at DESC, id);",
    )?;
    if transaction.table_exists(None, "games_1")? {
        format1::convert(transaction)?;
        transaction.execute_batch("DROP TABLE games_1")?;
    }
    Ok(())
}

fn to_4(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch(
        "CREATE TABLE owners (
             game TEXT PRIMARY KEY,
             owner TEXT NOT NULL
         ) STRICT, WITHOUT ROWID;
         CREATE INDEX owners_owner ON owners (owner);",
    )
}
