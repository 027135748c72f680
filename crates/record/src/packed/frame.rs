//! A game in a file: who won, and a record for each searched turn.

use surus_rules::{Reason, Side};

use super::sample::{result_code, result_of};
use super::{Damage, FileError, Packed};

/// The records of a game, in the order of its turns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecords {
    /// The game's number, which tells everything about it within its origin.
    pub id: u64,
    /// The place of its origin in the file's header.
    pub origin: u16,
    /// Who won; nobody if the game was cut.
    pub result: Option<Side>,
    /// What ended it.
    pub reason: Reason,
    /// Its searched turns.
    pub records: Vec<Packed>,
}

const MARK: &[u8; 4] = b"GAME";

/// What stands before the records of a game: mark, number, origin, result, reason, count, and a checksum of these, so
/// that a length is believed only where it is sound.
#[derive(Debug)]
pub(super) struct Front {
    id: u64,
    origin: u16,
    result: u8,
    reason: u8,
    count: u16,
}

impl Front {
    pub(super) const SIZE: usize = 22;

    /// Nothing if the bytes are no front.
    pub(super) fn parse(bytes: &[u8; Self::SIZE]) -> Option<Self> {
        let (told, sum) = bytes.split_first_chunk::<18>()?;
        let sound = told.starts_with(MARK) && sum == crc32fast::hash(told).to_le_bytes();
        let [_, _, _, _, id @ .., a, b, result, reason, c, d] = *told;
        sound.then_some(Self {
            id: u64::from_le_bytes(id),
            origin: u16::from_le_bytes([a, b]),
            result,
            reason,
            count: u16::from_le_bytes([c, d]),
        })
    }

    /// How many bytes follow: the records and their checksum.
    pub(super) const fn rest(&self) -> usize {
        self.count as usize * Packed::SIZE + 4
    }

    /// The game, if what follows the front is sound too.
    pub(super) fn game(&self, rest: &[u8], origins: usize) -> Result<GameRecords, Damage> {
        let (records, sum) = rest.split_last_chunk::<4>().ok_or(Damage::NoChecksum(self.id))?;
        if u32::from_le_bytes(*sum) != crc32fast::hash(records) {
            return Err(Damage::Checksum(self.id));
        }
        if origins <= usize::from(self.origin) {
            return Err(Damage::Origin { game: self.id, origin: self.origin, origins });
        }
        let reason = Reason::from_letter(char::from(self.reason))
            .ok_or(Damage::Reason { game: self.id, found: self.reason })?;
        let result = result_of(self.result);
        if result_code(result) != self.result {
            return Err(Damage::Result { game: self.id, found: self.result });
        }
        let (records, _) = records.as_chunks::<{ Packed::SIZE }>();
        Ok(GameRecords {
            id: self.id,
            origin: self.origin,
            result,
            reason,
            records: records.iter().copied().map(Packed::from_bytes).collect(),
        })
    }
}

impl GameRecords {
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, FileError> {
        let count = u16::try_from(self.records.len()).map_err(|_| FileError::Unwritable {
            id: self.id,
            problem: format!("it has {} records: expected at most {}", self.records.len(), u16::MAX),
        })?;
        let mut bytes = MARK.to_vec();
        bytes.extend(self.id.to_le_bytes());
        bytes.extend(self.origin.to_le_bytes());
        bytes.extend([result_code(self.result), self.reason.letter() as u8]);
        bytes.extend(count.to_le_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes.extend(self.records.iter().flat_map(Packed::as_bytes));
        bytes.extend(crc32fast::hash(&bytes[Front::SIZE..]).to_le_bytes());
        Ok(bytes)
    }
}
