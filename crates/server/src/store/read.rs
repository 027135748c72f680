//! Reading rows.

use rusqlite::{Connection, Row};
use surus_rules::{GameResult, Side};

use super::rows::{
    ReasonName, ResultCount, StoredConfig, StoredEntry, StoredGame, StoredPlayer, StoredTurn, Summary,
    Unsigned, Winner,
};

pub(super) fn count(connection: &Connection) -> rusqlite::Result<u64> {
    let statement = "SELECT (SELECT count(*) FROM games) + (SELECT count(*) FROM unreadable)";
    connection.query_row(statement, [], |row| Ok(row.get::<_, Unsigned>(0)?.0))
}

pub(super) fn stored_game(row: &Row<'_>) -> rusqlite::Result<StoredGame> {
    let board: Option<String> = row.get("start_board")?;
    let tag: Option<String> = row.get("start_tag")?;
    Ok(StoredGame {
        id: row.get("id")?,
        created_at: row.get("created_at")?,
        version: row.get::<_, Unsigned>("version")?.0,
        config: StoredConfig {
            gold: StoredPlayer::from_columns(row.get("gold_name")?, row.get("gold_seconds")?),
            silver: StoredPlayer::from_columns(row.get("silver_name")?, row.get("silver_seconds")?),
            time_control: row.get("time_control")?,
            handicaps: [row.get("gold_handicap")?, row.get("silver_handicap")?],
            start: board.zip(tag),
        },
        steps_played: row.get("steps_played")?,
        redo: row.get("redo")?,
        elapsed_ms: row.get::<_, Unsigned>("elapsed_ms")?.0,
        reserves_ms: [row.get::<_, Unsigned>("gold_ms")?.0, row.get::<_, Unsigned>("silver_ms")?.0],
        board: row.get("board")?,
        tag: row.get("tag")?,
        result: game_result(row)?,
    })
}

pub(super) fn stored_turn(row: &Row<'_>) -> rusqlite::Result<StoredTurn> {
    Ok(StoredTurn {
        text: row.get("text")?,
        elapsed_ms: row.get::<_, Unsigned>("elapsed_ms")?.0,
        reserves_ms: [row.get::<_, Unsigned>("gold_ms")?.0, row.get::<_, Unsigned>("silver_ms")?.0],
    })
}

pub(super) fn result_count(row: &Row<'_>) -> rusqlite::Result<ResultCount> {
    let gold_seconds: Option<u32> = row.get(1)?;
    let winner: Option<Winner> = row.get(3)?;
    let (engine, human) =
        if gold_seconds.is_some() { (row.get(0)?, Side::Silver) } else { (row.get(2)?, Side::Gold) };
    Ok(ResultCount {
        engine,
        won: winner.map(|Winner(side)| side == human),
        games: row.get::<_, Unsigned>(4)?.0,
    })
}

fn game_result(row: &Row<'_>) -> rusqlite::Result<Option<GameResult>> {
    let (winner, reason): (Option<Winner>, Option<ReasonName>) = (row.get("winner")?, row.get("reason")?);
    Ok(reason.map(|ReasonName(reason)| GameResult { winner: winner.map(|Winner(side)| side), reason }))
}

pub(super) fn entry(row: &Row<'_>) -> rusqlite::Result<StoredEntry> {
    let (id, created_at, updated_at): (String, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let error: Option<String> = row.get("error")?;
    if let Some(reason) = error {
        return Ok(StoredEntry::Unreadable { id, created_at, updated_at, reason });
    }
    let summary = || {
        Ok(Summary {
            id: id.clone(),
            created_at,
            updated_at,
            gold: StoredPlayer::from_columns(row.get("gold_name")?, row.get("gold_seconds")?),
            silver: StoredPlayer::from_columns(row.get("silver_name")?, row.get("silver_seconds")?),
            board: row.get("board")?,
            tag: row.get("tag")?,
            result: game_result(row)?,
        })
    };
    match summary() {
        Ok(summary) => Ok(StoredEntry::Game(Box::new(summary))),
        Err(error) => match invalid_value(&error) {
            Some(reason) => Ok(StoredEntry::Unreadable { id, created_at, updated_at, reason }),
            None => Err(error),
        },
    }
}

/// The message of an error that is about the value of a column.
pub(super) fn invalid_value(error: &rusqlite::Error) -> Option<String> {
    use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType};
    matches!(error, FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..))
        .then(|| error.to_string())
}
