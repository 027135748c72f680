//! Waits for a run on a cluster.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};

use super::slurm::{self, TaskCounts};
use super::{ClusterRun, RunStatus};
use crate::CommandStatus;
use crate::shutdown::Shutdown;

/// Between two questions to Slurm, asked in small steps so that a signal ends the wait at once.
const INTERVAL: Duration = Duration::from_secs(2);
const STEP: Duration = Duration::from_millis(100);

/// Shows the progress of a run until its last task has ended, collects the games and prints the result.
pub(crate) fn wait(dir: &Path, run: ClusterRun, json: bool, shutdown: &Shutdown) -> Result<CommandStatus> {
    let stop = shutdown.stop();
    let mut status = RunStatus::open(dir, run)?;
    let mut display = Display::new();
    let mut cancelled = false;
    loop {
        status.update()?;
        display.show(&status);
        if status.has_ended() {
            break;
        }
        // Tasks that have not started would only find that the test is decided.
        if status.progress.is_decided() && !cancelled {
            slurm::cancel(&status.run.jobs, Some("PENDING"))?;
            cancelled = true;
        }
        for _ in 0..INTERVAL.as_millis() / STEP.as_millis() {
            if stop.stop_requested() {
                display.end();
                let dir = dir.display();
                eprintln!(
                    "The tasks go on. `surus run status {dir}` shows them, `surus run cancel {dir}` stops them."
                );
                return Ok(shutdown.outcome(false));
            }
            std::thread::sleep(STEP);
        }
    }
    display.end();
    status.collect()?;
    status.print(json)?;
    if json {
        status.problems().iter().for_each(|problem| eprintln!("{problem}"));
    }
    Ok(if status.succeeded() { CommandStatus::Success } else { CommandStatus::Failure })
}

/// A line that is replaced on a terminal; elsewhere a line whenever a task changes its state.
struct Display {
    bar: ProgressBar,
    terminal: bool,
    last: Option<TaskCounts>,
}

impl Display {
    fn new() -> Self {
        let terminal = io::stderr().is_terminal();
        let bar = if terminal { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
            bar.set_style(style);
        }
        Self { bar, terminal, last: None }
    }

    fn show(&mut self, status: &RunStatus) {
        let counts = status.counts();
        if self.terminal {
            self.bar.set_message(status.line());
        } else if self.last.replace(counts) != Some(counts) {
            eprintln!("{}", status.line());
        }
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }
}
