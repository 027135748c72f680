//! An external engine as a child process with line-based input and output, killed with its descendants on drop.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, PipeWriter, Read, Write, pipe};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use surus_play::EngineError;

use super::EngineProcessOptions;
use super::command_line::{CommandLine, CommandLineError};
use crate::lifeline;

/// Interval at which a waiting thread checks for a stop request and the exit of the engine.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Maximum number of unread output lines. Beyond it the engine blocks on its pipe.
const OUTPUT_QUEUE_LEN: usize = 1024;

/// Time to read remaining output after the engine has exited.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(200);

/// Time for the guard to kill all processes; longer than its own timeout.
const GUARD_TIMEOUT: Duration = Duration::from_secs(15);

/// The guard's `argv[0]`; `pkill -f surus` must not match the guard.
const GUARD_NAME: &str = "engine-guard";

/// Number of log lines kept for error messages.
const LOG_TAIL_LEN: usize = 20;

enum OutputLine {
    Line(String),
    TooLong,
}

/// The result of [`EngineProcess::read_line`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ReadOutcome {
    /// A line.
    Line(String),
    /// No line within [`POLL_INTERVAL`].
    Pending,
    /// A line longer than `max_line_len`.
    LineTooLong,
    /// The engine has exited or closed its output.
    Exited,
}

/// A running engine in a process group of its own; with a guard, the guard leads the group.
pub(crate) struct EngineProcess {
    process: std::process::Child,
    group: Option<Pid>,
    /// Closing it makes the guard kill the engine.
    lifeline: Option<UnixStream>,
    /// Dropping it closes the engine's standard input.
    input: Option<Sender<String>>,
    output: Receiver<OutputLine>,
    log: VecDeque<String>,
    transcript: Option<File>,
    /// When the exit was first noticed.
    exited_at: Option<Instant>,
    reaped: bool,
}

impl EngineProcess {
    /// Starts a command line with additional arguments, through the guard if there is one.
    pub(crate) fn start(
        command_line: &str,
        extra: &[&Path],
        settings: &EngineProcessOptions,
    ) -> Result<Self, EngineError> {
        Self::spawn(command_line, extra, settings)
            .map_err(|error| EngineError::NotStarted(format!("{command_line}: {error}")))
    }

    fn spawn(
        command_line: &str,
        extra: &[&Path],
        settings: &EngineProcessOptions,
    ) -> Result<Self, CommandLineError> {
        let parsed = CommandLine::parse(command_line, settings.working_dir.as_deref())?;
        // The guard cannot report a missing executable.
        parsed.executable()?;
        let (stdin, input) = pipe()?;
        let mut lifeline = None;
        let mut command = match &settings.guard {
            None => {
                let mut command = Command::new(&parsed.words[0]);
                command.args(&parsed.words[1..]).stdin(stdin);
                command
            }
            Some(guard) => {
                let (ours, theirs) = UnixStream::pair()?;
                lifeline::send(&ours, stdin)?;
                lifeline = Some(ours);
                let mut command = Command::new(&guard.program);
                command.arg0(GUARD_NAME).args(&guard.arguments).arg("--").args(&parsed.words);
                command.stdin(OwnedFd::from(theirs));
                command
            }
        };
        let file = |path: &Option<PathBuf>| path.as_deref().map(append).transpose();
        let (stderr, transcript) = (file(&settings.stderr)?, file(&settings.transcript)?);
        command.args(extra).stdout(Stdio::piped()).stderr(stderr.map_or_else(Stdio::null, Into::into));
        if let Some(directory) = &settings.working_dir {
            command.current_dir(directory);
        }
        let mut process = command.process_group(0).spawn()?;
        let (sender, output) = sync_channel(OUTPUT_QUEUE_LEN);
        if let Some(stdout) = process.stdout.take() {
            let max_line_len = settings.max_line_len;
            thread::spawn(move || read_output(stdout, max_line_len, &sender));
        }
        let (lines, receiver) = channel();
        thread::spawn(move || write_input(input, &receiver));
        let group = i32::try_from(process.id()).ok().and_then(Pid::from_raw);
        let (log, input) = (VecDeque::new(), Some(lines));
        let process =
            Self { process, group, lifeline, input, output, log, transcript, exited_at: None, reaped: false };
        process.record('#', command_line);
        Ok(process)
    }

    /// Sends a line. If the engine has exited, the next read reports it.
    pub(crate) fn send(&self, line: &str) {
        self.record('>', line);
        if let Some(input) = &self.input {
            let _ = input.send(format!("{line}\n"));
        }
    }

    pub(crate) fn close_stdin(&mut self) {
        self.input = None;
    }

    /// Reads the next line, waiting up to [`POLL_INTERVAL`].
    pub(crate) fn read_line(&mut self) -> ReadOutcome {
        match self.output.recv_timeout(POLL_INTERVAL) {
            Ok(OutputLine::Line(line)) => {
                self.push_log(&line);
                self.record('<', &line);
                ReadOutcome::Line(line)
            }
            Ok(OutputLine::TooLong) => ReadOutcome::LineTooLong,
            Err(RecvTimeoutError::Disconnected) => ReadOutcome::Exited,
            // Descendants may keep the output open after the engine has exited.
            Err(RecvTimeoutError::Timeout) => {
                if self.exited_at.is_none() && self.has_exited() {
                    self.exited_at = Some(Instant::now());
                }
                if self.exited_at.is_some_and(|time| time.elapsed() > DRAIN_TIMEOUT) {
                    ReadOutcome::Exited
                } else {
                    ReadOutcome::Pending
                }
            }
        }
    }

    /// Appends a line to the transcript.
    fn record(&self, direction: char, line: &str) {
        if let Some(mut file) = self.transcript.as_ref() {
            // A game must not end because its log cannot be written.
            let _ = writeln!(file, "{direction} {line}");
        }
    }

    fn push_log(&mut self, line: &str) {
        if let Some(text) = line.strip_prefix("log ") {
            if self.log.len() == LOG_TAIL_LEN {
                self.log.pop_front();
            }
            self.log.push_back(text.chars().take(500).collect());
        }
    }

    /// The last log lines, as a suffix of an error message.
    pub(crate) fn log_tail(&self) -> String {
        let lines: Vec<&str> = self.log.iter().map(String::as_str).collect();
        if lines.is_empty() { String::new() } else { format!("; last log lines: {}", lines.join(" / ")) }
    }

    /// Whether the process has exited, without reaping it, so that its group id is not reused.
    pub(crate) fn has_exited(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.reaped || self.group.is_none_or(|pid| !matches!(waitid(WaitId::Pid(pid), options), Ok(None)))
    }

    /// Waits for the exit of the process and discards its output. Returns `false` on timeout.
    pub(crate) fn wait_timeout(&mut self, timeout: Duration) -> bool {
        let start = Instant::now();
        while !self.has_exited() {
            if start.elapsed() >= timeout {
                return false;
            }
            if matches!(self.output.recv_timeout(POLL_INTERVAL), Err(RecvTimeoutError::Disconnected)) {
                thread::sleep(POLL_INTERVAL);
            }
        }
        true
    }

    /// Kills the engine and all its descendants and returns its exit status.
    pub(crate) fn kill(&mut self) -> Option<ExitStatus> {
        if !self.reaped {
            if self.lifeline.take().is_some() {
                self.wait_timeout(GUARD_TIMEOUT);
            }
            // The group id is the process id, which is not reused before the process is reaped below.
            if let Some(group) = self.group {
                let _ = kill_process_group(group, Signal::KILL);
            }
            self.reaped = true;
        }
        self.process.wait().ok()
    }

    /// Describes the exit status of an engine that has closed its output.
    pub(crate) fn status(&mut self) -> String {
        let in_time = self.wait_timeout(DRAIN_TIMEOUT);
        match self.kill() {
            // A late guard still reports the status of the engine.
            Some(status) if in_time || status.signal() != Some(Signal::KILL.as_raw()) => status.to_string(),
            Some(_) => "output closed".into(),
            None => "unknown".into(),
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

fn append(path: &Path) -> io::Result<File> {
    let file = File::options().create(true).append(true).open(path);
    file.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}

fn write_input(mut input: PipeWriter, lines: &Receiver<String>) {
    for line in lines {
        if input.write_all(line.as_bytes()).is_err() {
            return;
        }
    }
}

fn read_output(output: ChildStdout, max_line_len: usize, lines: &SyncSender<OutputLine>) {
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match output.by_ref().take(max_line_len as u64 + 1).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(length) if length > max_line_len => {
                let _ = lines.send(OutputLine::TooLong);
                return;
            }
            Ok(_) => {
                let line = String::from_utf8_lossy(&bytes).trim_end().to_string();
                if lines.send(OutputLine::Line(line)).is_err() {
                    return;
                }
            }
        }
    }
}
