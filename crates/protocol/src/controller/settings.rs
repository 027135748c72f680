//! What an outside program may do, and for how long.

use std::path::PathBuf;
use std::time::Duration;

use surus_play::GuardCommand;

/// How an outside program is treated.
#[derive(Clone, Debug)]
pub struct ProgramSettings {
    /// How long it may take from its start to `aeiok`.
    pub start: Duration,
    /// How long it may take from `isready` to `readyok`.
    pub ready: Duration,
    /// How long it may take from `stop` to its answer.
    pub grace: Duration,
    /// How long it may take to end after `quit`.
    pub quit: Duration,
    /// Where its standard error goes; nowhere if not given.
    pub stderr: Option<PathBuf>,
    /// Where it runs; here if not given.
    pub directory: Option<PathBuf>,
    /// What it is started through. Without a guard it is killed with the value that owns it, by its process group, but
    /// outlives a program that is killed itself.
    pub guard: Option<GuardCommand>,
    /// The longest line it may say, in bytes.
    pub line_length: usize,
    /// The most lines it may say for one answer.
    pub lines: usize,
    /// Whether it has the option `nodes`. The programs of this project are known to.
    pub nodes: bool,
}

impl Default for ProgramSettings {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(10),
            ready: Duration::from_secs(10),
            grace: Duration::from_secs(1),
            quit: Duration::from_millis(500),
            stderr: None,
            directory: None,
            guard: None,
            line_length: 64 * 1024,
            lines: 100_000,
            nodes: false,
        }
    }
}
