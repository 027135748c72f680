//! The commands of Slurm.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Serialize;

/// The state of a task, from the states of Slurm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TaskState {
    Queued,
    Running,
    Done,
    Failed,
}

/// The tasks of the last job that had them, and why some of them wait.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Tasks {
    pub(crate) states: BTreeMap<u64, (TaskState, String)>,
    pub(crate) reasons: BTreeSet<String>,
}

/// Numbers of tasks by state. Slurm forgets a task some minutes after its end; then it has ended, well or not.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct TaskCounts {
    pub(crate) queued: u64,
    pub(crate) running: u64,
    pub(crate) done: u64,
    pub(crate) failed: u64,
    pub(crate) ended: u64,
}

impl Tasks {
    /// Parses the lines `job|task|state|reason|nodes` of `squeue`; of a task in several jobs, the last job counts.
    fn parse(output: &str) -> Self {
        let mut rows: Vec<(u64, u64, &str, &str, &str)> = Vec::new();
        for line in output.lines() {
            let fields: Vec<&str> = line.split('|').collect();
            let [job, task, state, reason, nodes] = fields[..] else { continue };
            if let (Ok(job), Ok(task)) = (job.parse(), task.parse()) {
                rows.push((job, task, state, reason, nodes));
            }
        }
        rows.sort_unstable();
        let mut tasks = Self::default();
        for (_, task, state, _, nodes) in &rows {
            let state = match *state {
                "PENDING" | "REQUEUED" | "REQUEUE_FED" | "REQUEUE_HOLD" | "SPECIAL_EXIT"
                | "RESV_DEL_HOLD" | "SUSPENDED" | "CONFIGURING" => TaskState::Queued,
                "RUNNING" | "COMPLETING" | "SIGNALING" | "STAGE_OUT" | "STOPPED" | "RESIZING" => {
                    TaskState::Running
                }
                "COMPLETED" => TaskState::Done,
                _ => TaskState::Failed,
            };
            tasks.states.insert(*task, (state, (*nodes).into()));
        }
        tasks.reasons = rows
            .iter()
            .filter(|(_, _, state, reason, _)| *state == "PENDING" && !matches!(*reason, "" | "None"))
            .map(|row| row.3.to_string())
            .collect();
        tasks
    }

    /// How many tasks are in each state.
    pub(crate) fn counts(&self, tasks: u64) -> TaskCounts {
        let mut counts = TaskCounts::default();
        for (state, _) in self.states.values() {
            *match state {
                TaskState::Queued => &mut counts.queued,
                TaskState::Running => &mut counts.running,
                TaskState::Done => &mut counts.done,
                TaskState::Failed => &mut counts.failed,
            } += 1;
        }
        counts.ended = tasks.saturating_sub(self.states.len() as u64);
        counts
    }
}

impl TaskCounts {
    /// Tasks that may still play games.
    pub(crate) const fn active(&self) -> u64 {
        self.queued + self.running
    }
}

/// Fails if the cluster's commands are not installed.
pub(crate) fn require_sbatch() -> Result<()> {
    call("sbatch", &["--version"]).map(drop)
}

/// Submits a batch script and returns the number of the job.
pub(crate) fn submit(script: &Path) -> Result<String> {
    let output = call("sbatch", &["--parsable", &script.to_string_lossy()]).map_err(|error| {
        let text = error.to_string();
        let hint = if text.contains("partition") {
            "`sinfo -s` lists the partitions"
        } else {
            "`scontrol ping` shows whether the cluster answers"
        };
        let dir = script.parent().unwrap_or(script).display();
        error.context(format!("nothing was submitted. {hint}; then: surus run resume {dir} [--partition P]"))
    })?;
    // `number` or `number;cluster`.
    Ok(output.trim().split(';').next().unwrap_or_default().into())
}

/// The tasks of jobs, as far as Slurm remembers them.
pub(crate) fn tasks(jobs: &[String]) -> Result<Tasks> {
    if jobs.is_empty() {
        return Ok(Tasks::default());
    }
    let format = "--format=%F|%K|%T|%r|%N";
    match call("squeue", &["--noheader", "--array", "--states=all", format, "--jobs", &jobs.join(",")]) {
        Ok(output) => Ok(Tasks::parse(&output)),
        // All jobs ended long ago.
        Err(error) if error.to_string().contains("Invalid job id") => Ok(Tasks::default()),
        Err(error) => Err(error),
    }
}

/// Cancels jobs, or only their tasks in one state.
pub(crate) fn cancel(jobs: &[String], state: Option<&str>) -> Result<()> {
    let state = state.map(|state| format!("--state={state}"));
    let arguments: Vec<&str> = state.iter().chain(jobs).map(String::as_str).collect();
    call("scancel", &arguments).map(drop)
}

fn call(program: &str, arguments: &[&str]) -> Result<String> {
    let output = match Command::new(program).args(arguments).output() {
        Err(error) if error.kind() == ErrorKind::NotFound => bail!(
            "{program} was not found: run this on a login node of a cluster with Slurm, or write the batch script with \
             --slurm-script and submit it there"
        ),
        output => output.with_context(|| format!("can't run {program}"))?,
    };
    if !output.status.success() {
        bail!("{program}: {}", String::from_utf8_lossy(&output.stderr).trim().replace('\n', "; "));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_job_of_a_task_counts() {
        let tasks = Tasks::parse(
            "9|1|FAILED|NonZeroExitCode|n1\n10|1|RUNNING|None|n2\n9|2|COMPLETED|None|n1\n\
             9|3|PENDING|Resources|\n9|4|NODE_FAIL|None|n2\nbroken\n9|x|RUNNING|None|n1\n",
        );
        let counts = tasks.counts(6);
        assert_eq!(counts, TaskCounts { queued: 1, running: 1, done: 1, failed: 1, ended: 2 });
        assert_eq!(tasks.states[&1], (TaskState::Running, "n2".into()));
        assert_eq!(tasks.reasons, ["Resources".to_string()].into());
        assert_eq!(counts.active(), 2);
    }
}
