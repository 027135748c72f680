//! How a file begins: what it is, and where its games come from.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Damage, PackedFileError};

/// The version of the layout that is written and read.
pub const VERSION: u16 = 2;

pub(crate) const MAGIC: &[u8; 8] = b"SURUSDAT";
/// Before the text: magic, version, two bytes of nothing, the length of the text.
const PREFIX_LEN: usize = 16;
/// A longer text is no header.
const MAX_HEADER_LEN: u32 = 1 << 24;

/// Where games come from; two games of the same origin and number are the same game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// selfplay or import.
    pub kind: String,
    /// The program and its version.
    pub program: String,
    /// The full id of the engine that searched.
    pub engine: String,
    /// Nodes for each turn.
    pub nodes: u64,
    /// Where chance begins.
    pub seed: u64,
    /// The engine's options.
    pub options: BTreeMap<String, String>,
    /// How games begin, when they are cut, which are taken.
    pub settings: BTreeMap<String, String>,
}

impl Provenance {
    /// The settings in which this origin and another differ, each with both values.
    #[must_use]
    pub fn diff(&self, other: &Self) -> Vec<String> {
        let (mine, theirs) = (self.to_map(), other.to_map());
        let names: BTreeSet<&String> = mine.keys().chain(theirs.keys()).collect();
        let value = |value: Option<&String>| value.map_or("none".into(), |text| format!("'{text}'"));
        let different = names.into_iter().filter(|name| mine.get(*name) != theirs.get(*name));
        different
            .map(|name| format!("{name} {} against {}", value(mine.get(name)), value(theirs.get(name))))
            .collect()
    }

    /// All that is told, each under its name.
    #[must_use]
    pub fn to_map(&self) -> BTreeMap<String, String> {
        let plain = [
            ("kind", self.kind.clone()),
            ("program", self.program.clone()),
            ("engine", self.engine.clone()),
            ("nodes", self.nodes.to_string()),
            ("seed", self.seed.to_string()),
        ];
        let own = plain.map(|(name, value)| (name.to_string(), value));
        let more = self.options.iter().map(|(name, value)| (format!("option {name}"), value.clone()));
        let rest = self.settings.iter().map(|(name, value)| (name.clone(), value.clone()));
        own.into_iter().chain(more).chain(rest).collect()
    }
}

/// What stands before the games.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Header {
    /// Games name theirs by its place in this list.
    pub origins: Vec<Provenance>,
}

impl Header {
    /// A file of games that all come from one place.
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

    /// Reads a header and how many bytes it has. A file that ends within its header is torn.
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
        if MAX_HEADER_LEN < length {
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
