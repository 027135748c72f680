//! AEI conformance checks of an external engine.

use std::fmt;
use std::time::Duration;

use surus_play::EngineError;

use super::EngineProcessOptions;
use super::process::EngineProcess;
use error::CheckError;
use session::CheckSession;

mod checks;
mod error;
mod session;

/// The status of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckStatus {
    /// The engine conforms.
    Pass,
    /// Allowed, but may cause problems.
    Warn,
    /// A violation of the protocol or the rules of the game.
    Fail,
}

impl fmt::Display for CheckStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Pass => "PASS",
            Self::Warn => "WARN",
            Self::Fail => "FAIL",
        })
    }
}

/// The result of one check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckResult {
    /// The name of the check.
    pub check: &'static str,
    /// Its status.
    pub status: CheckStatus,
    /// The reason of a warning or failure; otherwise a remark or empty.
    pub detail: String,
}

impl fmt::Display for CheckResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.status, self.check)?;
        if self.detail.is_empty() { Ok(()) } else { write!(f, ": {}", self.detail) }
    }
}

/// Status and detail, or the reason of a failure.
type CheckOutcome = Result<(CheckStatus, String), CheckError>;

/// A check of an engine after the handshake.
type CheckFn = fn(&mut CheckSession<'_>) -> CheckOutcome;

/// State shared by the checks.
struct CheckContext<'a> {
    command_line: &'a str,
    settings: &'a EngineProcessOptions,
    /// Time from `go` to `bestmove`, regardless of the clock.
    go_timeout: Duration,
    /// Keywords for which an earlier check has timed out; they are not awaited again.
    unanswered: Vec<&'static str>,
    /// The first output line that is not an AEI message.
    unknown_message: Option<String>,
}

impl CheckContext<'_> {
    fn start_process(&self) -> Result<EngineProcess, EngineError> {
        EngineProcess::start(self.command_line, &[], self.settings)
    }

    fn run(&mut self, check: &'static str, check_fn: CheckFn) -> CheckResult {
        let outcome = match CheckSession::start(self) {
            Ok(mut session) => {
                let outcome = check_fn(&mut session);
                let (unanswered, unknown_message) = session.finish();
                self.unanswered = unanswered;
                self.unknown_message = self.unknown_message.take().or(unknown_message);
                outcome
            }
            Err(error) => Err(error),
        };
        let (status, detail) = outcome.unwrap_or_else(|error| (CheckStatus::Fail, error.to_string()));
        CheckResult { check, status, detail }
    }
}

/// Runs all checks, each with a fresh process, and reports each result as soon as it is known.
///
/// Returns an error only if the engine cannot be started. If the handshake fails, the other checks are skipped.
pub fn check_engine(
    command_line: &str,
    settings: &EngineProcessOptions,
    go_timeout: Duration,
    on_result: &mut dyn FnMut(CheckResult),
) -> Result<(), EngineError> {
    let mut context =
        CheckContext { command_line, settings, go_timeout, unanswered: Vec::new(), unknown_message: None };
    let handshake = checks::handshake(context.start_process()?, settings);
    let completed = handshake.first().is_some_and(|result| result.status != CheckStatus::Fail)
        || handshake.iter().any(|result| result.check == checks::ID_LINES);
    handshake.into_iter().for_each(&mut *on_result);
    if !completed {
        return Ok(());
    }
    for (check, check_fn) in checks::CHECKS {
        on_result(context.run(check, check_fn));
    }
    let (status, detail) = match context.unknown_message {
        None => (CheckStatus::Pass, String::new()),
        Some(line) => (CheckStatus::Warn, format!("unknown message '{line}'")),
    };
    on_result(CheckResult { check: "sends only AEI messages", status, detail });
    Ok(())
}
