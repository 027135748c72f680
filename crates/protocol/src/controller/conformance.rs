//! The manners of an AEI program, checked one by one.

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

/// What a check says about a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckStatus {
    /// As it should be.
    Pass,
    /// Allowed, but somebody may stumble over it.
    Warn,
    /// Against the protocol, or against the rules of the game.
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

/// What was found out by one check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckResult {
    /// What was checked.
    pub check: &'static str,
    /// Whether it is right.
    pub verdict: CheckStatus,
    /// What is wrong, or worth to know; may be empty.
    pub detail: String,
}

impl fmt::Display for CheckResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.verdict, self.check)?;
        if self.detail.is_empty() { Ok(()) } else { write!(f, ": {}", self.detail) }
    }
}

/// The result of a check: right, perhaps with a remark; or what is wrong.
type CheckOutcome = Result<(CheckStatus, String), CheckError>;

/// A check on a program that has been greeted.
type CheckFn = fn(&mut CheckSession<'_>) -> CheckOutcome;

/// What the checks share.
struct CheckContext<'a> {
    command_line: &'a str,
    settings: &'a EngineProcessOptions,
    /// How long an answer to `go` may take, whatever the clock.
    go_timeout: Duration,
    /// The answers that once did not come at all; nobody waits for them again.
    unanswered: Vec<&'static str>,
    /// The first line that is no message of AEI.
    unknown_message: Option<String>,
}

impl CheckContext<'_> {
    fn child(&self) -> Result<EngineProcess, EngineError> {
        EngineProcess::start(self.command_line, &[], self.settings)
    }

    /// One check on a program that has been greeted.
    fn run(&mut self, check: &'static str, walk: CheckFn) -> CheckResult {
        let outcome = match CheckSession::greeted(self) {
            Ok(mut talk) => {
                let outcome = walk(&mut talk);
                let (missed, strange) = talk.leave();
                self.unanswered = missed;
                self.unknown_message = self.unknown_message.take().or(strange);
                outcome
            }
            Err(error) => Err(error),
        };
        let (verdict, words) = outcome.unwrap_or_else(|error| (CheckStatus::Fail, error.to_string()));
        CheckResult { check, verdict, detail: words }
    }
}

/// Walks a program through the protocol, each check with a fresh start, and tells what is found as it is found.
///
/// A program that can't be started at all is an error; one that does not greet is only told so.
pub fn check_engine(
    command_line: &str,
    settings: &EngineProcessOptions,
    patience: Duration,
    found: &mut dyn FnMut(CheckResult),
) -> Result<(), EngineError> {
    let mut ground = CheckContext {
        command_line,
        settings,
        go_timeout: patience,
        unanswered: Vec::new(),
        unknown_message: None,
    };
    let greeting = checks::handshake(ground.child()?, settings);
    let greets = greeting.first().is_some_and(|finding| finding.verdict != CheckStatus::Fail)
        || greeting.iter().any(|finding| finding.check == checks::IDS);
    greeting.into_iter().for_each(&mut *found);
    if !greets {
        return Ok(());
    }
    for (check, walk) in checks::CHECKS {
        found(ground.run(check, walk));
    }
    let (verdict, words) = match ground.unknown_message {
        None => (CheckStatus::Pass, String::new()),
        Some(line) => (CheckStatus::Warn, format!("AEI has no message '{line}'")),
    };
    found(CheckResult { check: "sends only AEI messages", verdict, detail: words });
    Ok(())
}
