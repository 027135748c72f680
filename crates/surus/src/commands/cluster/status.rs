//! The state of a run on a cluster.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::Serialize;
use surus_arena::{MatchSummary, SprtState, collect};

use super::ClusterRun;
use super::progress::Progress;
use super::slurm::{self, TaskCounts, TaskState, Tasks};
use crate::commands::arena::report::{match_report, progress_line};
use crate::commands::arena::table::{Table, TournamentResult};
use crate::output;

/// Failed tasks that are described one by one.
const MAX_LISTED: usize = 5;

/// A run on a cluster, read again from time to time.
pub(crate) struct RunStatus {
    pub(crate) dir: PathBuf,
    pub(crate) run: ClusterRun,
    pub(crate) tasks: Tasks,
    pub(crate) progress: Progress,
    /// Why the tasks are unknown.
    unknown: Option<String>,
}

#[derive(Serialize)]
struct StatusReport<'a> {
    run: &'a str,
    kind: &'a str,
    jobs: &'a [String],
    tasks: TaskCounts,
    games: u64,
    of: u64,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<MatchSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<TournamentResult>,
}

impl RunStatus {
    pub(crate) fn open(dir: &Path, run: ClusterRun) -> Result<Self> {
        let progress = Progress::open(&run, dir)?;
        Ok(Self { dir: dir.into(), run, tasks: Tasks::default(), progress, unknown: None })
    }

    /// Asks Slurm for the tasks and reads their results.
    pub(crate) fn update(&mut self) -> Result<()> {
        // The tasks first: results of a task that has ended are then read completely.
        match slurm::tasks(&self.run.jobs) {
            Ok(tasks) => (self.tasks, self.unknown) = (tasks, None),
            Err(error) => self.unknown = Some(error.to_string()),
        }
        self.progress.update()
    }

    /// Makes the directory of a contest one of a run on one machine.
    pub(crate) fn collect(&self) -> Result<()> {
        if let Progress::Contest(_) = self.progress {
            collect(&self.dir)?;
        }
        Ok(())
    }

    pub(crate) fn counts(&self) -> TaskCounts {
        self.tasks.counts(self.run.tasks)
    }

    /// Whether no task can change the run any more, as far as is known.
    pub(crate) fn has_ended(&self) -> bool {
        self.unknown.is_none() && self.counts().active() == 0
    }

    /// Whether all games are played, or a sequential test is decided.
    pub(crate) fn is_complete(&self) -> bool {
        match self.progress {
            Progress::Lab => self.counts().active() + self.counts().failed == 0,
            _ => self.progress.games() >= self.run.games || self.progress.is_decided(),
        }
    }

    /// The state in one line.
    pub(crate) fn line(&self) -> String {
        let TaskCounts { queued, running, done, failed, .. } = self.counts();
        let mut line = format!("tasks: {queued} queued, {running} running, {done} done, {failed} failed");
        if queued > 0 && running == 0 && !self.tasks.reasons.is_empty() {
            let reasons: Vec<&str> = self.tasks.reasons.iter().map(String::as_str).collect();
            line += &format!(" (waiting for: {})", reasons.join(", "));
        }
        if !matches!(self.progress, Progress::Lab) {
            line += &format!("; games: {} of {}", self.progress.games(), self.run.games);
        }
        match &self.progress {
            Progress::Lab => {}
            Progress::Data(data) => line += &format!(", {} positions", data.positions),
            Progress::Contest(contest) => {
                let names: Vec<String> = contest.engines().iter().map(|engine| engine.name.clone()).collect();
                line += &format!("; {}", progress_line(&contest.board, &names));
                if let Some(test) = &contest.test {
                    line += &format!(", LLR {:.2}", test.sprt().llr(test.stats().pairs()));
                }
            }
        }
        line
    }

    /// Prints the state and the results, as text or JSON.
    pub(crate) fn print(&self, json: bool) -> Result<()> {
        if json {
            return output::json(&self.report());
        }
        let mut out = io::stdout().lock();
        let (kind, jobs) = (&self.run.kind, self.run.jobs.join(", "));
        writeln!(out, "{kind} in {}, jobs: {jobs}", self.dir.display())?;
        writeln!(out, "{}", self.line())?;
        if let Some(problem) = &self.unknown {
            writeln!(out, "The state of the tasks is unknown: {problem}")?;
        }
        if let Progress::Contest(contest) = &self.progress {
            if let [_, _] = contest.engines() {
                writeln!(out, "{}", match_report(contest.engines(), &contest.board, contest.test.as_ref()))?;
            } else {
                Table { engines: contest.engines(), board: &contest.board }.print(&mut out)?;
            }
        }
        for problem in self.problems() {
            writeln!(out, "{problem}")?;
        }
        Ok(())
    }

    fn report(&self) -> StatusReport<'_> {
        let mut report = StatusReport {
            run: self.dir.to_str().unwrap_or_default(),
            kind: &self.run.kind,
            jobs: &self.run.jobs,
            tasks: self.counts(),
            games: self.progress.games(),
            of: self.run.games,
            complete: self.is_complete(),
            positions: None,
            result: None,
            table: None,
        };
        match &self.progress {
            Progress::Lab => {}
            Progress::Data(data) => report.positions = Some(data.positions),
            Progress::Contest(contest) => match contest.engines() {
                engines @ [_, _] => {
                    let summary = match_report(engines, &contest.board, contest.test.as_ref()).summary();
                    report.result = Some(summary);
                }
                engines => {
                    report.table = Some(Table { engines, board: &contest.board }.result(!report.complete));
                }
            },
        }
        report
    }

    /// Why tasks failed, and how to continue.
    pub(crate) fn problems(&self) -> Vec<String> {
        let failed = self.tasks.states.iter().filter(|(_, (state, _))| *state == TaskState::Failed);
        let mut problems: Vec<String> =
            failed.take(MAX_LISTED).map(|(task, (_, node))| self.failure(*task, node)).collect();
        if self.has_ended() && !self.is_complete() {
            problems.push(format!("Incomplete; continue with: surus run resume {}", self.dir.display()));
        }
        problems
    }

    fn failure(&self, task: u64, node: &str) -> String {
        let path = self.dir.join("logs").join(format!("{task}.log"));
        let log = fs::read(&path).unwrap_or_default();
        match String::from_utf8_lossy(&log).lines().rev().find(|line| !line.trim().is_empty()) {
            Some(line) => format!("Task {task} failed on {node}: {line}"),
            None if path.exists() => format!("Task {task} ended on {node} without a message"),
            None => format!(
                "Task {task} failed before it wrote {}: if {node} does not see {}, choose --out on a file system that all \
                 nodes share",
                path.display(),
                self.dir.display()
            ),
        }
    }

    /// The exit status of a run that has ended: whether H1 was accepted, or everything else is complete.
    pub(crate) fn succeeded(&self) -> bool {
        let Progress::Contest(contest) = &self.progress else { return self.is_complete() };
        contest.test.as_ref().map_or(self.is_complete(), |test| test.state() == SprtState::AcceptH1)
    }
}
