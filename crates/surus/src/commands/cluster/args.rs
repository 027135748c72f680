//! Options of the commands that can run on a cluster.

use anyhow::Result;

use super::slurm;

#[derive(clap::Args, Clone, Debug)]
pub(crate) struct SlurmArgs {
    /// Submit the command to Slurm as a job array and wait for it; see docs/cluster.md
    #[arg(long, help_heading = "Cluster")]
    pub(crate) slurm: bool,
    /// Only write the directory of the run and its batch script
    #[arg(long, help_heading = "Cluster")]
    pub(crate) slurm_script: bool,
    /// Number of tasks of the job array
    #[arg(long, help_heading = "Cluster", value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(crate) tasks: u64,
    #[command(flatten)]
    pub(crate) job: JobArgs,
    /// Number of the task that this process is; the batch script sets it
    #[arg(long, hide = true, value_name = "I")]
    pub(crate) slurm_task: Option<u64>,
}

/// Options of a submission.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct JobArgs {
    /// Partition of the cluster [default: that of the cluster]
    #[arg(long, help_heading = "Cluster", value_name = "P")]
    pub(crate) partition: Option<String>,
    /// Further options of sbatch, such as '--time=4:00:00 --mem=2G'
    #[arg(long, help_heading = "Cluster", value_name = "OPTIONS", allow_hyphen_values = true)]
    pub(crate) sbatch: Option<String>,
    /// Return after submitting; `surus run status DIR` shows the progress
    #[arg(long, help_heading = "Cluster")]
    pub(crate) detach: bool,
}

impl SlurmArgs {
    /// Whether the command submits tasks instead of doing its work.
    pub(crate) const fn submits(&self) -> bool {
        (self.slurm || self.slurm_script) && self.slurm_task.is_none()
    }

    /// Checks that Slurm is available if it will be used, before anything is written.
    pub(crate) fn check(&self) -> Result<()> {
        if self.slurm_script { Ok(()) } else { slurm::require_sbatch() }
    }
}
