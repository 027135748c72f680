//! Candidates of one or several keys in the document's order, read a few at a time.

use std::collections::VecDeque;

use surus_rules::{Board, Side};

use super::{Candidate, LookupOptions};
use crate::error::{ArchiveError, Result};
use crate::pack::unpack_board;
use crate::rank::{PositionId, Rank};
use crate::store::{ArchiveDb, DbRow, Value};
use crate::view::{AreaCenter, Trap};

/// Rows that are read first, because most often the first will do; then eight times as many each time.
const FIRST_PAGE: i64 = 2;
const LAST_PAGE: i64 = 512;

/// A column of keys.
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

/// The next rows of a key behind a place in its order. Without symmetry only positions with the same side to move count.
fn sql(column: KeyColumn, side: Side, options: &LookupOptions) -> String {
    let side = if options.symmetry { String::new() } else { format!("AND id % 2 = {}", side as i32) };
    // As the indexes have it: whole boards are the same with all their pieces.
    let (movers, order, place, limit) = match column {
        KeyColumn::Full => ("0", "standing, id", "$2, $3", "$4"),
        _ => ("movers", "standing, next, movers, id", "$2, $3, $4, $5", "$6"),
    };
    format!(
        "SELECT id, standing, next, {movers} FROM positions
         WHERE {} = $1 AND ({order}) > ({place}) {side} ORDER BY {order} LIMIT {limit}",
        column.name()
    )
}

/// What the text of a column takes: the key, the last candidate that was seen, and how many more.
fn values(column: KeyColumn, key: i64, last: &Candidate, page: i64) -> Vec<Value> {
    let Candidate { id, rank, next, movers } = last;
    let (standing, id) = (rank.0.into(), id.0.into());
    match column {
        KeyColumn::Full => vec![key.into(), standing, id, page.into()],
        _ => vec![key.into(), standing, next.clone().into(), (*movers).into(), id, page.into()],
    }
}

/// How the database finds them.
pub(super) fn plan(
    store: &ArchiveDb,
    column: KeyColumn,
    side: Side,
    options: &LookupOptions,
) -> Result<Vec<String>> {
    store.explain(&sql(column, side, options), &values(column, 0, &Candidate::before_all(), FIRST_PAGE))
}

/// The candidates of one key.
struct KeyCursor {
    column: KeyColumn,
    sql: String,
    key: i64,
    /// Which question it belongs to.
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
        self.page = (8 * self.page).min(LAST_PAGE);
        if let Some(last) = self.buffer.back() {
            self.last = last.clone();
        }
        Ok(())
    }
}

fn candidate(row: &DbRow<'_>) -> Result<Candidate> {
    let (id, rank) = (PositionId(row.get_i64(0)?), Rank(row.get_i32(1)?));
    Ok(Candidate { id, rank, next: row.bytes(2)?.to_vec(), movers: row.get_i32(3)? })
}

/// The order of candidates: the document's, and what the indexes have behind it.
fn order(candidate: &Candidate) -> (Rank, &[u8], i32, PositionId) {
    (candidate.rank, &candidate.next, candidate.movers, candidate.id)
}

/// The candidates of several keys as one row.
pub(super) struct MergedCursor<'a> {
    store: &'a ArchiveDb,
    side: Side,
    options: &'a LookupOptions,
    streams: Vec<KeyCursor>,
}

impl<'a> MergedCursor<'a> {
    pub(super) const fn new(store: &'a ArchiveDb, side: Side, options: &'a LookupOptions) -> Self {
        Self { store, side, options, streams: Vec::new() }
    }

    /// Adds the candidates of a key, which belong to the question of this index.
    pub(super) fn add(&mut self, column: KeyColumn, key: i64, index: usize) {
        let sql = sql(column, self.side, self.options);
        let buffer = VecDeque::new();
        self.streams.push(KeyCursor {
            column,
            sql,
            key,
            index,
            last: Candidate::before_all(),
            page: FIRST_PAGE,
            exhausted: false,
            buffer,
        });
    }

    /// The best of those that are left.
    pub(super) fn next(&mut self) -> Result<Option<(Candidate, KeyColumn, usize)>> {
        for stream in &mut self.streams {
            stream.fill(self.store)?;
        }
        let best = self
            .streams
            .iter_mut()
            .filter(|stream| !stream.buffer.is_empty())
            .min_by(|a, b| a.buffer.front().map(order).cmp(&b.buffer.front().map(order)));
        Ok(best.and_then(|stream| Some((stream.buffer.pop_front()?, stream.column, stream.index))))
    }

    /// The board on which a candidate was played.
    pub(super) fn board(&self, id: PositionId) -> Result<Board> {
        let rows = self.store.query("SELECT board FROM positions WHERE id = $1", &[id.0.into()])?;
        let board = rows.first().map(|row| row.bytes(0)).transpose()?.and_then(unpack_board);
        board.ok_or_else(|| ArchiveError::Corrupt(format!("the board of position {}", id.0)))
    }
}
