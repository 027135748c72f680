//! Every game of a common position in a few bytes: filters look at all of them, and a database takes too long to show
//! some hundred thousand rows one by one.

use crate::error::{ArchiveError, Result};
use crate::rank::{About, PositionId, Rank};
use crate::store::Store;

/// A position's number, its rank, what is known of it, how many bytes its turn or setup has, and these.
const SIZE: usize = 8 + 4 + 4 + 1 + 8;

/// Entries that are kept together: one more game writes all of them again.
const PART: usize = 1024;

/// Entries on their way into the store: they are written when all are read, because a server does one thing at a time.
#[derive(Default)]
pub(super) struct Entries(Vec<u8>);

impl Entries {
    pub(super) fn push(&mut self, id: PositionId, rank: Rank, about: About, next: &[u8]) {
        pack(&mut self.0, id, rank, about, next);
    }

    pub(super) fn write(&self, store: &Store, key: i64) -> Result<()> {
        let sql = "INSERT INTO common_entries (full_key, part, entries) VALUES ($1, $2, $3)";
        for (part, bytes) in (0i64..).zip(self.0.chunks(PART * SIZE)) {
            store.execute(sql, &[key.into(), part.into(), bytes.to_vec().into()])?;
        }
        Ok(())
    }
}

fn pack(bytes: &mut Vec<u8>, id: PositionId, rank: Rank, about: About, next: &[u8]) {
    bytes.extend(id.0.to_le_bytes());
    bytes.extend(rank.0.to_le_bytes());
    bytes.extend(about.pack().to_le_bytes());
    bytes.push(next.len() as u8);
    let end = bytes.len() + 8;
    bytes.extend(next);
    bytes.resize(end, 0);
}

/// Adds one game to those that were there.
pub(super) fn add(
    store: &Store,
    key: i64,
    there: i64,
    (id, rank, about, next): (PositionId, Rank, About, &[u8]),
) -> Result<()> {
    let part = there / PART as i64;
    let sql = "SELECT entries FROM common_entries WHERE full_key = $1 AND part = $2";
    let rows = store.rows(sql, &[key.into(), part.into()])?;
    let mut bytes = rows.first().map(|row| row.bytes(0)).transpose()?.unwrap_or_default().to_vec();
    pack(&mut bytes, id, rank, about, next);
    let sql = "INSERT INTO common_entries (full_key, part, entries) VALUES ($1, $2, $3)
        ON CONFLICT (full_key, part) DO UPDATE SET entries = excluded.entries";
    store.execute(sql, &[key.into(), part.into(), bytes.into()])?;
    Ok(())
}

/// Visits every game of a position, in no order; false if it is not counted beforehand.
pub(crate) fn each_entry(
    store: &Store,
    key: i64,
    mut visit: impl FnMut(PositionId, Rank, About, &[u8]),
) -> Result<bool> {
    let mut any = false;
    store.each("SELECT entries FROM common_entries WHERE full_key = $1", &[key.into()], |row| {
        any = true;
        for entry in row.bytes(0)?.chunks(SIZE) {
            let told = unpack(entry).ok_or_else(|| ArchiveError::Damaged("a common position".into()))?;
            let (id, rank, about, next) = told;
            visit(id, rank, about, next);
        }
        Ok(true)
    })?;
    Ok(any)
}

fn unpack(entry: &[u8]) -> Option<(PositionId, Rank, About, &[u8])> {
    let id = i64::from_le_bytes(entry.get(..8)?.try_into().ok()?);
    let rank = i32::from_le_bytes(entry.get(8..12)?.try_into().ok()?);
    let about = i32::from_le_bytes(entry.get(12..16)?.try_into().ok()?);
    let next = entry.get(17..17 + usize::from(*entry.get(16)?))?;
    Some((PositionId(id), Rank(rank), About::unpack(about), next))
}
