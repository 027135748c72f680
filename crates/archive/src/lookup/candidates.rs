//! Reads the candidates of one or several keys in rank order, a page at a time.

use std::collections::VecDeque;

use surus_rules::{Board, Side};

use super::{Candidate, LookupOptions};
use crate::error::{ArchiveError, Result};
use crate::pack::unpack_board;
use crate::rank::{PositionId, Rank};
use crate::store::{ArchiveDb, DbRow, Value};
use crate::view::{AreaCenter, Trap};

/// The first page is small because the first candidate usually fits; each further page is eight times as large.
const MIN_PAGE_SIZE: i64 = 2;
const MAX_PAGE_SIZE: i64 = 512;

/// A key column of the positions table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KeyColumn {
    Full,
    Middle,
    Area(Trap),
    Piece(AreaCenter),
}

impl KeyColumn {
    const fn name(self) -> &'static str {
        match self {
            Self::Full => "full_key",
            Self::Middle => "middle_key",
            Self::Area(Trap::HomeLeft) => "home_left_key",
            Self::Area(Trap::HomeRight) => "home_right_key",
            Self::Area(Trap::AwayLeft) => "away_left_key",
            Self::Area(Trap::AwayRight) => "away_right_key",
            Self::Piece(AreaCenter::Piece) => "piece_key",
            Self::Piece(AreaCenter::Trap) => "piece_trap_key",
        }
    }
}

/// Selects the rows of a key after a given row. Without symmetry only positions with the same side to move qualify.
fn sql(column: KeyColumn, side: Side, options: &LookupOptions) -> String {
    let side = if options.symmetry { String::new() } else { format!("AND id % 2 = {}", side as i32) };
    // The order of the index. Positions with the same full board have the same pieces.
    let (moved_pieces, order, start, limit) = match column {
        KeyColumn::Full => ("0", "rank, id", "$2, $3", "$4"),
        _ => ("moved_pieces", "rank, played, moved_pieces, id", "$2, $3, $4, $5", "$6"),
    };
    format!(
        "SELECT id, rank, played, {moved_pieces} FROM positions
         WHERE {} = $1 AND ({order}) > ({start}) {side} ORDER BY {order} LIMIT {limit}",
        column.name()
    )
}

/// The parameters: the key, the last candidate seen, and the page size.
fn values(column: KeyColumn, key: i64, last: &Candidate, page: i64) -> Vec<Value> {
    let Candidate { id, rank, played, moved_pieces } = last;
    let (rank, id) = (rank.0.into(), id.0.into());
    match column {
        KeyColumn::Full => vec![key.into(), rank, id, page.into()],
        _ => vec![key.into(), rank, played.clone().into(), (*moved_pieces).into(), id, page.into()],
    }
}

/// The query plan.
pub(super) fn plan(
    store: &ArchiveDb,
    column: KeyColumn,
    side: Side,
    options: &LookupOptions,
) -> Result<Vec<String>> {
    store.explain(&sql(column, side, options), &values(column, 0, &Candidate::before_all(), MIN_PAGE_SIZE))
}

/// A cursor over the candidates of one key.
struct KeyCursor {
    column: KeyColumn,
    sql: String,
    key: i64,
    /// The index of the pattern that this key belongs to.
    index: usize,
    last: Candidate,
    page: i64,
    exhausted: bool,
    buffer: VecDeque<Candidate>,
}

impl KeyCursor {
    fn fill(&mut self, store: &ArchiveDb) -> Result<()> {
        if !self.buffer.is_empty() || self.exhausted {
            return Ok(());
        }
        let values = values(self.column, self.key, &self.last, self.page);
        for row in store.query(&self.sql, &values)? {
            self.buffer.push_back(candidate(&row)?);
        }
        self.exhausted = (self.buffer.len() as i64) < self.page;
        self.page = (8 * self.page).min(MAX_PAGE_SIZE);
        if let Some(last) = self.buffer.back() {
            self.last = last.clone();
        }
        Ok(())
    }
}

fn candidate(row: &DbRow<'_>) -> Result<Candidate> {
    let (id, rank) = (PositionId(row.get_i64(0)?), Rank(row.get_i32(1)?));
    Ok(Candidate { id, rank, played: row.bytes(2)?.to_vec(), moved_pieces: row.get_i32(3)? })
}

/// The sort key: rank first, then the columns that follow in the index.
fn order(candidate: &Candidate) -> (Rank, &[u8], i32, PositionId) {
    (candidate.rank, &candidate.played, candidate.moved_pieces, candidate.id)
}

/// Merges the candidates of several keys.
pub(super) struct MergedCursor<'a> {
    store: &'a ArchiveDb,
    side: Side,
    options: &'a LookupOptions,
    cursors: Vec<KeyCursor>,
}

impl<'a> MergedCursor<'a> {
    pub(super) const fn new(store: &'a ArchiveDb, side: Side, options: &'a LookupOptions) -> Self {
        Self { store, side, options, cursors: Vec::new() }
    }

    /// Adds the candidates of a key, which belong to the pattern with this index.
    pub(super) fn add(&mut self, column: KeyColumn, key: i64, index: usize) {
        let sql = sql(column, self.side, self.options);
        let buffer = VecDeque::new();
        self.cursors.push(KeyCursor {
            column,
            sql,
            key,
            index,
            last: Candidate::before_all(),
            page: MIN_PAGE_SIZE,
            exhausted: false,
            buffer,
        });
    }

    /// The best remaining candidate.
    pub(super) fn next(&mut self) -> Result<Option<(Candidate, KeyColumn, usize)>> {
        for cursor in &mut self.cursors {
            cursor.fill(self.store)?;
        }
        let best = self
            .cursors
            .iter_mut()
            .filter(|cursor| !cursor.buffer.is_empty())
            .min_by(|a, b| a.buffer.front().map(order).cmp(&b.buffer.front().map(order)));
        Ok(best.and_then(|cursor| Some((cursor.buffer.pop_front()?, cursor.column, cursor.index))))
    }

    /// The board of a candidate.
    pub(super) fn board(&self, id: PositionId) -> Result<Board> {
        let rows = self.store.query("SELECT board FROM positions WHERE id = $1", &[id.0.into()])?;
        let board = rows.first().map(|row| row.bytes(0)).transpose()?.and_then(unpack_board);
        board.ok_or_else(|| ArchiveError::Corrupt(format!("the board of position {}", id.0)))
    }
}
