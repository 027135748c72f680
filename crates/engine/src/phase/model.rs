//! Either kind of model, read from a file.

use std::path::Path;

use serde::de::DeserializeOwned;

use super::{
    FORMAT, GamePhase, PhaseClusters, PhaseFeatures, PhaseHeuristic, PhaseModelError, clusters, heuristic,
};

/// Assigns boards to phases, which are numbered in the order of a game.
///
/// ```
/// use surus_engine::phase::{PhaseFeatures, PhaseModel};
///
/// let model = PhaseModel::default();
/// let memberships = model.memberships(PhaseFeatures { min_pieces: 16, max_advanced: 0, goal_threat: false });
/// assert_eq!(memberships.len(), model.count());
/// assert!((memberships.iter().sum::<f32>() - 1.0).abs() < 1e-5 && memberships[0] > 0.9);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum PhaseModel {
    /// Named phases with cut-offs.
    Heuristic(PhaseHeuristic),
    /// Clusters of games.
    Clusters(PhaseClusters),
}

impl PhaseModel {
    /// Loads a file of either kind.
    pub fn load(path: &Path) -> Result<Self, PhaseModelError> {
        Self::parse(&read(path)?)
    }

    /// Parses the text of a file of either kind.
    pub fn parse(text: &str) -> Result<Self, PhaseModelError> {
        match header(text)?.1.as_str() {
            heuristic::KIND => PhaseHeuristic::parse(text).map(Self::Heuristic),
            clusters::KIND => PhaseClusters::parse(text).map(Self::Clusters),
            kind => Err(PhaseModelError::Kind { found: kind.into(), expected: "heuristic' or 'clusters" }),
        }
    }

    /// The text of a file with this model.
    #[must_use]
    pub fn to_toml(&self) -> String {
        match self {
            Self::Heuristic(heuristic) => heuristic.to_toml(),
            Self::Clusters(clusters) => clusters.to_toml(),
        }
    }

    /// The number of phases.
    #[must_use]
    pub fn count(&self) -> usize {
        match self {
            Self::Heuristic(_) => GamePhase::ALL.len(),
            Self::Clusters(clusters) => clusters.clusters().len(),
        }
    }

    /// The phase of a board (hard membership).
    #[must_use]
    pub fn phase(&self, features: PhaseFeatures) -> usize {
        match self {
            Self::Heuristic(heuristic) => heuristic.phase(features) as usize,
            Self::Clusters(clusters) => clusters.nearest(features),
        }
    }

    /// The probabilities of the phases (soft membership), which sum to 1.
    #[must_use]
    pub fn memberships(&self, features: PhaseFeatures) -> Vec<f32> {
        match self {
            Self::Heuristic(heuristic) => heuristic.memberships(features).into(),
            Self::Clusters(clusters) => clusters.memberships(features),
        }
    }

    /// The name of a phase: that of the heuristic, or a number from 1.
    #[must_use]
    pub fn phase_name(&self, phase: usize) -> String {
        match self {
            Self::Heuristic(_) => GamePhase::ALL.get(phase).map_or_else(String::new, GamePhase::to_string),
            Self::Clusters(_) => format!("cluster {}", phase + 1),
        }
    }
}

impl Default for PhaseModel {
    fn default() -> Self {
        Self::Heuristic(PhaseHeuristic::embedded())
    }
}

/// The text of a file.
pub(super) fn read(path: &Path) -> Result<String, PhaseModelError> {
    String::from_utf8(std::fs::read(path)?).map_err(|_| PhaseModelError::NotText)
}

/// The version and kind of a file. The version is checked first, since other versions may have other fields.
fn header(text: &str) -> Result<(toml::Table, String), PhaseModelError> {
    #[derive(serde::Deserialize)]
    struct Header {
        format: u32,
        kind: String,
    }
    let mut table: toml::Table = toml::from_str(text)?;
    let Header { format, kind } = toml::from_str(text)?;
    if format != FORMAT {
        return Err(PhaseModelError::Format(format));
    }
    table.remove("format");
    table.remove("kind");
    Ok((table, kind))
}

/// The fields of a file of the expected kind.
pub(super) fn parse_kind<T: DeserializeOwned>(
    text: &str,
    expected: &'static str,
) -> Result<T, PhaseModelError> {
    let (table, found) = header(text)?;
    if found != expected {
        return Err(PhaseModelError::Kind { found, expected });
    }
    Ok(table.try_into()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_a_file_is_detected() {
        let heuristic = PhaseHeuristic::embedded().to_toml();
        assert_eq!(PhaseModel::parse(&heuristic).unwrap(), PhaseModel::default());
        let other = heuristic.replace("\"heuristic\"", "\"trees\"");
        assert_eq!(
            PhaseModel::parse(&other).unwrap_err().to_string(),
            "the file has a model of kind 'trees': expected 'heuristic' or 'clusters'"
        );
        assert!(PhaseModel::parse("[").unwrap_err().to_string().starts_with("invalid phase file: "));
        assert!(
            PhaseModel::parse("kind = 'clusters'")
                .unwrap_err()
                .to_string()
                .contains("missing field `format`")
        );
    }
}
