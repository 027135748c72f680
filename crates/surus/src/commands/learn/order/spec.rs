//! Arguments that determine a model and its training.

use std::path::PathBuf;

use anyhow::{Result, bail};
use surus_engine::ordering::{FeatureKind, Group, Phases};
use surus_learn::ordering::{Dataset, LinearConfig, Method, ModelSpec, Sampling, Workload};
use surus_play::StopToken;

use super::super::data::expand;
use super::super::progress::Progress;
use crate::input::ValueError;

#[derive(clap::Args)]
pub(super) struct SpecArgs {
    /// Training method: naive-bayes, logistic, svm or bradley-terry
    #[arg(long, value_name = "NAME", default_value = "bradley-terry")]
    pub(super) method: Method,
    /// What to rank: turn or action
    #[arg(long, value_name = "KIND", default_value = "turn", value_parser = kind)]
    features: FeatureKind,
    /// Groups of `surus learn features` to use, or published for those of [Phase §5.1]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    groups: Vec<String>,
    /// Game phases: single, pieces, soft-pieces, FILE of `surus learn phase fit`, or soft:FILE
    #[arg(long, value_name = "NAME", default_value = "single")]
    phases: Phases,
    /// Number of alternatives to sample for each decision
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    alternatives: u32,
    /// Passes over the training decisions; not for naive-bayes
    #[arg(long, value_name = "N", default_value_t = LinearConfig::default().epochs, value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: u32,
    /// Initial learning rate; not for naive-bayes
    #[arg(long, value_name = "R", default_value_t = LinearConfig::default().learning_rate, value_parser = positive)]
    learning_rate: f32,
    /// Standard deviation of the Gaussian prior on each weight; not for naive-bayes
    #[arg(long, value_name = "R", default_value_t = LinearConfig::default().prior_sigma, value_parser = positive)]
    prior_sigma: f32,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
}

#[derive(clap::Args)]
pub(super) struct DataArgs {
    /// Files of `surus learn positions` or of self-play, or directories of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

fn kind(text: &str) -> Result<FeatureKind, ValueError> {
    FeatureKind::from_name(text).ok_or(ValueError("turn or action"))
}

fn positive(text: &str) -> Result<f32, ValueError> {
    let number = text.parse().ok().filter(|number: &f32| *number > 0.0 && number.is_finite());
    number.ok_or(ValueError("a number above 0"))
}

impl SpecArgs {
    pub(super) fn spec(&self) -> Result<ModelSpec> {
        let layout = self.features.layout();
        let known = |name: &str| layout.groups.iter().any(|group| group.name == name);
        if let Some(name) = self.groups.iter().find(|name| *name != "published" && !known(name)) {
            bail!(
                "unknown group '{name}' of {} features: see `surus learn features`, or use published",
                self.features
            );
        }
        let selects = |group: &Group| {
            let published = group.published && self.groups.iter().any(|name| name == "published");
            self.groups.is_empty() || published || self.groups.iter().any(|name| name == group.name)
        };
        Ok(ModelSpec {
            kind: self.features,
            method: self.method,
            phases: self.phases.clone(),
            mask: layout.mask(selects),
            config: LinearConfig {
                epochs: self.epochs,
                learning_rate: self.learning_rate,
                prior_sigma: self.prior_sigma,
                seed: self.seed,
            },
        })
    }

    pub(super) fn sampling(&self) -> Sampling {
        Sampling { alternatives: self.alternatives as usize, seed: self.seed }
    }

    /// The settings in words, for the header of a model.
    pub(super) fn description(&self, dataset: &Dataset) -> String {
        let groups = if self.groups.is_empty() { "all".into() } else { self.groups.join(", ") };
        format!(
            "{} games of {}, {} decisions, data {:08x}; groups {groups}; {} alternatives, {} epochs, rate {}, \
             prior {}, seed {}",
            dataset.games.len(),
            dataset.groups.join(", "),
            dataset.decisions(),
            dataset.checksum,
            self.alternatives,
            self.epochs,
            self.learning_rate,
            self.prior_sigma,
            self.seed
        )
    }
}

impl DataArgs {
    pub(super) fn threads(&self) -> usize {
        self.threads.into()
    }

    pub(super) fn read(&self) -> Result<Dataset> {
        Ok(Dataset::read(&expand(&self.files)?)?)
    }

    /// Calls `run` with a progress bar for its work.
    pub(super) fn with_progress<T>(
        &self,
        name: &str,
        stop: &StopToken,
        quiet: bool,
        run: impl FnOnce(&Workload<'_>) -> T,
    ) -> T {
        let progress = Progress::new(name, quiet);
        let work =
            Workload { threads: self.threads.into(), stop, progress: &|done, of| progress.set(done, of) };
        let result = run(&work);
        progress.end();
        result
    }
}
