//! Iterates over the stored positions.

use surus_rules::Board;

use crate::error::{ArchiveError, Result};
use crate::pack::{SetupOrTurn, unpack_board, unpack_played};
use crate::rank::{PositionAttributes, PositionId, Rank};
use crate::store::{ArchiveDb, DbRow, Value};

/// Rows per query.
const CHUNK: i64 = 20_000;

/// A position and what was played in it [McKee, table 3].
#[derive(Clone, Debug)]
pub struct StoredPosition {
    /// The game, turn and side.
    pub id: PositionId,
    /// The rank of what was played.
    pub rank: Rank,
    /// Further attributes.
    pub attributes: PositionAttributes,
    /// The board before the turn.
    pub board: Board,
    /// What was played.
    pub played: SetupOrTurn,
}

const COLUMNS: &str = "id, rank, attributes, board, played";

fn stored(row: &DbRow<'_>) -> Result<StoredPosition> {
    let id = PositionId(row.get_i64(0)?);
    let damaged = || ArchiveError::Corrupt(format!("position {}", id.0));
    let board = unpack_board(row.bytes(3)?).ok_or_else(damaged)?;
    let played = unpack_played(row.bytes(4)?, &board, id.side()).ok_or_else(damaged)?;
    Ok(StoredPosition {
        id,
        rank: Rank(row.get_i32(1)?),
        attributes: PositionAttributes::unpack(row.get_i32(2)?),
        board,
        played,
    })
}

/// Visits every position in the order of games and turns until `visit` returns false.
pub fn for_each_position(
    store: &ArchiveDb,
    mut visit: impl FnMut(StoredPosition) -> Result<bool>,
) -> Result<()> {
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

/// Loads a position by id.
pub fn position(store: &ArchiveDb, id: PositionId) -> Result<Option<StoredPosition>> {
    let sql = format!("SELECT {COLUMNS} FROM positions WHERE id = $1");
    store.query(&sql, &[id.0.into()])?.first().map(stored).transpose()
}
