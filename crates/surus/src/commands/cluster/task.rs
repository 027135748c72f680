//! The side of a task.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use surus_arena::{Invocation, SharedTask, task_dir};
use surus_record::journal::{Journal, JournalError};

use super::{ClusterRun, SlurmArgs};

/// A task waits as long as this for its predecessor, which may run on a node that the controller has lost.
const MAX_WAIT: Duration = Duration::from_secs(600);
const RETRY: Duration = Duration::from_secs(1);

/// A task of a run.
pub(crate) struct ClusterTask {
    pub(crate) run: ClusterRun,
    dir: PathBuf,
    number: u64,
}

impl ClusterTask {
    /// The task that this process is, if it is one.
    pub(crate) fn of(args: &SlurmArgs, dir: &Path) -> Result<Option<Self>> {
        let Some(number) = args.slurm_task else { return Ok(None) };
        let run = ClusterRun::read(dir)?;
        if !(1..=run.tasks).contains(&number) {
            bail!("--slurm-task {number}: the run in {} has tasks 1 to {}", dir.display(), run.tasks);
        }
        Ok(Some(Self { run, dir: dir.into(), number }))
    }

    /// The directory of its games.
    pub(crate) fn dir(&self) -> PathBuf {
        task_dir(&self.dir, self.number)
    }

    /// Its part of a contest.
    pub(crate) fn shared(&self) -> SharedTask {
        SharedTask {
            run: self.dir.clone(),
            task: self.number,
            tasks: self.run.tasks,
            block_pairs: self.run.block_pairs,
            sprt: None,
        }
    }

    /// Its number and the number of tasks.
    pub(crate) const fn numbers(&self) -> (u64, u64) {
        (self.number, self.run.tasks)
    }

    /// Its part of work that is divided evenly.
    pub(crate) const fn shard(&self) -> surus_record::Shard {
        surus_record::Shard { index: self.number, count: self.run.tasks }
    }
}

/// Waits while another process writes a journal: a task that was started again may find its predecessor still running.
pub(crate) fn wait_until_free(journal: &Path) -> Result<()> {
    let mut waited = Duration::ZERO;
    while journal.exists() && matches!(Journal::open(journal), Err(JournalError::Locked(_))) {
        if waited.is_zero() {
            eprintln!("surus: waiting for the process that writes {}", journal.display());
        }
        if waited >= MAX_WAIT {
            bail!("{} is still in use by another process after {} s", journal.display(), MAX_WAIT.as_secs());
        }
        std::thread::sleep(RETRY);
        waited += RETRY;
    }
    Ok(())
}

/// This process.
pub(crate) fn invocation() -> Invocation {
    let directory = std::env::current_dir().unwrap_or_default();
    Invocation {
        command: std::env::args().collect(),
        directory: directory.to_string_lossy().into_owned(),
        process: std::process::id(),
        host: rustix::system::uname().nodename().to_string_lossy().into_owned(),
    }
}
