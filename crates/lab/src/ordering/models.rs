//! The compared models.

use std::sync::Arc;

use surus_engine::ordering::{FeatureKind, Phases};
use surus_engine::phase::{Cluster, PhaseFeatures, PhaseModel};
use surus_learn::ordering::{Dataset, LinearConfig, Method, ModelSpec};
use surus_learn::phase::{FitOptions, PhaseHistogram, fit_clusters};

use crate::error::LabError;

/// A model of the comparison.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) name: &'static str,
    method: Method,
    published: bool,
    phases: CandidatePhases,
}

/// How a candidate assigns boards to phases.
#[derive(Clone, Copy, Debug)]
enum CandidatePhases {
    Single,
    Pieces,
    SoftPieces,
    /// Three clusters of the boards of the set.
    Clusters,
    SoftClusters,
    /// As many clusters as X-means finds, at least three.
    XMeans,
}

/// The clusters of the boards of a set [Phase §5.3].
#[derive(Clone, Debug)]
pub(super) struct Clusters {
    three: Arc<PhaseModel>,
    x_means: Arc<PhaseModel>,
}

impl Clusters {
    pub(super) fn fit(data: &Dataset) -> Result<Self, LabError> {
        let boards = data.games.iter().flat_map(|game| &game.decisions).map(|decision| decision.board);
        let mut histogram = PhaseHistogram::default();
        histogram.extend(boards.map(|board| (PhaseFeatures::new(&board), 1)));
        let name = data.groups.join(", ");
        let fit = |max_k| {
            let options = FitOptions { min_k: 3, max_k, ..FitOptions::default() };
            let fitted = fit_clusters(&histogram, &options, &name)
                .map_err(|error| LabError::Config { name: name.clone(), problem: error.to_string() })?;
            Ok::<_, LabError>(Arc::new(PhaseModel::Clusters(fitted.model)))
        };
        Ok(Self { three: fit(3)?, x_means: fit(8)? })
    }

    /// The clusters for the page: mean pieces, advanced pieces, share of goal threats.
    pub(super) fn description(&self) -> String {
        let list = |model: &PhaseModel| {
            let PhaseModel::Clusters(clusters) = model else { return String::new() };
            let one = |cluster: &Cluster| {
                let [pieces, advanced, threat] = cluster.centroid;
                format!("{pieces:.1} / {advanced:.1} / {threat:.2}")
            };
            clusters.clusters().iter().map(one).collect::<Vec<_>>().join(", ")
        };
        format!("three: {}; X-means, 3 to 8: {}", list(&self.three), list(&self.x_means))
    }
}

const fn candidate(
    name: &'static str,
    method: Method,
    published: bool,
    phases: CandidatePhases,
) -> Candidate {
    Candidate { name, method, published, phases }
}

/// One naive Bayes with the published groups.
pub(super) const PUBLISHED: usize = 0;
/// One for each of three clusters.
pub(super) const PUBLISHED_CLUSTERS: usize = 15;
/// The generalised Bradley-Terry model with all features.
pub(super) const BEST: usize = 9;

pub(super) const CANDIDATES: [Candidate; 20] = [
    candidate("naive Bayes, published groups", Method::NaiveBayes, true, CandidatePhases::Single),
    candidate(
        "naive Bayes, published groups, 3 ranges of pieces",
        Method::NaiveBayes,
        true,
        CandidatePhases::Pieces,
    ),
    candidate(
        "naive Bayes, published groups, 3 soft ranges",
        Method::NaiveBayes,
        true,
        CandidatePhases::SoftPieces,
    ),
    candidate("naive Bayes", Method::NaiveBayes, false, CandidatePhases::Single),
    candidate("naive Bayes, 3 ranges of pieces", Method::NaiveBayes, false, CandidatePhases::Pieces),
    candidate("naive Bayes, 3 soft ranges", Method::NaiveBayes, false, CandidatePhases::SoftPieces),
    candidate("logistic regression", Method::Logistic, false, CandidatePhases::Single),
    candidate("linear SVM", Method::Svm, false, CandidatePhases::Single),
    candidate("Bradley-Terry, published groups", Method::BradleyTerry, true, CandidatePhases::Single),
    candidate("Bradley-Terry", Method::BradleyTerry, false, CandidatePhases::Single),
    candidate("Bradley-Terry, 3 ranges of pieces", Method::BradleyTerry, false, CandidatePhases::Pieces),
    candidate("Bradley-Terry, 3 soft ranges", Method::BradleyTerry, false, CandidatePhases::SoftPieces),
    candidate("logistic regression, 3 soft ranges", Method::Logistic, false, CandidatePhases::SoftPieces),
    candidate("linear SVM, 3 soft ranges", Method::Svm, false, CandidatePhases::SoftPieces),
    candidate(
        "Bradley-Terry, published groups, 3 soft ranges",
        Method::BradleyTerry,
        true,
        CandidatePhases::SoftPieces,
    ),
    candidate(
        "naive Bayes, published groups, 3 clusters",
        Method::NaiveBayes,
        true,
        CandidatePhases::Clusters,
    ),
    candidate(
        "naive Bayes, published groups, X-means clusters",
        Method::NaiveBayes,
        true,
        CandidatePhases::XMeans,
    ),
    candidate("naive Bayes, 3 clusters", Method::NaiveBayes, false, CandidatePhases::Clusters),
    candidate("Bradley-Terry, 3 clusters", Method::BradleyTerry, false, CandidatePhases::Clusters),
    candidate("Bradley-Terry, 3 soft clusters", Method::BradleyTerry, false, CandidatePhases::SoftClusters),
];

/// The models of the learning curves.
pub(super) const CURVES: [usize; 4] = [PUBLISHED, PUBLISHED_CLUSTERS, 3, BEST];

impl Candidate {
    /// What determines the model; `clusters` are those of the boards that it is trained on.
    pub(super) fn spec(&self, clusters: &Clusters, epochs: u32) -> ModelSpec {
        let kind = FeatureKind::Turn;
        let phases = match self.phases {
            CandidatePhases::Single => Phases::Single,
            CandidatePhases::Pieces => Phases::Pieces,
            CandidatePhases::SoftPieces => Phases::SoftPieces,
            CandidatePhases::Clusters => Phases::Model(clusters.three.clone()),
            CandidatePhases::SoftClusters => Phases::SoftModel(clusters.three.clone()),
            CandidatePhases::XMeans => Phases::Model(clusters.x_means.clone()),
        };
        ModelSpec {
            phases,
            mask: kind.layout().mask(|group| group.published || !self.published),
            config: LinearConfig { epochs, ..LinearConfig::default() },
            ..ModelSpec::new(kind, self.method)
        }
    }
}

/// The models that rank actions.
pub(super) fn action_specs(epochs: u32) -> [(&'static str, ModelSpec); 2] {
    let spec = |method| ModelSpec {
        config: LinearConfig { epochs, ..LinearConfig::default() },
        ..ModelSpec::new(FeatureKind::Action, method)
    };
    [("naive Bayes", spec(Method::NaiveBayes)), ("Bradley-Terry", spec(Method::BradleyTerry))]
}
