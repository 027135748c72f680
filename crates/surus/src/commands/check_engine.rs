//! `surus check-engine`

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use surus_protocol::{CheckResult, CheckStatus, EngineProcessOptions, check_engine};

use crate::{CommandStatus, engines, output};

/// Run AEI conformance checks against an engine
///
/// Each check starts the engine afresh. A warning reports behaviour that is allowed but may cause problems. Exits with 1 if
/// a check fails.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus check-engine 'surus aei'
  surus check-engine './my_bot --aei' --timeout 60 --stderr bot.log
  surus check-engine 'python3 bot.py' --json")]
pub(crate) struct Args {
    /// Command line of the engine as one argument; split into words as a shell does
    #[arg(value_name = "CMD")]
    command_line: String,
    /// Seconds to wait for bestmove after go, regardless of the time control
    #[arg(long, value_name = "S", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
    /// File for the standard error of the engine
    #[arg(long, value_name = "FILE")]
    stderr: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ConformanceReport<'a> {
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
    let mut results: Vec<CheckResult> = Vec::new();
    let mut printed = Ok(());
    let mut on_result = |result: CheckResult| {
        if !args.json && printed.is_ok() {
            printed = writeln!(io::stdout(), "{result}");
        }
        results.push(result);
    };
    check_engine(&args.command_line, &settings, Duration::from_secs(args.timeout), &mut on_result)?;
    printed?;
    let count = |status| results.iter().filter(|result| result.status == status).count();
    let (passed, warnings, failed) =
        (count(CheckStatus::Pass), count(CheckStatus::Warn), count(CheckStatus::Fail));
    if args.json {
        let check = |result: &CheckResult| Check {
            check: result.check,
            status: result.status.to_string().to_lowercase(),
            detail: result.detail.clone(),
        };
        let checks = results.iter().map(check).collect();
        output::json(&ConformanceReport { command: &args.command_line, checks, passed, warnings, failed })?;
    } else {
        writeln!(io::stdout(), "{passed} passed, {warnings} warnings, {failed} failed")?;
    }
    Ok(if failed == 0 { CommandStatus::Success } else { CommandStatus::Failure })
}
