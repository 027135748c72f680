//! Training data on a cluster: every task writes the shard of its number.

use std::path::Path;

use anyhow::Result;
use surus_record::Shard;
use surus_record::packed::Provenance;

use crate::CommandStatus;
use crate::commands::cluster::{ClusterRun, ClusterTask, Plan, SlurmArgs, submit};
use crate::shutdown::Shutdown;

/// Submits the tasks of a command instead of doing its work.
pub(super) fn submit_data(
    plan: Plan,
    args: &SlurmArgs,
    dir: &Path,
    json: bool,
    shutdown: &Shutdown,
) -> Result<CommandStatus> {
    args.check()?;
    submit(ClusterRun::new(plan, args, dir)?, args, dir, json, shutdown)
}

/// The shard of the task that this process is, if it is one with the engine and settings that were submitted.
pub(super) fn data_task(args: &SlurmArgs, dir: &Path, provenance: &Provenance) -> Result<Option<Shard>> {
    let Some(task) = ClusterTask::of(args, dir)? else { return Ok(None) };
    task.run.require_same_settings(&provenance.to_map())?;
    Ok(Some(task.shard()))
}
