//! Rows as they are read.

use rusqlite::{Connection, Row};
use surus_rules::GameResult;

use super::rows::{
    Listed, ReasonName, StoredGame, StoredPlayer, StoredTerms, StoredTurn, Summary, Whole, Winner,
};

pub(super) fn count(connection: &Connection) -> rusqlite::Result<u64> {
    let statement = "SELECT (SELECT count(*) FROM games) + (SELECT count(*) FROM unreadable)";
    connection.query_row(statement, [], |row| Ok(row.get::<_, Whole>(0)?.0))
}

pub(super) fn stored_game(row: &Row<'_>) -> rusqlite::Result<StoredGame> {
    let board: Option<String> = row.get("origin_board")?;
    let tag: Option<String> = row.get("origin_tag")?;
    Ok(StoredGame {
        id: row.get("id")?,
        created: row.get("created")?,
        change: row.get::<_, Whole>("change")?.0,
        terms: StoredTerms {
            gold: StoredPlayer::from_columns(row.get("gold_name")?, row.get("gold_seconds")?),
            silver: StoredPlayer::from_columns(row.get("silver_name")?, row.get("silver_seconds")?),
            control: row.get("control")?,
            handicaps: [row.get("gold_handicap")?, row.get("silver_handicap")?],
            origin: board.zip(tag),
        },
        running: row.get("running")?,
        redo: row.get("redo")?,
        used_ms: row.get::<_, Whole>("used_ms")?.0,
        reserves_ms: [row.get::<_, Whole>("gold_ms")?.0, row.get::<_, Whole>("silver_ms")?.0],
        board: row.get("board")?,
        tag: row.get("tag")?,
        ending: ending(row)?,
    })
}

pub(super) fn stored_turn(row: &Row<'_>) -> rusqlite::Result<StoredTurn> {
    Ok(StoredTurn {
        text: row.get("text")?,
        used_ms: row.get::<_, Whole>("used_ms")?.0,
        reserves_ms: [row.get::<_, Whole>("gold_ms")?.0, row.get::<_, Whole>("silver_ms")?.0],
    })
}

fn ending(row: &Row<'_>) -> rusqlite::Result<Option<GameResult>> {
    let (winner, reason): (Option<Winner>, Option<ReasonName>) = (row.get("winner")?, row.get("reason")?);
    Ok(reason.map(|ReasonName(reason)| GameResult { winner: winner.map(|Winner(side)| side), reason }))
}

pub(super) fn listed(row: &Row<'_>) -> rusqlite::Result<Listed> {
    let (id, created, changed): (String, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let problem: Option<String> = row.get("problem")?;
    if let Some(reason) = problem {
        return Ok(Listed::Unreadable { id, created, changed, reason });
    }
    let summary = || {
        Ok(Summary {
            id: id.clone(),
            created,
            changed,
            gold: StoredPlayer::from_columns(row.get("gold_name")?, row.get("gold_seconds")?),
            silver: StoredPlayer::from_columns(row.get("silver_name")?, row.get("silver_seconds")?),
            board: row.get("board")?,
            tag: row.get("tag")?,
            ending: ending(row)?,
        })
    };
    match summary() {
        Ok(summary) => Ok(Listed::Game(Box::new(summary))),
        Err(error) => match invalid_value(&error) {
            Some(reason) => Ok(Listed::Unreadable { id, created, changed, reason }),
            None => Err(error),
        },
    }
}

/// What is wrong with the value of a column, if that is what an error is about.
pub(super) fn invalid_value(error: &rusqlite::Error) -> Option<String> {
    use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType};
    matches!(error, FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..))
        .then(|| error.to_string())
}
