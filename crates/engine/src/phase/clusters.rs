//! Phases that were found in games \[Phase §3.2.2\]: the centroids of clusters of feature vectors.

use std::fmt::Write;
use std::path::Path;

use serde::Deserialize;

use super::model::{parse_kind, read};
use super::{FEATURE_COUNT, FORMAT, PhaseFeatures, PhaseModelError};

/// The kind of its files.
pub(super) const KIND: &str = "clusters";

/// One phase.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cluster {
    /// The mean features of its boards.
    pub centroid: [f64; FEATURE_COUNT],
    /// The number of its boards.
    pub boards: u64,
}

/// The clusters, from the start of a game to its end: in the order of the mean number of pieces, most first; of
/// equals, those with fewer advanced pieces come first.
#[derive(Clone, PartialEq, Debug)]
pub struct PhaseClusters {
    clusters: Vec<Cluster>,
    scales: [f64; FEATURE_COUNT],
    variance: f64,
    source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    source: String,
    scales: [f64; FEATURE_COUNT],
    variance: f64,
    cluster: Vec<Cluster>,
    /// The last section, so that a file that was cut off lacks it.
    end: End,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct End {
    clusters: usize,
}

impl PhaseClusters {
    /// A model of centroids. A feature is divided by its scale before distances are taken; `variance` is that of the
    /// scaled features around their centroids, the mean over the features. `source` says what it was fitted to.
    pub fn new(
        mut clusters: Vec<Cluster>,
        scales: [f64; FEATURE_COUNT],
        variance: f64,
        source: &str,
    ) -> Result<Self, PhaseModelError> {
        let invalid = |field, found: f64, expected| PhaseModelError::Value {
            field,
            found: found.to_string(),
            expected,
        };
        if clusters.is_empty() {
            return Err(invalid("the number of clusters", 0.0, "at least 1"));
        }
        if let Some(&scale) = scales.iter().find(|scale| !(**scale > 0.0 && scale.is_finite())) {
            return Err(invalid("a scale", scale, "a number above 0"));
        }
        if !(variance > 0.0 && variance.is_finite()) {
            return Err(invalid("variance", variance, "a number above 0"));
        }
        if let Some(&value) =
            clusters.iter().flat_map(|cluster| &cluster.centroid).find(|value| !value.is_finite())
        {
            return Err(invalid("a centroid", value, "finite numbers"));
        }
        clusters.sort_by(|a, b| {
            let fewer_advanced = || a.centroid[1].total_cmp(&b.centroid[1]);
            b.centroid[0].total_cmp(&a.centroid[0]).then_with(fewer_advanced)
        });
        Ok(Self { clusters, scales, variance, source: source.into() })
    }

    /// Loads a file.
    pub fn load(path: &Path) -> Result<Self, PhaseModelError> {
        Self::parse(&read(path)?)
    }

    /// Parses the text of a file.
    pub fn parse(text: &str) -> Result<Self, PhaseModelError> {
        let File { source, scales, variance, cluster, end } = parse_kind(text, KIND)?;
        if cluster.len() != end.clusters {
            return Err(PhaseModelError::Clusters { found: cluster.len(), expected: end.clusters });
        }
        Self::new(cluster, scales, variance, &source)
    }

    /// The phases in the order of a game.
    #[must_use]
    pub fn clusters(&self) -> &[Cluster] {
        &self.clusters
    }

    /// What the model was fitted to.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The cluster with the nearest centroid, the first one of equals.
    #[must_use]
    pub fn nearest(&self, features: PhaseFeatures) -> usize {
        let mut best = (f64::INFINITY, 0);
        for (index, distance) in self.distances(features).enumerate() {
            if distance < best.0 {
                best = (distance, index);
            }
        }
        best.1
    }

    /// Probabilities of the clusters \[Phase §6.2.1\], which sum to 1.
    ///
    /// They are those of a mixture of spherical Gaussians with equal weights, the variance σ² of the file and the scaled
    /// distance d to each centroid: proportional to exp(−d² / 2σ²). The most likely cluster is the nearest one.
    #[must_use]
    pub fn memberships(&self, features: PhaseFeatures) -> Vec<f32> {
        let exponents: Vec<f64> =
            self.distances(features).map(|distance| -distance / (2.0 * self.variance)).collect();
        let highest = exponents.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let odds: Vec<f64> = exponents.iter().map(|exponent| (exponent - highest).exp()).collect();
        let sum: f64 = odds.iter().sum();
        odds.iter().map(|odds| (odds / sum) as f32).collect()
    }

    /// The squared distance to each centroid.
    fn distances(&self, features: PhaseFeatures) -> impl Iterator<Item = f64> + '_ {
        let vector = features.vector();
        self.clusters.iter().map(move |cluster| {
            let all = vector.iter().zip(&cluster.centroid).zip(&self.scales);
            all.map(|((value, mean), scale)| ((value - mean) / scale).powi(2)).sum()
        })
    }

    /// The text of a file with these clusters.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let list = |values: &[f64]| {
            let numbers: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
            format!("[{}]", numbers.join(", "))
        };
        let mut text = format!(
            "# Clusters of min_pieces, max_advanced, goal_threat; made by `surus learn phase fit`.\n\
             format = {FORMAT}\nkind = \"{KIND}\"\nsource = {}\nscales = {}\nvariance = {:?}\n",
            toml::Value::from(self.source.as_str()),
            list(&self.scales),
            self.variance
        );
        for Cluster { centroid, boards } in &self.clusters {
            let _ = writeln!(text, "\n[[cluster]]\ncentroid = {}\nboards = {boards}", list(centroid));
        }
        let _ = write!(text, "\n[end]\nclusters = {}\n", self.clusters.len());
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> PhaseClusters {
        let cluster = |centroid, boards| Cluster { centroid, boards };
        let clusters = vec![
            cluster([9.0, 5.0, 0.75], 40),
            cluster([15.5, 1.0, 0.0], 100),
            cluster([13.0, 3.0, 0.0], 70),
        ];
        PhaseClusters::new(clusters, [16.0, 15.0, 1.0], 0.01, "three \"games\"").unwrap()
    }

    const fn features(min_pieces: u8, max_advanced: u8, goal_threat: bool) -> PhaseFeatures {
        PhaseFeatures { min_pieces, max_advanced, goal_threat }
    }

    #[test]
    fn clusters_are_in_the_order_of_a_game_and_the_nearest_one_is_most_likely() {
        let model = model();
        assert_eq!(model.clusters()[0].boards, 100);
        assert_eq!(
            [features(16, 0, false), features(13, 3, false), features(13, 3, true)]
                .map(|board| model.nearest(board)),
            [0, 1, 2]
        );
        for pieces in 0..=16 {
            for advanced in 0..=15 {
                for threat in [false, true] {
                    let board = features(pieces, advanced, threat);
                    let memberships = model.memberships(board);
                    assert!((memberships.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{memberships:?}");
                    let highest = memberships.iter().copied().fold(0.0, f32::max);
                    assert!(memberships[model.nearest(board)] >= highest - 1e-6, "{board:?}");
                }
            }
        }
    }

    /// Two centroids at scaled distances 0 and 0.1 with σ² = 0.005: odds of exp(0.01 / 0.01) to 1.
    #[test]
    fn memberships_follow_the_formula() {
        let cluster = |pieces| Cluster { centroid: [pieces, 0.0, 0.0], boards: 1 };
        let model =
            PhaseClusters::new(vec![cluster(10.0), cluster(9.0)], [10.0, 1.0, 1.0], 0.005, "").unwrap();
        let memberships = model.memberships(features(10, 0, false));
        assert!((f64::from(memberships[0]) - 1.0 / (1.0 + (-1.0_f64).exp())).abs() < 1e-6, "{memberships:?}");
    }

    #[test]
    fn files_round_trip_and_invalid_ones_are_refused() {
        let model = model();
        let text = model.to_toml();
        assert_eq!(PhaseClusters::parse(&text).unwrap(), model);
        let error =
            |from: &str, to: &str| PhaseClusters::parse(&text.replace(from, to)).unwrap_err().to_string();
        assert_eq!(error("format = 1", "format = 3"), "unsupported phase format 3: expected 1");
        assert_eq!(
            error("\"clusters\"", "\"heuristic\""),
            "the file has a model of kind 'heuristic': expected 'clusters'"
        );
        assert_eq!(
            error("clusters = 3", "clusters = 4"),
            "the file has 3 clusters: expected 4, as its last line says"
        );
        assert_eq!(error("variance = 0.01", "variance = 0.0"), "variance is 0: expected a number above 0");
        assert_eq!(error("16.0,", "0.0,"), "a scale is 0: expected a number above 0");
        assert!(
            PhaseClusters::parse("# Surus tree 1\n")
                .unwrap_err()
                .to_string()
                .starts_with("invalid phase file: ")
        );
    }

    #[test]
    fn a_file_that_was_cut_off_anywhere_is_refused() {
        let text = model().to_toml();
        for end in 0..text.trim_end().len() {
            assert!(PhaseClusters::parse(&text[..end]).is_err(), "{}", &text[..end]);
        }
    }
}
