//! What an outside program may do, and for how long.

use std::path::PathBuf;
use std::time::Duration;

use surus_play::GuardCommand;

/// How an outside program is treated.
#[derive(Clone, Debug)]
pub struct EngineProcessOptions {
    /// How long it may take from its start to `aeiok`.
    pub startup_timeout: Duration,
    /// How long it may take from `isready` to `readyok`.
    pub ready_timeout: Duration,
    /// How long it may take from `stop` to its answer.
    pub stop_timeout: Duration,
    /// How long it may take to end after `quit`.
    pub quit_timeout: Duration,
    /// Where its standard error goes; nowhere if not given.
    pub stderr: Option<PathBuf>,
    /// Where it runs; here if not given.
    pub working_dir: Option<PathBuf>,
    /// What it is started through. Without a guard it is killed with the value that owns it, by its process group, but
    /// outlives a program that is killed itself.
    pub guard: Option<GuardCommand>,
    /// The longest line it may say, in bytes.
    pub max_line_len: usize,
    /// The most lines it may say for one answer.
    pub max_lines: usize,
    /// Whether it has the option `nodes`. The programs of this project are known to.
    pub supports_nodes: bool,
}

impl Default for EngineProcessOptions {
    fn default() -> Self {
        Self {
            startup_timeout: Duration::from_secs(10),
            ready_timeout: Duration::from_secs(10),
            stop_timeout: Duration::from_secs(1),
            quit_timeout: Duration::from_millis(500),
            stderr: None,
            working_dir: None,
            guard: None,
            max_line_len: 64 * 1024,
            max_lines: 100_000,
            supports_nodes: false,
        }
    }
}
