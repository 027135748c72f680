//! Writing rows.

use rusqlite::{Connection, params};

use super::rows::{ReasonName, StoredGame, StoredTurn, Unsigned, Winner};

/// A new row of `games`.
pub(super) fn insert(connection: &Connection, game: &StoredGame, updated_at: i64) -> rusqlite::Result<()> {
    let (gold, gold_seconds) = game.config.gold.columns();
    let (silver, silver_seconds) = game.config.silver.columns();
    let [gold_handicap, silver_handicap] = &game.config.handicaps;
    let start = game.config.start.as_ref();
    connection.execute(
        "INSERT INTO games (id, created_at, updated_at, version, gold_name, gold_seconds, silver_name, silver_seconds,
             time_control, gold_handicap, silver_handicap, start_board, start_tag, steps_played, redo, elapsed_ms, gold_ms,
             silver_ms, board, tag, winner, reason)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        params![
            game.id,
            game.created_at,
            updated_at,
            Unsigned(game.version),
            gold,
            gold_seconds,
            silver,
            silver_seconds,
            game.config.time_control,
            gold_handicap,
            silver_handicap,
            start.map(|(board, _)| board),
            start.map(|(_, tag)| tag),
            game.steps_played,
            game.redo,
            Unsigned(game.elapsed_ms),
            Unsigned(game.reserves_ms[0]),
            Unsigned(game.reserves_ms[1]),
            game.board,
            game.tag,
            game.result.and_then(|result| result.winner).map(Winner),
            game.result.map(|result| ReasonName(result.reason)),
        ],
    )?;
    Ok(())
}

/// Updates the columns of `games` that can change. Returns whether the row exists in the expected version.
pub(super) fn update(
    connection: &Connection,
    expected_version: u64,
    game: &StoredGame,
    updated_at: i64,
) -> rusqlite::Result<bool> {
    let rows = connection.execute(
        "UPDATE games SET updated_at = ?, version = ?, steps_played = ?, redo = ?, elapsed_ms = ?, gold_ms = ?,
             silver_ms = ?, board = ?, tag = ?, winner = ?, reason = ?, error = NULL
         WHERE id = ? AND version = ?",
        params![
            updated_at,
            Unsigned(game.version),
            game.steps_played,
            game.redo,
            Unsigned(game.elapsed_ms),
            Unsigned(game.reserves_ms[0]),
            Unsigned(game.reserves_ms[1]),
            game.board,
            game.tag,
            game.result.and_then(|result| result.winner).map(Winner),
            game.result.map(|result| ReasonName(result.reason)),
            game.id,
            Unsigned(expected_version),
        ],
    )?;
    Ok(rows == 1)
}

/// Adds turns after the first `from`.
pub(super) fn append(
    connection: &Connection,
    id: &str,
    from: usize,
    turns: &[StoredTurn],
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO turns (game, number, text, elapsed_ms, gold_ms, silver_ms) VALUES (?, ?, ?, ?, ?, ?)",
    )?;
    for (number, turn) in (from + 1..).zip(turns) {
        let [gold, silver] = turn.reserves_ms;
        statement.execute(params![
            id,
            Unsigned(number as u64),
            turn.text,
            Unsigned(turn.elapsed_ms),
            Unsigned(gold),
            Unsigned(silver)
        ])?;
    }
    Ok(())
}

/// Removes all turns except the first `remaining`.
pub(super) fn truncate(connection: &Connection, id: &str, remaining: usize) -> rusqlite::Result<()> {
    connection
        .execute("DELETE FROM turns WHERE game = ? AND number > ?", params![id, Unsigned(remaining as u64)])
        .map(drop)
}
