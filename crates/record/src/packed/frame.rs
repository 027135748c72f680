//! The frame of a game in a file: its result and a record per searched turn.

use surus_rules::{Side, Termination};

use super::sample::{decode_result, result_code};
use super::{Damage, PackedFileError, PackedSample};

/// The records of a game, in the order of its turns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedGame {
    /// The number of the game, unique within its origin.
    pub id: u64,
    /// Index of its origin in the header.
    pub origin: u16,
    /// The winner, if any.
    pub result: Option<Side>,
    /// How it ended.
    pub reason: Termination,
    /// Records of its searched turns.
    pub samples: Vec<PackedSample>,
}

const FRAME_MAGIC: &[u8; 4] = b"GAME";

/// The header of a game: magic, number, origin, result, termination, record count, and a checksum of these, so that a
/// corrupt length is never used.
#[derive(Debug)]
pub(super) struct FrameHeader {
    id: u64,
    origin: u16,
    result: u8,
    reason: u8,
    count: u16,
}

impl FrameHeader {
    pub(super) const SIZE: usize = 22;

    /// Returns `None` if the bytes are not a valid frame header.
    pub(super) fn parse(bytes: &[u8; Self::SIZE]) -> Option<Self> {
        let (fields, sum) = bytes.split_first_chunk::<18>()?;
        let valid = fields.starts_with(FRAME_MAGIC) && sum == crc32fast::hash(fields).to_le_bytes();
        let [_, _, _, _, id @ .., a, b, result, reason, c, d] = *fields;
        valid.then_some(Self {
            id: u64::from_le_bytes(id),
            origin: u16::from_le_bytes([a, b]),
            result,
            reason,
            count: u16::from_le_bytes([c, d]),
        })
    }

    /// Length of the records with their checksum.
    pub(super) const fn payload_len(&self) -> usize {
        self.count as usize * PackedSample::SIZE + 4
    }

    /// Decodes the records after the header.
    pub(super) fn decode_payload(&self, payload: &[u8], origins: usize) -> Result<PackedGame, Damage> {
        let (records, sum) = payload.split_last_chunk::<4>().ok_or(Damage::NoChecksum(self.id))?;
        if u32::from_le_bytes(*sum) != crc32fast::hash(records) {
            return Err(Damage::Checksum(self.id));
        }
        if usize::from(self.origin) >= origins {
            return Err(Damage::Origin { game: self.id, origin: self.origin, origins });
        }
        let reason = Termination::from_letter(char::from(self.reason))
            .ok_or(Damage::Reason { game: self.id, found: self.reason })?;
        let result = decode_result(self.result);
        if result_code(result) != self.result {
            return Err(Damage::Result { game: self.id, found: self.result });
        }
        let (records, _) = records.as_chunks::<{ PackedSample::SIZE }>();
        Ok(PackedGame {
            id: self.id,
            origin: self.origin,
            result,
            reason,
            samples: records.iter().copied().map(PackedSample::from_bytes).collect(),
        })
    }
}

impl PackedGame {
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, PackedFileError> {
        let count = u16::try_from(self.samples.len()).map_err(|_| PackedFileError::GameTooLong {
            id: self.id,
            problem: format!("it has {} records: expected at most {}", self.samples.len(), u16::MAX),
        })?;
        let mut bytes = FRAME_MAGIC.to_vec();
        bytes.extend(self.id.to_le_bytes());
        bytes.extend(self.origin.to_le_bytes());
        bytes.extend([result_code(self.result), self.reason.letter() as u8]);
        bytes.extend(count.to_le_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes.extend(self.samples.iter().flat_map(PackedSample::as_bytes));
        bytes.extend(crc32fast::hash(&bytes[FrameHeader::SIZE..]).to_le_bytes());
        Ok(bytes)
    }
}
