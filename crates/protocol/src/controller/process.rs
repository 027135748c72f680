//! An outside program as a child process: lines go in, lines come out, and nothing of it is left behind.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, PipeWriter, Read, Write, pipe};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use surus_play::EngineError;

use super::EngineProcessOptions;
use super::command_line::{CommandLine, CommandLineError};
use crate::lifeline;

/// How often a waiting thread looks whether it is to stop, or the program is gone.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// How many lines wait to be read; a program that says more is held up by its full pipe, not by our memory.
const OUTPUT_QUEUE_LEN: usize = 1024;

/// How long a program that is gone may have its last words on the way.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(200);

/// How long a guard may take to kill everything; it gives up before that.
const GUARD_TIME: Duration = Duration::from_secs(15);

/// The first word of a guard's command line, by which `pkill -f surus` does not find it.
const GUARD_NAME: &str = "engine-guard";

/// How many lines of a program's log are kept for error messages.
const LOG_TAIL_LEN: usize = 20;

/// What comes out of a program.
enum OutputLine {
    Line(String),
    TooLong,
}

/// What waiting for a line brought.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ReadOutcome {
    /// A line.
    Line(String),
    /// Nothing yet.
    Nothing,
    /// A line longer than anybody can read.
    TooLong,
    /// The program is gone, or will never say anything again.
    Gone,
}

/// A running program in a process group of its own, which is the guard's if it has one.
pub(crate) struct EngineProcess {
    process: std::process::Child,
    group: Option<Pid>,
    /// Dropped, it has the guard kill everything.
    lifeline: Option<UnixStream>,
    /// The way in; dropped, it is the end of the program's input.
    input: Option<Sender<String>>,
    output: Receiver<OutputLine>,
    log: VecDeque<String>,
    /// When it was first seen to be gone.
    gone: Option<Instant>,
    reaped: bool,
}

impl EngineProcess {
    /// Starts a command line with more words behind it, through the guard if the settings have one.
    pub(crate) fn start(
        command_line: &str,
        more: &[&Path],
        settings: &EngineProcessOptions,
    ) -> Result<Self, EngineError> {
        Self::spawn(command_line, more, settings)
            .map_err(|error| EngineError::NotStarted(format!("{command_line}: {error}")))
    }

    fn spawn(
        command_line: &str,
        more: &[&Path],
        settings: &EngineProcessOptions,
    ) -> Result<Self, CommandLineError> {
        let words = CommandLine::parse(command_line, settings.working_dir.as_deref())?;
        // A guard starts whatever it is told to, so a program that is not there is found out here.
        words.executable()?;
        let (stdin, input) = pipe()?;
        let mut lifeline = None;
        let mut command = match &settings.guard {
            None => {
                let mut command = Command::new(&words.words[0]);
                command.args(&words.words[1..]).stdin(stdin);
                command
            }
            Some(guard) => {
                let (ours, theirs) = UnixStream::pair()?;
                lifeline::send(&ours, stdin)?;
                lifeline = Some(ours);
                let mut command = Command::new(&guard.program);
                command.arg0(GUARD_NAME).args(&guard.arguments).arg("--").args(&words.words);
                command.stdin(OwnedFd::from(theirs));
                command
            }
        };
        command.args(more).stdout(Stdio::piped()).stderr(stderr(settings)?);
        if let Some(directory) = &settings.working_dir {
            command.current_dir(directory);
        }
        let mut process = command.process_group(0).spawn()?;
        let (sender, output) = sync_channel(OUTPUT_QUEUE_LEN);
        if let Some(stdout) = process.stdout.take() {
            let most = settings.max_line_len;
            thread::spawn(move || read(stdout, most, &sender));
        }
        let (lines, inbox) = channel();
        thread::spawn(move || write(input, &inbox));
        let group = i32::try_from(process.id()).ok().and_then(Pid::from_raw);
        let (log, input) = (VecDeque::new(), Some(lines));
        Ok(Self { process, group, lifeline, input, output, log, gone: None, reaped: false })
    }

    /// Sends a line. A program that is gone does not hear it, which the next wait finds out.
    pub(crate) fn say(&self, line: &str) {
        if let Some(input) = &self.input {
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// Ends the program's input.
    pub(crate) fn close_stdin(&mut self) {
        self.input = None;
    }

    /// The next line, waiting for it no longer than a tick.
    pub(crate) fn wait(&mut self) -> ReadOutcome {
        match self.output.recv_timeout(POLL_INTERVAL) {
            Ok(OutputLine::Line(line)) => {
                self.push_log(&line);
                ReadOutcome::Line(line)
            }
            Ok(OutputLine::TooLong) => ReadOutcome::TooLong,
            Err(RecvTimeoutError::Disconnected) => ReadOutcome::Gone,
            // Its own children may hold its output open, so that the end of the output is not enough to know.
            Err(RecvTimeoutError::Timeout) => {
                if self.gone.is_none() && self.has_exited() {
                    self.gone = Some(Instant::now());
                }
                if self.gone.is_some_and(|since| DRAIN_TIMEOUT < since.elapsed()) {
                    ReadOutcome::Gone
                } else {
                    ReadOutcome::Nothing
                }
            }
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

    /// What it logged last, for the end of a message.
    pub(crate) fn log_tail(&self) -> String {
        let lines: Vec<&str> = self.log.iter().map(String::as_str).collect();
        if lines.is_empty() { String::new() } else { format!("; it logged last: {}", lines.join(" / ")) }
    }

    /// Whether the program itself has ended; it is not reaped yet, so that its group's number can't be another's.
    pub(crate) fn has_exited(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.reaped || self.group.is_none_or(|pid| !matches!(waitid(WaitId::Pid(pid), options), Ok(None)))
    }

    /// Waits for the end of the program, and passes over what it says.
    pub(crate) fn wait_timeout(&mut self, time: Duration) -> bool {
        let start = Instant::now();
        while !self.has_exited() {
            if time <= start.elapsed() {
                return false;
            }
            if matches!(self.output.recv_timeout(POLL_INTERVAL), Err(RecvTimeoutError::Disconnected)) {
                thread::sleep(POLL_INTERVAL);
            }
        }
        true
    }

    /// Ends the program and everything it has started, and tells how it ended.
    pub(crate) fn kill(&mut self) -> Option<ExitStatus> {
        if !self.reaped {
            if self.lifeline.take().is_some() {
                self.wait_timeout(GUARD_TIME);
            }
            // The program's number is its group's, and is its own until it is reaped below. Where a guard has done its
            // work, nothing is left in the group.
            if let Some(group) = self.group {
                let _ = kill_process_group(group, Signal::KILL);
            }
            self.reaped = true;
        }
        self.process.wait().ok()
    }

    /// The status of a program that is gone: it has a moment to end after it closed its output.
    pub(crate) fn status(&mut self) -> String {
        let in_time = self.wait_timeout(DRAIN_TIMEOUT);
        match self.kill() {
            // A guard that is late still reports how the program ended.
            Some(status) if in_time || status.signal() != Some(Signal::KILL.as_raw()) => status.to_string(),
            Some(_) => "it closed its output".into(),
            None => "unknown".into(),
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Where its standard error goes.
fn stderr(settings: &EngineProcessOptions) -> io::Result<Stdio> {
    let Some(path) = &settings.stderr else { return Ok(Stdio::null()) };
    let file = std::fs::File::options().create(true).append(true).open(path);
    file.map(Into::into).map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}

fn write(mut input: PipeWriter, lines: &Receiver<String>) {
    for line in lines {
        if input.write_all(line.as_bytes()).is_err() {
            return;
        }
    }
}

fn read(output: ChildStdout, most: usize, lines: &SyncSender<OutputLine>) {
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match output.by_ref().take(most as u64 + 1).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(length) if most < length => {
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
