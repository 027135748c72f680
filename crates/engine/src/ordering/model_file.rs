//! The file format of models.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::layout::FeatureKind;
use super::model::Model;
use super::phases::{PhaseAssignment, Phases};
use crate::eval::network::{Network, NetworkFileError};
use crate::phase::PhaseModel;

const MAGIC: &[u8; 8] = b"SURUSORD";
/// The version of the layout that is written and read.
const VERSION: u16 = 1;
/// Magic, version, two zero bytes, length of the header.
const PREFIX_LEN: usize = 16;

/// What a model is and where it comes from.
#[derive(Clone, PartialEq, Debug)]
pub struct ModelInfo {
    /// What it ranks.
    pub kind: FeatureKind,
    /// The assignment of boards to phases.
    pub phases: Phases,
    /// The training method.
    pub method: String,
    /// Settings and data of the training, in words.
    pub training: String,
}

/// A model file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelFileError {
    /// The file cannot be read.
    #[error("can't read {}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// Another kind of file.
    #[error("not an ordering model: expected the file to start with SURUSORD")]
    Foreign,
    /// Written by another version of the program.
    #[error("ordering model of version {found}: expected {VERSION}; train it again with this program")]
    Version {
        /// The version of the file.
        found: u16,
    },
    /// Shorter than its header says.
    #[error("truncated ordering model: {found} bytes, expected {expected}")]
    Truncated {
        /// The length of the file.
        found: usize,
        /// The expected length.
        expected: usize,
    },
    /// Changed after it was written.
    #[error("corrupt ordering model: its checksum does not match")]
    Checksum,
    /// An invalid header.
    #[error("invalid header of an ordering model: {0}")]
    Header(String),
    /// The network in the file cannot be used.
    #[error(transparent)]
    Network(#[from] NetworkFileError),
    /// Trained with other features than this program has.
    #[error(
        "ordering model for other features: group '{found}', expected '{expected}'; train it again with this program"
    )]
    Features {
        /// A group of the file.
        found: String,
        /// The group that this program has in its place.
        expected: String,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    features: String,
    phases: String,
    /// The text of the file of phases, if they are not built in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    phase_model: Option<String>,
    method: String,
    training: String,
    unit: f32,
    /// The length of the network that follows the weights; 0 without.
    #[serde(default, skip_serializing_if = "is_zero")]
    network_len: usize,
    /// The number of features of each group.
    groups: Vec<(String, usize)>,
}

const fn is_zero(len: &usize) -> bool {
    *len == 0
}

impl Model {
    /// Loads a file.
    pub fn load(path: &Path) -> Result<Self, ModelFileError> {
        let bytes = fs::read(path).map_err(|error| ModelFileError::Io { path: path.into(), error })?;
        Self::from_bytes(&bytes)
    }

    /// The contents of a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let network = self.network.as_ref().map_or_else(Vec::new, Network::to_bytes);
        let header = Header {
            network_len: network.len(),
            features: self.info.kind.to_string(),
            phases: self.info.phases.name().into(),
            phase_model: self.info.phases.phase_model().map(PhaseModel::to_toml),
            method: self.info.method.clone(),
            training: self.info.training.clone(),
            unit: self.unit,
            groups: groups(self.info.kind),
        };
        // Strings and numbers always serialise.
        let header = toml::to_string(&header).unwrap_or_default().into_bytes();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([0; 2]);
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header);
        bytes.extend(self.weights.iter().flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(network);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the contents of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelFileError> {
        let truncated = |expected: usize| ModelFileError::Truncated { found: bytes.len(), expected };
        let common = MAGIC.len().min(bytes.len());
        if bytes[..common] != MAGIC[..common] {
            return Err(ModelFileError::Foreign);
        }
        let Some(prefix) = bytes.first_chunk::<PREFIX_LEN>() else { return Err(truncated(PREFIX_LEN)) };
        let [.., a, b, _, _, c, d, e, f] = *prefix;
        let found = u16::from_le_bytes([a, b]);
        if found != VERSION {
            return Err(ModelFileError::Version { found });
        }
        let header_end = PREFIX_LEN.saturating_add(u32::from_le_bytes([c, d, e, f]) as usize);
        let header = bytes.get(PREFIX_LEN..header_end).ok_or_else(|| truncated(header_end))?;
        let (content, sum) = bytes.split_last_chunk::<4>().ok_or_else(|| truncated(header_end + 4))?;
        let intact = crc32fast::hash(content).to_le_bytes() == *sum;
        let invalid =
            |error: String| if intact { ModelFileError::Header(error) } else { ModelFileError::Checksum };
        let header: Header = toml::from_slice(header).map_err(|error| invalid(error.to_string()))?;
        let info = header.info().map_err(invalid)?;
        if intact {
            header.check_groups(info.kind)?;
        }
        let count: usize = header.groups.iter().map(|(_, len)| len).sum::<usize>() * info.phases.count();
        let weights_end = header_end + 2 * count;
        let expected = weights_end.saturating_add(header.network_len).saturating_add(4);
        if bytes.len() < expected {
            return Err(truncated(expected));
        }
        if !intact || bytes.len() != expected {
            return Err(ModelFileError::Checksum);
        }
        let (weights, _) = content[header_end..weights_end].as_chunks::<2>();
        let weights = weights.iter().map(|&weight| i16::from_le_bytes(weight)).collect();
        let network = Some(&content[weights_end..]).filter(|bytes| !bytes.is_empty());
        let network = network.map(Network::from_bytes).transpose()?;
        Ok(Self { info, weights, unit: header.unit, network })
    }
}

impl Header {
    fn info(&self) -> Result<ModelInfo, String> {
        let kind = FeatureKind::from_name(&self.features);
        let kind = kind.ok_or_else(|| format!("features '{}', expected turn or action", self.features))?;
        let model = self.phase_model.as_deref().map(PhaseModel::parse).transpose();
        let model = model.map_err(|error| error.to_string())?;
        let phases = Phases::from_parts(&self.phases, model);
        let phases = phases.ok_or_else(|| format!("unknown phases '{}'", self.phases))?;
        if !self.unit.is_finite() || self.unit <= 0.0 {
            return Err(format!("unit {}, expected a number above 0", self.unit));
        }
        Ok(ModelInfo { kind, phases, method: self.method.clone(), training: self.training.clone() })
    }

    fn check_groups(&self, kind: FeatureKind) -> Result<(), ModelFileError> {
        let mine = groups(kind);
        let name = |group: Option<&(String, usize)>| {
            group.map_or("none".into(), |(name, len)| format!("{name}, {len} features"))
        };
        for index in 0..mine.len().max(self.groups.len()) {
            let (found, expected) = (self.groups.get(index), mine.get(index));
            if found != expected {
                return Err(ModelFileError::Features { found: name(found), expected: name(expected) });
            }
        }
        Ok(())
    }
}

fn groups(kind: FeatureKind) -> Vec<(String, usize)> {
    kind.layout().groups.iter().map(|group| (group.name.to_string(), group.len())).collect()
}

#[cfg(test)]
mod tests {
    use surus_rules::{Position, Side};

    use super::*;
    use crate::eval::network::{BUCKETS, INPUT_COUNT, NetworkInfo, TrainedWeights};

    fn model(phases: Phases) -> Model {
        let info = ModelInfo {
            kind: FeatureKind::Turn,
            phases,
            method: "test".into(),
            training: "synthetic".into(),
        };
        let count = info.kind.layout().dimension() * info.phases.count();
        let fitted: Vec<f32> = (0..count).map(|index| (index as f32 * 0.37).sin()).collect();
        Model::from_fitted(info, &fitted)
    }

    #[test]
    fn models_round_trip() {
        let clusters = "format = 1\nkind = \"clusters\"\nsource = \"games\"\nscales = [16.0, 15.0, 1.0]\nvariance = 0.01\n\
                        [[cluster]]\ncentroid = [15.5, 1.0, 0.0]\nboards = 3\n\
                        [[cluster]]\ncentroid = [9.0, 5.0, 0.5]\nboards = 2\n[end]\nclusters = 2\n";
        let clusters = std::sync::Arc::new(PhaseModel::parse(clusters).unwrap());
        let fitted = [Phases::Model(clusters.clone()), Phases::SoftModel(clusters)];
        for phases in Phases::BUILT_IN.into_iter().chain(fitted) {
            let model = model(phases);
            assert_eq!(Model::from_bytes(&model.to_bytes()).unwrap(), model);
        }
    }

    #[test]
    fn a_network_is_part_of_the_file() {
        let info = NetworkInfo {
            inputs: INPUT_COUNT,
            hidden: 32,
            buckets: BUCKETS,
            scale: 1000,
            training: "synthetic".into(),
            base: None,
        };
        let numbers = |count: usize| -> Vec<f32> { (0..count).map(|i| (i as f32 * 0.7).sin()).collect() };
        let [rows, bias, output, output_bias] =
            [INPUT_COUNT * 32, 32, 2 * BUCKETS * 32, BUCKETS].map(numbers);
        let network = Network::from_trained(
            info,
            &TrainedWeights { rows: &rows, bias: &bias, output: &output, output_bias: &output_bias },
        );
        let board = *"g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]"
            .parse::<Position>()
            .unwrap()
            .board();
        let score = network.evaluate(&board, Side::Silver);
        let model = model(Phases::Single).with_network(network);
        let bytes = model.to_bytes();
        let read = Model::from_bytes(&bytes).unwrap();
        assert_eq!(read, model);
        assert!((read.network_logit(&board, Side::Gold) + score as f32 / 1000.0).abs() < 1e-4);
        assert!(score != 0 && Model::from_bytes(&bytes[..bytes.len() - 9]).is_err());
    }

    #[test]
    fn every_truncated_file_is_rejected() {
        let bytes = model(Phases::Single).to_bytes();
        for len in (0..200).chain(bytes.len() - 200..bytes.len()) {
            assert!(Model::from_bytes(&bytes[..len]).is_err(), "{len}");
        }
        assert!(matches!(Model::from_bytes(&bytes[..40]), Err(ModelFileError::Truncated { found: 40, .. })));
    }

    #[test]
    fn foreign_old_and_changed_files_are_rejected() {
        let bytes = model(Phases::Single).to_bytes();
        assert!(matches!(Model::from_bytes(b"format = 1\n"), Err(ModelFileError::Foreign)));
        let mut old = bytes.clone();
        old[8] = 9;
        assert!(matches!(Model::from_bytes(&old), Err(ModelFileError::Version { found: 9 })));
        for place in [20, bytes.len() / 2, bytes.len() - 1] {
            let mut changed = bytes.clone();
            changed[place] ^= 1;
            assert!(matches!(Model::from_bytes(&changed), Err(ModelFileError::Checksum)), "{place}");
        }
    }

    #[test]
    fn model_for_other_features_is_rejected() {
        let bytes = model(Phases::Single).to_bytes();
        let header_end = 16 + u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]) as usize;
        let text = String::from_utf8(bytes[16..header_end].to_vec()).unwrap();
        let mut other = bytes[..16].to_vec();
        other.extend(text.replace("\"source\"", "\"sourcE\"").into_bytes());
        other.extend(&bytes[header_end..bytes.len() - 4]);
        other.extend(crc32fast::hash(&other).to_le_bytes());
        let error = Model::from_bytes(&other).unwrap_err();
        assert!(
            error.to_string().contains("group 'sourcE, 384 features', expected 'source, 384 features'"),
            "{error}"
        );
    }
}
