//! The header of a file, with the provenance of its games.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Damage, PackedFileError};

/// The version of the layout.
pub const VERSION: u16 = 2;

pub(crate) const MAGIC: &[u8; 8] = b"SURUSDAT";
/// Length of the part before the text: magic, version, two zero bytes, length of the text.
const PREFIX_LEN: usize = 16;
/// Maximum length of the text.
const MAX_HEADER_LEN: u32 = 1 << 24;

/// The provenance of games; two games with equal provenance and number are the same game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// `selfplay` or `import`.
    pub kind: String,
    /// Name and version of the program.
    pub program: String,
    /// The full id of the engine that searched.
    pub engine: String,
    /// Nodes per turn.
    pub nodes: u64,
    /// Random seed.
    pub seed: u64,
    /// The engine's options.
    pub options: BTreeMap<String, String>,
    /// Openings, adjudication and filters of games.
    pub settings: BTreeMap<String, String>,
}

impl Provenance {
    /// The settings that differ, each with both values.
    #[must_use]
    pub fn diff(&self, other: &Self) -> Vec<String> {
        let (settings, other) = (self.to_map(), other.to_map());
        let names: BTreeSet<&String> = settings.keys().chain(other.keys()).collect();
        let value = |value: Option<&String>| value.map_or("none".into(), |text| format!("'{text}'"));
        let different = names.into_iter().filter(|name| settings.get(*name) != other.get(*name));
        different
            .map(|name| format!("{name} {} against {}", value(settings.get(name)), value(other.get(name))))
            .collect()
    }

    /// All settings by name.
    #[must_use]
    pub fn to_map(&self) -> BTreeMap<String, String> {
        let fields = [
            ("kind", self.kind.clone()),
            ("program", self.program.clone()),
            ("engine", self.engine.clone()),
            ("nodes", self.nodes.to_string()),
            ("seed", self.seed.to_string()),
        ];
        let fields = fields.map(|(name, value)| (name.to_string(), value));
        let options = self.options.iter().map(|(name, value)| (format!("option {name}"), value.clone()));
        let settings = self.settings.iter().map(|(name, value)| (name.clone(), value.clone()));
        fields.into_iter().chain(options).chain(settings).collect()
    }
}

/// The header of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Header {
    /// The origins; games refer to them by index.
    pub origins: Vec<Provenance>,
}

impl Header {
    /// The header of a file whose games have the same origin.
    #[must_use]
    pub fn of(origin: Provenance) -> Self {
        Self { origins: vec![origin] }
    }

    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, PackedFileError> {
        let text = serde_json::to_vec(self).map_err(PackedFileError::Header)?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([0; 2]);
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Ok(bytes)
    }

    /// Reads a header; returns it with its length in bytes. A file that ends within its header is truncated.
    pub(super) fn read(path: &Path, file: &mut impl Read) -> Result<(Self, u64), PackedFileError> {
        let damaged = |problem| PackedFileError::Corrupt { path: path.into(), offset: 0, games: 0, problem };
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                PackedFileError::Truncated { path: path.into(), offset: 0, games: 0 }
            }
            _ => PackedFileError::Io { path: path.into(), error },
        };
        let mut bytes = Vec::new();
        file.by_ref().take(PREFIX_LEN as u64).read_to_end(&mut bytes).map_err(failed)?;
        if !bytes.starts_with(MAGIC) && !MAGIC.starts_with(&bytes) {
            return Err(PackedFileError::BadMagic(path.into()));
        }
        if bytes.len() < PREFIX_LEN {
            return Err(PackedFileError::Truncated { path: path.into(), offset: 0, games: 0 });
        }
        let found = u16::from_le_bytes([bytes[8], bytes[9]]);
        if found != VERSION {
            return Err(PackedFileError::UnsupportedVersion { path: path.into(), found, expected: VERSION });
        }
        let length = u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]);
        if length > MAX_HEADER_LEN {
            return Err(damaged(Damage::HeaderLength(length)));
        }
        bytes.resize(PREFIX_LEN + length as usize, 0);
        file.read_exact(&mut bytes[PREFIX_LEN..]).map_err(failed)?;
        let mut sum = [0; 4];
        file.read_exact(&mut sum).map_err(failed)?;
        if u32::from_le_bytes(sum) != crc32fast::hash(&bytes) {
            return Err(damaged(Damage::HeaderChecksum));
        }
        let header = serde_json::from_slice(&bytes[PREFIX_LEN..])
            .map_err(|error| damaged(Damage::Header(error.to_string())))?;
        Ok((header, bytes.len() as u64 + 4))
    }
}
