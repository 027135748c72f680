//! Why a file of phases cannot be used.

use super::FORMAT;

/// An invalid file of phases.
#[derive(Debug, thiserror::Error)]
pub enum PhaseModelError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// A binary file.
    #[error("not a file of game phases: expected TOML text")]
    NotText,
    /// Not a file of phases, or one that was cut off.
    #[error("invalid phase file: {0}")]
    Toml(#[from] toml::de::Error),
    /// Another format version.
    #[error("unsupported phase format {0}: expected {FORMAT}")]
    Format(u32),
    /// The file has the other kind of model.
    #[error("the file has a model of kind '{found}': expected '{expected}'")]
    Kind {
        /// The kind in the file.
        found: String,
        /// The kind that was asked for.
        expected: &'static str,
    },
    /// A number that makes no sense.
    #[error("{field} is {found}: expected {expected}")]
    Value {
        /// Where it is.
        field: &'static str,
        /// What the file has.
        found: String,
        /// What would be valid.
        expected: &'static str,
    },
    /// The number of clusters disagrees with the list of them.
    #[error("the file has {found} clusters: expected {expected}, as its last line says")]
    Clusters {
        /// The number of centroids.
        found: usize,
        /// The number that the file gives.
        expected: usize,
    },
}
