//! `surus check-engine`

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use surus_protocol::{CheckResult, CheckStatus, EngineProcessOptions, check_engine};

use crate::{CommandStatus, engines, output};

/// Walk an AEI program through the protocol and say what is right and what is wrong
///
/// Each check begins with a fresh start of the program. A note is about something that is allowed but may trouble
/// somebody. Exits with 1 if something is wrong.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus check-engine 'surus aei'
  surus check-engine './my_bot --aei' --patience 60 --stderr bot.log
  surus check-engine 'python3 bot.py' --json")]
pub(crate) struct Args {
    /// The program's command line, in one argument; words are split as a shell does
    #[arg(value_name = "CMD")]
    command_line: String,
    /// How many seconds an answer to go may take, whatever the clock
    #[arg(long, value_name = "S", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=3600))]
    patience: u64,
    /// A file for what the program writes to its standard error
    #[arg(long, value_name = "FILE")]
    stderr: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    command: &'a str,
    checks: Vec<Check>,
    passed: usize,
    warnings: usize,
    failed: usize,
}

#[derive(Serialize)]
struct Check {
    check: &'static str,
    status: String,
    detail: String,
}

pub(crate) fn run(args: &Args) -> Result<CommandStatus> {
    let (stderr, guard) = (args.stderr.clone(), Some(engines::guard(&["guard"])));
    let settings = EngineProcessOptions { stderr, guard, ..EngineProcessOptions::default() };
    let mut findings: Vec<CheckResult> = Vec::new();
    let mut printed = Ok(());
    let mut found = |finding: CheckResult| {
        if !args.json && printed.is_ok() {
            printed = writeln!(io::stdout(), "{finding}");
        }
        findings.push(finding);
    };
    check_engine(&args.command_line, &settings, Duration::from_secs(args.patience), &mut found)?;
    printed?;
    let count = |verdict| findings.iter().filter(|finding| finding.verdict == verdict).count();
    let (ok, notes, wrong) = (count(CheckStatus::Pass), count(CheckStatus::Warn), count(CheckStatus::Fail));
    if args.json {
        let check = |finding: &CheckResult| Check {
            check: finding.check,
            status: finding.verdict.to_string().to_lowercase(),
            detail: finding.detail.clone(),
        };
        let checks = findings.iter().map(check).collect();
        output::json(&Report {
            command: &args.command_line,
            checks,
            passed: ok,
            warnings: notes,
            failed: wrong,
        })?;
    } else {
        writeln!(io::stdout(), "{ok} passed, {notes} warnings, {wrong} failed")?;
    }
    Ok(if wrong == 0 { CommandStatus::Success } else { CommandStatus::Failure })
}
