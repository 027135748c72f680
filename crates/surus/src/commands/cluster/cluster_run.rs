//! `cluster.toml`, the description of a run on a cluster.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use surus_arena::{Sprt, differences, join_differences};
use surus_record::journal::replace_file;

use super::SlurmArgs;

/// What a command computes on a cluster.
pub(crate) struct Plan {
    /// `match`, `sprt`, `round robin`, `gauntlet`, `selfplay`, `relabel` or `lab`.
    pub(crate) kind: String,
    /// Number of games of all tasks.
    pub(crate) games: u64,
    /// Pairs in a block of a contest.
    pub(crate) block_pairs: u64,
    /// The test that ends the run.
    pub(crate) sprt: Option<SprtRecord>,
    /// Processors of each task.
    pub(crate) processors: usize,
    /// Everything that determines the games, such as the full ids of the engines.
    pub(crate) settings: BTreeMap<String, String>,
}

impl Plan {
    /// Work that is not divided into blocks.
    pub(crate) fn new(kind: &str, games: u64, processors: usize, settings: BTreeMap<String, String>) -> Self {
        Self { kind: kind.into(), games, block_pairs: 0, sprt: None, processors, settings }
    }
}

/// A run on a cluster, as it was submitted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ClusterRun {
    pub(crate) kind: String,
    pub(crate) games: u64,
    pub(crate) tasks: u64,
    pub(crate) block_pairs: u64,
    pub(crate) processors: usize,
    /// The program, its arguments and its working directory.
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    pub(crate) directory: PathBuf,
    /// Numbers of the submitted jobs.
    pub(crate) jobs: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) partition: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sbatch: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sprt: Option<SprtRecord>,
    pub(crate) settings: BTreeMap<String, String>,
}

/// The parameters of a sequential test.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SprtRecord {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: String,
}

impl From<Sprt> for SprtRecord {
    fn from(sprt: Sprt) -> Self {
        let ((elo0, elo1), (alpha, beta)) = (sprt.bounds(), sprt.rates());
        Self { elo0, elo1, alpha, beta, model: sprt.model().to_string() }
    }
}

impl SprtRecord {
    pub(crate) fn test(&self) -> Result<Sprt> {
        Ok(Sprt::new(self.elo0, self.elo1, self.alpha, self.beta, self.model.parse()?)?)
    }
}

impl ClusterRun {
    /// A run in a directory. If the directory has the same run already, its blocks, tasks and jobs stay.
    pub(crate) fn new(plan: Plan, args: &SlurmArgs, dir: &Path) -> Result<Self> {
        let Plan { kind, games, block_pairs, sprt, processors, settings } = plan;
        let mut run = Self {
            kind,
            games,
            tasks: args.tasks,
            block_pairs,
            processors: processors.max(1),
            program: std::env::current_exe().context("the path of this program")?,
            arguments: std::env::args().skip(1).collect(),
            directory: std::env::current_dir().context("the working directory")?,
            jobs: Vec::new(),
            partition: args.job.partition.clone(),
            sbatch: args.job.sbatch.clone(),
            sprt,
            settings,
        };
        if file(dir).exists() {
            let before = Self::read(dir)?;
            before.require_same_settings(&run.settings)?;
            // Blocks and tasks keep their numbers.
            run.tasks = run.tasks.max(before.tasks);
            (run.block_pairs, run.jobs) = (before.block_pairs, before.jobs);
        }
        Ok(run)
    }

    /// Whether a directory contains a run on a cluster.
    pub(crate) fn is_in(dir: &Path) -> bool {
        file(dir).exists()
    }

    /// Reads the description of a run.
    pub(crate) fn read(dir: &Path) -> Result<Self> {
        let path = file(dir);
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        toml::from_str(&text).with_context(|| path.display().to_string())
    }

    /// Writes the description.
    pub(crate) fn write(&self, dir: &Path) -> Result<()> {
        let path = file(dir);
        replace_file(&path, toml::to_string(self)?.as_bytes()).with_context(|| path.display().to_string())
    }

    /// Refuses to work on the run with another program or other engines than those it was submitted with.
    pub(crate) fn require_same_settings(&self, now: &BTreeMap<String, String>) -> Result<()> {
        let differences = differences(&self.settings, now);
        if differences.is_empty() {
            return Ok(());
        }
        bail!(
            "this is not the run that was submitted: {}; no game was played. Make the same program and the same files \
             available on every node, then resume with `surus run resume DIR`, or start a new run in another directory",
            join_differences(&differences)
        )
    }

    /// Whether the tasks are run directories of a contest.
    pub(crate) fn is_contest(&self) -> bool {
        matches!(self.kind.as_str(), "match" | "sprt" | "round robin" | "gauntlet")
    }
}

fn file(dir: &Path) -> PathBuf {
    dir.join("cluster.toml")
}
