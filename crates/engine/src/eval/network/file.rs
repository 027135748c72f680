//! The file format of networks.

use serde::{Deserialize, Serialize};

use super::lanes::Lanes;
use super::{BUCKETS, Base, HIDDEN_SIZES, INPUT_COUNT, Network};
use crate::eval::Weights;

const MAGIC: &[u8; 8] = b"SURUSNET";
/// The version of the layout that is written and read.
const VERSION: u16 = 1;
/// Magic, version, two zero bytes, length of the header.
const PREFIX_LEN: usize = 16;

/// What a network is and where it comes from: the header of its file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkInfo {
    /// The number of inputs of a view.
    pub inputs: usize,
    /// The size of the hidden layer of a view.
    pub hidden: usize,
    /// The sets of output weights.
    pub buckets: usize,
    /// The score in millirabbits at which the network predicts e wins per loss.
    pub scale: i32,
    /// Settings and data of the training.
    pub training: String,
    /// The handcrafted evaluation that the network corrects, if it does not stand alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<BaseInfo>,
}

/// The handcrafted evaluation that a network corrects.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaseInfo {
    /// Its part of the sum, in percent of its log odds.
    pub percent: i32,
    /// The revision of its weights.
    pub revision: String,
}

impl BaseInfo {
    /// This percentage of the embedded handcrafted evaluation.
    #[must_use]
    pub fn embedded(percent: i32) -> Self {
        Self { percent, revision: Weights::embedded().revision() }
    }
}

/// A network file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NetworkFileError {
    /// Another kind of file.
    #[error("not a network: expected the file to start with SURUSNET")]
    Foreign,
    /// Written by another version of the program.
    #[error("network of format version {found}: expected {VERSION}; train it again with this program")]
    Version {
        /// The version of the file.
        found: u16,
    },
    /// Shorter than its header says.
    #[error("truncated network: {found} bytes, expected {expected}")]
    Truncated {
        /// The length of the file.
        found: usize,
        /// The expected length.
        expected: usize,
    },
    /// Changed after it was written.
    #[error("corrupt network: its checksum does not match")]
    Checksum,
    /// An invalid header.
    #[error("invalid header of a network: {0}")]
    Header(String),
    /// It corrects another evaluation.
    #[error("network that corrects handcrafted weights of revision {found}, expected {}; train it again with this program",
        Weights::embedded().revision())]
    Base {
        /// The revision in the file.
        found: String,
    },
    /// Another architecture.
    #[error("network with {field} {found}: expected {expected}; train it again with this program")]
    Architecture {
        /// What differs.
        field: &'static str,
        /// The value of the file.
        found: usize,
        /// What this program supports.
        expected: String,
    },
}

impl NetworkInfo {
    fn check(&self) -> Result<(), NetworkFileError> {
        let error =
            |field, found, expected: String| NetworkFileError::Architecture { field, found, expected };
        if self.inputs != INPUT_COUNT {
            return Err(error("inputs", self.inputs, INPUT_COUNT.to_string()));
        }
        if !HIDDEN_SIZES.contains(&self.hidden) {
            return Err(error("hidden", self.hidden, format!("one of {HIDDEN_SIZES:?}")));
        }
        if self.buckets != BUCKETS {
            return Err(error("buckets", self.buckets, BUCKETS.to_string()));
        }
        if let Some(base) = &self.base
            && base.revision != Weights::embedded().revision()
        {
            return Err(NetworkFileError::Base { found: base.revision.clone() });
        }
        if !(1..=100_000).contains(&self.scale) {
            return Err(NetworkFileError::Header(format!("scale {}, expected 1 to 100000", self.scale)));
        }
        Ok(())
    }

    /// The bytes of the weights.
    const fn payload_len(&self) -> usize {
        2 * self.hidden * (1 + self.inputs + 2 * self.buckets) + 4 * self.buckets
    }

    /// The number of weights and biases.
    #[must_use]
    pub const fn parameter_count(&self) -> usize {
        self.hidden * (1 + self.inputs + 2 * self.buckets) + self.buckets
    }
}

impl Network {
    /// Whether a file starts as networks do.
    #[must_use]
    pub fn has_magic(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// The contents of a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        // Strings and numbers always serialise.
        let header = toml::to_string(&self.info).unwrap_or_default().into_bytes();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([0; 2]);
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header);
        for blocks in [&self.bias, &self.rows, &self.output] {
            bytes.extend(blocks.iter().flat_map(|block| block.0).flat_map(i16::to_le_bytes));
        }
        bytes.extend(self.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The checksum at the end of the file.
    pub(super) fn checksum(&self) -> u32 {
        self.to_bytes().last_chunk().map_or(0, |sum| u32::from_le_bytes(*sum))
    }

    /// Reads the contents of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkFileError> {
        let truncated = |expected: usize| NetworkFileError::Truncated { found: bytes.len(), expected };
        let common = MAGIC.len().min(bytes.len());
        if bytes[..common] != MAGIC[..common] {
            return Err(NetworkFileError::Foreign);
        }
        let Some(prefix) = bytes.first_chunk::<PREFIX_LEN>() else { return Err(truncated(PREFIX_LEN)) };
        let [.., a, b, _, _, c, d, e, f] = *prefix;
        let found = u16::from_le_bytes([a, b]);
        if found != VERSION {
            return Err(NetworkFileError::Version { found });
        }
        let header_end = PREFIX_LEN.saturating_add(u32::from_le_bytes([c, d, e, f]) as usize);
        let header = bytes.get(PREFIX_LEN..header_end).ok_or_else(|| truncated(header_end))?;
        let (content, sum) = bytes.split_last_chunk::<4>().ok_or_else(|| truncated(header_end + 4))?;
        let intact = crc32fast::hash(content).to_le_bytes() == *sum;
        let info: NetworkInfo = toml::from_slice(header).map_err(|error| {
            if intact { NetworkFileError::Header(error.to_string()) } else { NetworkFileError::Checksum }
        })?;
        info.check()?;
        let expected = header_end + info.payload_len() + 4;
        if bytes.len() < expected {
            return Err(truncated(expected));
        }
        if !intact || bytes.len() != expected {
            return Err(NetworkFileError::Checksum);
        }
        let mut reader = Reader(&content[header_end..]);
        let blocks = info.hidden / Lanes::LEN;
        Ok(Self {
            bias: reader.lanes(blocks),
            rows: reader.lanes(blocks * info.inputs),
            output: reader.lanes(blocks * 2 * info.buckets),
            output_bias: std::array::from_fn(|_| i32::from_le_bytes(reader.bytes())),
            base: info.base.as_ref().map(|base| Base::new(base, info.scale)),
            info,
            revision: u32::from_le_bytes(*sum),
        })
    }
}

/// Reads the weights; the length was checked before.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let Some((first, rest)) = self.0.split_first_chunk() else { return [0; N] };
        self.0 = rest;
        *first
    }

    fn lanes(&mut self, count: usize) -> Box<[Lanes]> {
        (0..count).map(|_| Lanes(std::array::from_fn(|_| i16::from_le_bytes(self.bytes())))).collect()
    }
}
