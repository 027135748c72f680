//! The manners of an AEI program, checked one by one.

use std::fmt;
use std::time::Duration;

use surus_play::EngineError;

use super::ProgramSettings;
use super::child::Child;
use error::CheckError;
use talk::Talk;

mod error;
mod steps;
mod talk;

/// What a check says about a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// As it should be.
    Ok,
    /// Allowed, but somebody may stumble over it.
    Note,
    /// Against the protocol, or against the rules of the game.
    Wrong,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Ok => "ok",
            Self::Note => "note",
            Self::Wrong => "WRONG",
        })
    }
}

/// What was found out by one check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What was checked.
    pub check: &'static str,
    /// Whether it is right.
    pub verdict: Verdict,
    /// What is wrong, or worth to know; may be empty.
    pub words: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.verdict, self.check)?;
        if self.words.is_empty() { Ok(()) } else { write!(f, ": {}", self.words) }
    }
}

/// The result of a check: right, perhaps with a remark; or what is wrong.
type Outcome = Result<(Verdict, String), CheckError>;

/// A check on a program that has been greeted.
type Walk = fn(&mut Talk<'_>) -> Outcome;

/// What the checks share.
struct Ground<'a> {
    command_line: &'a str,
    settings: &'a ProgramSettings,
    /// How long an answer to `go` may take, whatever the clock.
    patience: Duration,
    /// The answers that once did not come at all; nobody waits for them again.
    missed: Vec<&'static str>,
    /// The first line that is no message of AEI.
    strange: Option<String>,
}

impl Ground<'_> {
    fn child(&self) -> Result<Child, EngineError> {
        Child::start(self.command_line, &[], self.settings)
    }

    /// One check on a program that has been greeted.
    fn run(&mut self, check: &'static str, walk: Walk) -> Finding {
        let outcome = match Talk::greeted(self) {
            Ok(mut talk) => {
                let outcome = walk(&mut talk);
                let (missed, strange) = talk.leave();
                self.missed = missed;
                self.strange = self.strange.take().or(strange);
                outcome
            }
            Err(error) => Err(error),
        };
        let (verdict, words) = outcome.unwrap_or_else(|error| (Verdict::Wrong, error.to_string()));
        Finding { check, verdict, words }
    }
}

/// Walks a program through the protocol, each check with a fresh start, and tells what is found as it is found.
///
/// A program that can't be started at all is an error; one that does not greet is only told so.
pub fn check_engine(
    command_line: &str,
    settings: &ProgramSettings,
    patience: Duration,
    found: &mut dyn FnMut(Finding),
) -> Result<(), EngineError> {
    let mut ground = Ground { command_line, settings, patience, missed: Vec::new(), strange: None };
    let greeting = steps::handshake(ground.child()?, settings);
    let greets = greeting.first().is_some_and(|finding| finding.verdict != Verdict::Wrong)
        || greeting.iter().any(|finding| finding.check == steps::IDS);
    greeting.into_iter().for_each(&mut *found);
    if !greets {
        return Ok(());
    }
    for (check, walk) in steps::CHECKS {
        found(ground.run(check, walk));
    }
    let (verdict, words) = match ground.strange {
        None => (Verdict::Ok, String::new()),
        Some(line) => (Verdict::Note, format!("AEI has no message '{line}'")),
    };
    found(Finding { check: "says nothing that AEI does not know", verdict, words });
    Ok(())
}
