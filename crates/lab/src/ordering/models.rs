//! The compared models.

use surus_engine::ordering::{FeatureKind, Phases};
use surus_learn::ordering::{LinearConfig, Method, ModelSpec};

/// A model of the comparison.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) name: &'static str,
    method: Method,
    published: bool,
    phases: Phases,
}

const fn candidate(name: &'static str, method: Method, published: bool, phases: Phases) -> Candidate {
    Candidate { name, method, published, phases }
}

/// One naive Bayes with the published groups.
pub(super) const PUBLISHED: usize = 0;
/// Three of them.
pub(super) const PUBLISHED_PHASES: usize = 1;
/// The generalised Bradley-Terry model with all features.
pub(super) const BEST: usize = 9;

pub(super) const CANDIDATES: [Candidate; 15] = [
    candidate("naive Bayes, published groups", Method::NaiveBayes, true, Phases::Single),
    candidate("naive Bayes, published groups, 3 phases", Method::NaiveBayes, true, Phases::Pieces),
    candidate("naive Bayes, published groups, 3 soft phases", Method::NaiveBayes, true, Phases::SoftPieces),
    candidate("naive Bayes", Method::NaiveBayes, false, Phases::Single),
    candidate("naive Bayes, 3 phases", Method::NaiveBayes, false, Phases::Pieces),
    candidate("naive Bayes, 3 soft phases", Method::NaiveBayes, false, Phases::SoftPieces),
    candidate("logistic regression", Method::Logistic, false, Phases::Single),
    candidate("linear SVM", Method::Svm, false, Phases::Single),
    candidate("Bradley-Terry, published groups", Method::BradleyTerry, true, Phases::Single),
    candidate("Bradley-Terry", Method::BradleyTerry, false, Phases::Single),
    candidate("Bradley-Terry, 3 phases", Method::BradleyTerry, false, Phases::Pieces),
    candidate("Bradley-Terry, 3 soft phases", Method::BradleyTerry, false, Phases::SoftPieces),
    candidate("logistic regression, 3 soft phases", Method::Logistic, false, Phases::SoftPieces),
    candidate("linear SVM, 3 soft phases", Method::Svm, false, Phases::SoftPieces),
    candidate(
        "Bradley-Terry, published groups, 3 soft phases",
        Method::BradleyTerry,
        true,
        Phases::SoftPieces,
    ),
];

/// The models of the learning curves.
pub(super) const CURVES: [usize; 4] = [PUBLISHED, PUBLISHED_PHASES, 3, BEST];

impl Candidate {
    pub(super) fn spec(&self, epochs: u32) -> ModelSpec {
        let kind = FeatureKind::Turn;
        ModelSpec {
            phases: self.phases,
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
