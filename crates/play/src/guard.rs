//! The guard of external engines.

use std::ffi::OsString;
use std::path::PathBuf;

/// The command that starts the guard process of an external engine; it is followed by the engine's command line.
///
/// The guard starts the engine and kills it with all its child processes as soon as the guard's parent process has ended,
/// for whatever reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GuardCommand {
    /// The executable.
    pub program: PathBuf,
    /// Arguments before the engine's command line.
    pub arguments: Vec<OsString>,
}
