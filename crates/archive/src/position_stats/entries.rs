//! Every game of a common position in a few bytes: filters look at all of them, and a database takes too long to show
//! some hundred thousand rows one by one.

use crate::error::{ArchiveError, Result};
use crate::rank::{PositionAttributes, PositionId, Rank};
use crate::store::ArchiveDb;

/// A position's number, its rank, what is known of it, how many bytes its turn or setup has, and these.
const SIZE: usize = 8 + 4 + 4 + 1 + 8;

/// Entries that are kept together: one more game writes all of them again.
const BLOCK_LEN: usize = 1024;

/// Entries on their way into the store: they are written when all are read, because a server does one thing at a time.
#[derive(Default)]
pub(super) struct EntryBuffer(Vec<u8>);

impl EntryBuffer {
    pub(super) fn push(&mut self, id: PositionId, rank: Rank, about: PositionAttributes, next: &[u8]) {
        pack(&mut self.0, id, rank, about, next);
    }

    pub(super) fn write(&self, store: &ArchiveDb, key: i64) -> Result<()> {
        let sql = "INSERT INTO common_entries (full_key, part, entries) VALUES ($1, $2, $3)";
        for (part, bytes) in (0i64..).zip(self.0.chunks(BLOCK_LEN * SIZE)) {
            store.execute(sql, &[key.into(), part.into(), bytes.to_vec().into()])?;
        }
        Ok(())
    }
}

fn pack(bytes: &mut Vec<u8>, id: PositionId, rank: Rank, about: PositionAttributes, next: &[u8]) {
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
    store: &ArchiveDb,
    key: i64,
    there: i64,
    (id, rank, about, next): (PositionId, Rank, PositionAttributes, &[u8]),
) -> Result<()> {
    let part = there / BLOCK_LEN as i64;
    let sql = "SELECT entries FROM common_entries WHERE full_key = $1 AND part = $2";
    let rows = store.query(sql, &[key.into(), part.into()])?;
    let mut bytes = rows.first().map(|row| row.bytes(0)).transpose()?.unwrap_or_default().to_vec();
    pack(&mut bytes, id, rank, about, next);
    let sql = "INSERT INTO common_entries (full_key, part, entries) VALUES ($1, $2, $3)
        ON CONFLICT (full_key, part) DO UPDATE SET entries = excluded.entries";
    store.execute(sql, &[key.into(), part.into(), bytes.into()])?;
    Ok(())
}

/// Visits every game of a position, in no order; false if it is not counted beforehand.
pub(crate) fn for_each_entry(
    store: &ArchiveDb,
    key: i64,
    mut visit: impl FnMut(PositionId, Rank, PositionAttributes, &[u8]),
) -> Result<bool> {
    let mut any = false;
    store.for_each_row("SELECT entries FROM common_entries WHERE full_key = $1", &[key.into()], |row| {
        any = true;
        for entry in row.bytes(0)?.chunks(SIZE) {
            let told = unpack(entry).ok_or_else(|| ArchiveError::Corrupt("a common position".into()))?;
            let (id, rank, about, next) = told;
            visit(id, rank, about, next);
        }
        Ok(true)
    })?;
    Ok(any)
}

fn unpack(entry: &[u8]) -> Option<(PositionId, Rank, PositionAttributes, &[u8])> {
    let id = i64::from_le_bytes(entry.get(..8)?.try_into().ok()?);
    let rank = i32::from_le_bytes(entry.get(8..12)?.try_into().ok()?);
    let about = i32::from_le_bytes(entry.get(12..16)?.try_into().ok()?);
    let next = entry.get(17..17 + usize::from(*entry.get(16)?))?;
    Some((PositionId(id), Rank(rank), PositionAttributes::unpack(about), next))
}
