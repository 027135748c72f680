//! The state of a training between epochs, in a file that replaces its predecessor in one step.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use surus_record::journal::replace_file;

const MAGIC: &[u8; 8] = b"SURUSTRN";

/// The state after some epochs.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Checkpoint {
    pub(super) epoch: u32,
    /// Steps of the optimiser.
    pub(super) steps: u32,
    /// The weights, and the first and second moments of the optimiser.
    pub(super) numbers: [Vec<f32>; 3],
}

/// A checkpoint that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// Reading or writing failed.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// Not a checkpoint, or changed after it was written.
    #[error("{}: not an intact checkpoint; delete it to start over", .0.display())]
    Corrupt(PathBuf),
    /// From a training with other settings or positions.
    #[error(
        "{} is from another training ({found}; this one: {expected}); delete it to start over, or use another --out",
        path.display()
    )]
    OtherTraining {
        /// The file.
        path: PathBuf,
        /// The training that wrote it.
        found: String,
        /// The training that would continue.
        expected: String,
    },
}

impl Checkpoint {
    /// Writes the file. `identity` describes the training.
    pub(super) fn save(&self, path: &Path, identity: &str) -> Result<(), CheckpointError> {
        let failed = |error| CheckpointError::Io { path: path.into(), error };
        replace_file(path, &self.to_bytes(identity)).map_err(failed)
    }

    /// Reads the file, if it exists.
    pub(super) fn load(path: &Path, identity: &str) -> Result<Option<Self>, CheckpointError> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(CheckpointError::Io { path: path.into(), error }),
        };
        let (checkpoint, found) =
            Self::from_bytes(&bytes).ok_or_else(|| CheckpointError::Corrupt(path.into()))?;
        if found != identity {
            return Err(CheckpointError::OtherTraining {
                path: path.into(),
                found,
                expected: identity.into(),
            });
        }
        Ok(Some(checkpoint))
    }

    fn to_bytes(&self, identity: &str) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((identity.len() as u32).to_le_bytes());
        bytes.extend(identity.as_bytes());
        bytes.extend(self.epoch.to_le_bytes());
        bytes.extend(self.steps.to_le_bytes());
        for numbers in &self.numbers {
            bytes.extend((numbers.len() as u32).to_le_bytes());
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<(Self, String)> {
        let (content, sum) = bytes.split_last_chunk::<4>()?;
        if crc32fast::hash(content).to_le_bytes() != *sum {
            return None;
        }
        let mut rest = content.strip_prefix(MAGIC)?;
        let mut take = |len: usize| {
            let (taken, after) = rest.split_at_checked(len)?;
            rest = after;
            Some(taken)
        };
        let number = |bytes: &[u8]| Some(u32::from_le_bytes(bytes.try_into().ok()?));
        let identity_len = number(take(4)?)? as usize;
        let identity = String::from_utf8(take(identity_len)?.to_vec()).ok()?;
        let (epoch, steps) = (number(take(4)?)?, number(take(4)?)?);
        let mut numbers = || -> Option<Vec<f32>> {
            let count = number(take(4)?)? as usize;
            let (chunks, _) = take(count.checked_mul(4)?)?.as_chunks::<4>();
            Some(chunks.iter().map(|&chunk| f32::from_le_bytes(chunk)).collect())
        };
        let numbers = [numbers()?, numbers()?, numbers()?];
        Some((Self { epoch, steps, numbers }, identity))
    }
}
