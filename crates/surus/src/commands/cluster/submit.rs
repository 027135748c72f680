//! Writes the batch script of a run and submits it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use surus_record::journal::replace_file;

use super::args::JobArgs;
use super::{ClusterRun, SlurmArgs, script, slurm, watch};
use crate::CommandStatus;
use crate::shutdown::Shutdown;

/// Submits a new run, or another job of an existing one, and waits for it unless `--detach` is given.
pub(crate) fn submit(
    run: ClusterRun,
    args: &SlurmArgs,
    dir: &Path,
    json: bool,
    shutdown: &Shutdown,
) -> Result<CommandStatus> {
    let script = write(&run, dir)?;
    if args.slurm_script {
        writeln!(io::stdout(), "Submit with: sbatch {}", script.display())?;
        return Ok(CommandStatus::Success);
    }
    submit_script(run, &script, dir, args.job.detach, json, shutdown)
}

/// Submits a run again, for instance after a failure.
pub(crate) fn submit_again(
    dir: &Path,
    job: &JobArgs,
    json: bool,
    shutdown: &Shutdown,
) -> Result<CommandStatus> {
    slurm::require_sbatch()?;
    let mut run = ClusterRun::read(dir)?;
    run.partition = job.partition.clone().or(run.partition);
    run.sbatch = job.sbatch.clone().or(run.sbatch);
    let script = write(&run, dir)?;
    submit_script(run, &script, dir, job.detach, json, shutdown)
}

/// Writes the description and the batch script of a run.
fn write(run: &ClusterRun, dir: &Path) -> Result<PathBuf> {
    let dir = std::path::absolute(dir).with_context(|| dir.display().to_string())?;
    for part in ["logs", "tasks"] {
        let path = dir.join(part);
        std::fs::create_dir_all(&path).with_context(|| path.display().to_string())?;
    }
    let path = dir.join("job.sh");
    replace_file(&path, script::script(run, &dir)?.as_bytes()).with_context(|| path.display().to_string())?;
    run.write(&dir)?;
    Ok(path)
}

fn submit_script(
    mut run: ClusterRun,
    script: &Path,
    dir: &Path,
    detach: bool,
    json: bool,
    shutdown: &Shutdown,
) -> Result<CommandStatus> {
    let active = slurm::tasks(&run.jobs)?.counts(run.tasks).active();
    if active > 0 {
        bail!(
            "{active} tasks of the run in {} are still queued or running: `surus run status` shows them",
            dir.display()
        );
    }
    let job = slurm::submit(script)?;
    eprintln!("Submitted job {job} with {} tasks.", run.tasks);
    run.jobs.push(job);
    run.write(dir)?;
    if detach {
        writeln!(
            io::stdout(),
            "surus run status {0}   shows the progress\nsurus run cancel {0}   stops it",
            dir.display()
        )?;
        return Ok(CommandStatus::Success);
    }
    watch::wait(dir, run, json, shutdown)
}
