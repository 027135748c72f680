//! The guard of external engines.

use std::ffi::OsString;
use std::path::PathBuf;

/// The command that starts the guard process of an external engine; the engine's own command line follows it.
///
/// The guard starts the engine and kills it, with everything it has started, as soon as the process that started the
/// guard has ended for whatever reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GuardCommand {
    /// The executable.
    pub program: PathBuf,
    /// What precedes the engine's command line.
    pub arguments: Vec<OsString>,
}
