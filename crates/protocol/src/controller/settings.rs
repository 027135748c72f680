//! Timeouts and limits of external engines.

use std::path::PathBuf;
use std::time::Duration;

use surus_play::GuardCommand;

/// Options for running an external engine.
#[derive(Clone, Debug)]
pub struct EngineProcessOptions {
    /// Time from the start to `aeiok`.
    pub startup_timeout: Duration,
    /// Time from `isready` to `readyok`.
    pub ready_timeout: Duration,
    /// Time from `stop` to `bestmove`.
    pub stop_timeout: Duration,
    /// Time from `quit` to the exit of the process.
    pub quit_timeout: Duration,
    /// File to append standard error to; discarded by default.
    pub stderr: Option<PathBuf>,
    /// File to append all lines to that the engine is sent (`>`) and sends (`<`).
    pub transcript: Option<PathBuf>,
    /// Working directory; inherited by default.
    pub working_dir: Option<PathBuf>,
    /// Starts the engine through a guard process. Without one, dropping the engine kills its process group, but the engine
    /// survives if this process is killed.
    pub guard: Option<GuardCommand>,
    /// Maximum length of an output line in bytes.
    pub max_line_len: usize,
    /// Maximum number of output lines per answer.
    pub max_lines: usize,
    /// Whether the engine has an option `nodes`. Assumed for engines named `surus`.
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
            transcript: None,
            working_dir: None,
            guard: None,
            max_line_len: 64 * 1024,
            max_lines: 100_000,
            supports_nodes: false,
        }
    }
}
