//! What a model is trained by.

use std::fmt;
use std::str::FromStr;

use surus_engine::ordering::{FeatureKind, Model, ModelInfo, PhaseAssignment, Phases};

use super::OrderingError;
use super::choices::ChoiceSet;
use super::dataset::DecisionGame;
use super::linear::{LinearConfig, LinearTrainer};
use super::loss::Loss;
use super::naive_bayes::NaiveBayes;
use super::parallel::Workload;

/// The choices that a model is fitted to.
#[derive(Clone, Copy, Debug)]
pub struct TrainingSet<'a> {
    pub(super) choices: &'a ChoiceSet,
    /// The indices of the choices to use.
    pub(super) selected: &'a [u32],
    /// For each feature, whether the model may use it.
    pub(super) mask: &'a [bool],
    /// The shares of each choice in the phases, one after the other.
    pub(super) shares: &'a [f32],
    pub(super) phases: usize,
}

impl TrainingSet<'_> {
    /// The shares of a choice.
    pub(super) fn shares(&self, choice: u32) -> &[f32] {
        &self.shares[choice as usize * self.phases..][..self.phases]
    }

    /// Rejects data from which nothing can be learned.
    pub(super) fn check(&self) -> Result<(), OrderingError> {
        if !self.mask.contains(&true) {
            return Err(OrderingError::NoFeatures);
        }
        if self.selected.is_empty() {
            return Err(OrderingError::SingleClass("played turns with alternatives"));
        }
        Ok(())
    }
}

/// A training method.
pub trait Trainer {
    /// Fits a weight to each feature and phase, phase after phase.
    fn fit(&self, data: &TrainingSet<'_>, work: &Workload<'_>) -> Result<Vec<f32>, OrderingError>;
}

/// The training methods by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Multivariate Bernoulli with Laplace smoothing.
    NaiveBayes,
    /// Logistic regression of played against other turns.
    Logistic,
    /// A linear support vector machine.
    Svm,
    /// The generalised Bradley-Terry model: softmax over the turns of a position.
    BradleyTerry,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 4] = [Self::NaiveBayes, Self::Logistic, Self::Svm, Self::BradleyTerry];

    /// The trainer of the method.
    #[must_use]
    pub fn trainer(self, config: &LinearConfig) -> Box<dyn Trainer> {
        let linear = |loss| Box::new(LinearTrainer { loss, config: *config });
        match self {
            Self::NaiveBayes => Box::new(NaiveBayes),
            Self::Logistic => linear(Loss::Logistic),
            Self::Svm => linear(Loss::Hinge),
            Self::BradleyTerry => linear(Loss::Softmax),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::NaiveBayes => "naive-bayes",
            Self::Logistic => "logistic",
            Self::Svm => "svm",
            Self::BradleyTerry => "bradley-terry",
        })
    }
}

/// A name of no method.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown method '{0}': expected naive-bayes, logistic, svm or bradley-terry")]
pub struct UnknownMethod(pub String);

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(text: &str) -> Result<Self, UnknownMethod> {
        let found = Self::ALL.into_iter().find(|method| method.to_string() == text);
        found.ok_or_else(|| UnknownMethod(text.into()))
    }
}

/// Everything that determines a model, besides its data.
#[derive(Clone, PartialEq, Debug)]
pub struct ModelSpec {
    /// What it ranks.
    pub kind: FeatureKind,
    /// The training method.
    pub method: Method,
    /// Game phases.
    pub phases: Phases,
    /// For each feature, whether the model may use it.
    pub mask: Vec<bool>,
    /// Settings of the linear methods.
    pub config: LinearConfig,
}

impl ModelSpec {
    /// A model with all features.
    #[must_use]
    pub fn new(kind: FeatureKind, method: Method) -> Self {
        Self {
            kind,
            method,
            phases: Phases::Single,
            mask: kind.layout().mask(|_| true),
            config: LinearConfig::default(),
        }
    }

    /// Fits the model to the selected choices.
    pub fn train(
        &self,
        games: &[DecisionGame],
        choices: &ChoiceSet,
        selected: &[u32],
        training: &str,
        work: &Workload<'_>,
    ) -> Result<Model, OrderingError> {
        let shares = choices.shares(games, &self.phases);
        let data =
            TrainingSet { choices, selected, mask: &self.mask, shares: &shares, phases: self.phases.count() };
        data.check()?;
        let weights = self.method.trainer(&self.config).fit(&data, work)?;
        let info = ModelInfo {
            kind: self.kind,
            phases: self.phases.clone(),
            method: self.method.to_string(),
            training: training.into(),
        };
        Ok(Model::from_fitted(info, &weights))
    }
}
