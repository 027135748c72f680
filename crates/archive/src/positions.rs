//! Every stored position, one after the other.

use surus_rules::Board;

use crate::error::{ArchiveError, Result};
use crate::pack::{SetupOrTurn, unpack_board, unpack_played};
use crate::rank::{PositionAttributes, PositionId, Rank};
use crate::store::{ArchiveDb, DbRow, Value};

/// Rows that are read at once.
const CHUNK: i64 = 20_000;

/// A position and what was played in it: the row of the document's table 3.
#[derive(Clone, Debug)]
pub struct StoredPosition {
    /// The game, the turn and the side.
    pub id: PositionId,
    /// Whether the side to move won, its rating, and how many turns it had left.
    pub rank: Rank,
    /// What else is known.
    pub about: PositionAttributes,
    /// The board before the turn.
    pub board: Board,
    /// What was played.
    pub next: SetupOrTurn,
}

const COLUMNS: &str = "id, standing, about, board, next";

fn stored(row: &DbRow<'_>) -> Result<StoredPosition> {
    let id = PositionId(row.get_i64(0)?);
    let damaged = || ArchiveError::Corrupt(format!("position {}", id.0));
    let board = unpack_board(row.bytes(3)?).ok_or_else(damaged)?;
    let next = unpack_played(row.bytes(4)?, &board, id.side()).ok_or_else(damaged)?;
    Ok(StoredPosition {
        id,
        rank: Rank(row.get_i32(1)?),
        about: PositionAttributes::unpack(row.get_i32(2)?),
        board,
        next,
    })
}

/// Visits every position in the order of games and turns, until the visitor says false.
pub fn each_position(store: &ArchiveDb, mut visit: impl FnMut(StoredPosition) -> Result<bool>) -> Result<()> {
    let sql = format!("SELECT {COLUMNS} FROM positions WHERE id > $1 ORDER BY id LIMIT $2");
    let mut last = -1;
    loop {
        let (mut rows, mut on) = (0, true);
        store.for_each_row(&sql, &[Value::from(last), CHUNK.into()], |row| {
            rows += 1;
            let position = stored(&row)?;
            last = position.id.0;
            on = visit(position)?;
            Ok(on)
        })?;
        if rows < CHUNK || !on {
            return Ok(());
        }
    }
}

/// A position by its number.
pub fn position(store: &ArchiveDb, id: PositionId) -> Result<Option<StoredPosition>> {
    let sql = format!("SELECT {COLUMNS} FROM positions WHERE id = $1");
    store.query(&sql, &[id.0.into()])?.first().map(stored).transpose()
}
