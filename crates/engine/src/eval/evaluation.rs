//! The evaluation that an engine uses: the option `weights`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use surus_play::{EngineId, InvalidValue, OptionValue};
use surus_rules::{Board, Side};

use super::network::{Network, NetworkFileError};
use super::{HANDCRAFTED_SCALE, Weights, WeightsError, handcrafted};
use crate::common::score::Score;

/// An evaluation with its weights. Clones share them.
#[derive(Clone, PartialEq, Debug)]
pub enum Evaluation {
    /// The terms of [`super::TERMS`].
    Handcrafted(Weights),
    /// A network.
    Network(Arc<Network>),
}

/// A file of weights that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationError {
    /// The file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: std::io::Error,
    },
    /// An invalid network.
    #[error(transparent)]
    Network(#[from] NetworkFileError),
    /// Invalid weights of the handcrafted evaluation.
    #[error(transparent)]
    Weights(#[from] WeightsError),
}

/// The name of the handcrafted evaluation with its embedded weights.
const HANDCRAFTED: &str = "handcrafted";

impl Evaluation {
    /// The evaluation of an option value: a file of either kind, `handcrafted`, or empty for the default.
    pub fn named(text: &str) -> Result<Self, EvaluationError> {
        match text {
            "" => Ok(Self::default()),
            HANDCRAFTED => Ok(Self::Handcrafted(Weights::embedded())),
            path => Self::load(Path::new(path)),
        }
    }

    /// Loads a network or the weights of the handcrafted evaluation.
    pub fn load(path: &Path) -> Result<Self, EvaluationError> {
        let bytes = fs::read(path).map_err(|error| EvaluationError::File { path: path.into(), error })?;
        if Network::has_magic(&bytes) {
            return Ok(Self::Network(Arc::new(Network::from_bytes(&bytes)?)));
        }
        Ok(Self::Handcrafted(Weights::parse(&String::from_utf8_lossy(&bytes))?))
    }

    /// The score in millirabbits for the side that starts its turn.
    #[must_use]
    pub fn evaluate(&self, board: &Board, side: Side) -> Score {
        match self {
            Self::Handcrafted(weights) => handcrafted(weights, board, side),
            Self::Network(network) => network.evaluate(board, side),
        }
    }

    /// The score in centirabbits at which a side wins e times as often as it loses.
    #[must_use]
    pub fn scale(&self) -> i32 {
        match self {
            Self::Handcrafted(_) => HANDCRAFTED_SCALE,
            Self::Network(network) => network.info().scale / 10,
        }
    }

    /// A hash of the weights.
    #[must_use]
    pub fn revision(&self) -> String {
        match self {
            Self::Handcrafted(weights) => weights.revision(),
            Self::Network(network) => network.revision(),
        }
    }

    /// The id as a component of an engine's id.
    pub(crate) fn id(&self) -> EngineId {
        let name = match self {
            Self::Handcrafted(_) => HANDCRAFTED,
            Self::Network(_) => "network",
        };
        EngineId::built_in(name, self.revision(), &[])
    }
}

impl Default for Evaluation {
    fn default() -> Self {
        Self::Handcrafted(Weights::embedded())
    }
}

impl OptionValue for Evaluation {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        let invalid =
            |error: EvaluationError| InvalidValue { expected: format!("a weights file, but {error}") };
        Self::named(text).map_err(invalid)
    }
}
