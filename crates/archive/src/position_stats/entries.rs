//! The games of a frequent position, packed into blocks, because filters have to scan them all and reading several
//! hundred thousand rows is too slow.

use crate::error::{ArchiveError, Result};
use crate::rank::{PositionAttributes, PositionId, Rank};
use crate::store::ArchiveDb;

/// The size of an entry: id, rank, attributes, length of the turn or setup, and its bytes padded to eight.
const SIZE: usize = 8 + 4 + 4 + 1 + 8;

/// Entries per block; adding a game rewrites one block.
const BLOCK_LEN: usize = 1024;

/// Collects entries in memory, because a server cannot be written to while a query is being read.
#[derive(Default)]
pub(super) struct EntryBuffer(Vec<u8>);

impl EntryBuffer {
    pub(super) fn push(&mut self, id: PositionId, rank: Rank, attributes: PositionAttributes, played: &[u8]) {
        pack(&mut self.0, id, rank, attributes, played);
    }

    pub(super) fn write(&self, store: &ArchiveDb, key: i64) -> Result<()> {
        let sql = "INSERT INTO position_stats_games (full_key, block, packed_games) VALUES ($1, $2, $3)";
        for (block, bytes) in (0i64..).zip(self.0.chunks(BLOCK_LEN * SIZE)) {
            store.execute(sql, &[key.into(), block.into(), bytes.to_vec().into()])?;
        }
        Ok(())
    }
}

fn pack(bytes: &mut Vec<u8>, id: PositionId, rank: Rank, attributes: PositionAttributes, played: &[u8]) {
    bytes.extend(id.0.to_le_bytes());
    bytes.extend(rank.0.to_le_bytes());
    bytes.extend(attributes.pack().to_le_bytes());
    bytes.push(played.len() as u8);
    let end = bytes.len() + 8;
    bytes.extend(played);
    bytes.resize(end, 0);
}

/// Adds a game to the `existing` ones.
pub(super) fn add(
    store: &ArchiveDb,
    key: i64,
    existing: i64,
    id: PositionId,
    rank: Rank,
    attributes: PositionAttributes,
    played: &[u8],
) -> Result<()> {
    let block = existing / BLOCK_LEN as i64;
    let sql = "SELECT packed_games FROM position_stats_games WHERE full_key = $1 AND block = $2";
    let rows = store.query(sql, &[key.into(), block.into()])?;
    let mut bytes = rows.first().map(|row| row.bytes(0)).transpose()?.unwrap_or_default().to_vec();
    pack(&mut bytes, id, rank, attributes, played);
    let sql = "INSERT INTO position_stats_games (full_key, block, packed_games) VALUES ($1, $2, $3)
        ON CONFLICT (full_key, block) DO UPDATE SET packed_games = excluded.packed_games";
    store.execute(sql, &[key.into(), block.into(), bytes.into()])?;
    Ok(())
}

/// Visits every game of a position in no particular order; returns false if the position has no statistics.
pub(crate) fn for_each_entry(
    store: &ArchiveDb,
    key: i64,
    mut visit: impl FnMut(PositionId, Rank, PositionAttributes, &[u8]),
) -> Result<bool> {
    let mut any = false;
    store.for_each_row(
        "SELECT packed_games FROM position_stats_games WHERE full_key = $1",
        &[key.into()],
        |row| {
            any = true;
            for entry in row.bytes(0)?.chunks(SIZE) {
                let fields = unpack(entry)
                    .ok_or_else(|| ArchiveError::Corrupt("the games of a frequent position".into()))?;
                let (id, rank, attributes, played) = fields;
                visit(id, rank, attributes, played);
            }
            Ok(true)
        },
    )?;
    Ok(any)
}

fn unpack(entry: &[u8]) -> Option<(PositionId, Rank, PositionAttributes, &[u8])> {
    let id = i64::from_le_bytes(entry.get(..8)?.try_into().ok()?);
    let rank = i32::from_le_bytes(entry.get(8..12)?.try_into().ok()?);
    let attributes = i32::from_le_bytes(entry.get(12..16)?.try_into().ok()?);
    let played = entry.get(17..17 + usize::from(*entry.get(16)?))?;
    Some((PositionId(id), Rank(rank), PositionAttributes::unpack(attributes), played))
}
