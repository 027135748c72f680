//! The statements that write.

use rusqlite::{Connection, params};

use super::rows::{ReasonName, StoredGame, StoredTurn, Whole, Winner};

/// A new row of `games`.
pub(super) fn insert(connection: &Connection, game: &StoredGame, changed: i64) -> rusqlite::Result<()> {
    let (gold, gold_seconds) = game.terms.gold.columns();
    let (silver, silver_seconds) = game.terms.silver.columns();
    let [gold_handicap, silver_handicap] = &game.terms.handicaps;
    let origin = game.terms.origin.as_ref();
    connection.execute(
        "INSERT INTO games (id, created, changed, change, gold_name, gold_seconds, silver_name, silver_seconds, control,
             gold_handicap, silver_handicap, origin_board, origin_tag, running, redo, used_ms, gold_ms, silver_ms,
             board, tag, winner, reason)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        params![
            game.id,
            game.created,
            changed,
            Whole(game.change),
            gold,
            gold_seconds,
            silver,
            silver_seconds,
            game.terms.control,
            gold_handicap,
            silver_handicap,
            origin.map(|(board, _)| board),
            origin.map(|(_, tag)| tag),
            game.running,
            game.redo,
            Whole(game.used_ms),
            Whole(game.reserves_ms[0]),
            Whole(game.reserves_ms[1]),
            game.board,
            game.tag,
            game.ending.and_then(|ending| ending.winner).map(Winner),
            game.ending.map(|ending| ReasonName(ending.reason)),
        ],
    )?;
    Ok(())
}

/// The columns of `games` that a change touches; whether the row was there, at the change that was expected.
pub(super) fn update(
    connection: &Connection,
    expected: u64,
    game: &StoredGame,
    changed: i64,
) -> rusqlite::Result<bool> {
    let rows = connection.execute(
        "UPDATE games SET changed = ?, change = ?, running = ?, redo = ?, used_ms = ?, gold_ms = ?, silver_ms = ?,
             board = ?, tag = ?, winner = ?, reason = ?, problem = NULL
         WHERE id = ? AND change = ?",
        params![
            changed,
            Whole(game.change),
            game.running,
            game.redo,
            Whole(game.used_ms),
            Whole(game.reserves_ms[0]),
            Whole(game.reserves_ms[1]),
            game.board,
            game.tag,
            game.ending.and_then(|ending| ending.winner).map(Winner),
            game.ending.map(|ending| ReasonName(ending.reason)),
            game.id,
            Whole(expected),
        ],
    )?;
    Ok(rows == 1)
}

/// Adds turns behind the first `from`.
pub(super) fn append(
    connection: &Connection,
    id: &str,
    from: usize,
    turns: &[StoredTurn],
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO turns (game, number, text, used_ms, gold_ms, silver_ms) VALUES (?, ?, ?, ?, ?, ?)",
    )?;
    for (number, turn) in (from + 1..).zip(turns) {
        let [gold, silver] = turn.reserves_ms;
        statement.execute(params![
            id,
            Whole(number as u64),
            turn.text,
            Whole(turn.used_ms),
            Whole(gold),
            Whole(silver)
        ])?;
    }
    Ok(())
}

/// Removes the turns behind the first `kept`.
pub(super) fn truncate(connection: &Connection, id: &str, kept: usize) -> rusqlite::Result<()> {
    connection
        .execute("DELETE FROM turns WHERE game = ? AND ? < number", params![id, Whole(kept as u64)])
        .map(drop)
}
