//! Commands as job arrays of Slurm on a shared file system.
//!
//! The run directory has `cluster.toml`, which describes the run, `job.sh`, the batch script, and `logs/`. Every task of the array
//! runs the command that was submitted, with its number as `--slurm-task`.

mod args;
mod cluster_run;
mod progress;
mod script;
mod slurm;
mod status;
mod submit;
mod task;
mod watch;

pub(crate) use args::{JobArgs, SlurmArgs};
pub(crate) use cluster_run::{ClusterRun, Plan};
pub(crate) use script::insert_option;
pub(crate) use slurm::cancel;
pub(crate) use status::RunStatus;
pub(crate) use submit::{submit, submit_again};
pub(crate) use task::{ClusterTask, invocation, wait_until_free};
pub(crate) use watch::wait;
