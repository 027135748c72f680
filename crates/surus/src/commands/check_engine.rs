//! `surus check-engine`

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use surus_protocol::{Finding, ProgramSettings, Verdict, check_engine};

use crate::{Outcome, engines, output};

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
    program: &'a str,
    checks: Vec<Check>,
    ok: usize,
    notes: usize,
    wrong: usize,
}

#[derive(Serialize)]
struct Check {
    check: &'static str,
    verdict: String,
    words: String,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let (stderr, guard) = (args.stderr.clone(), Some(engines::guard(&["guard"])));
    let settings = ProgramSettings { stderr, guard, ..ProgramSettings::default() };
    let mut findings: Vec<Finding> = Vec::new();
    let mut printed = Ok(());
    let mut found = |finding: Finding| {
        if !args.json && printed.is_ok() {
            printed = writeln!(io::stdout(), "{finding}");
        }
        findings.push(finding);
    };
    check_engine(&args.command_line, &settings, Duration::from_secs(args.patience), &mut found)?;
    printed?;
    let count = |verdict| findings.iter().filter(|finding| finding.verdict == verdict).count();
    let (ok, notes, wrong) = (count(Verdict::Ok), count(Verdict::Note), count(Verdict::Wrong));
    if args.json {
        let check = |finding: &Finding| Check {
            check: finding.check,
            verdict: finding.verdict.to_string().to_lowercase(),
            words: finding.words.clone(),
        };
        let checks = findings.iter().map(check).collect();
        output::json(&Report { program: &args.command_line, checks, ok, notes, wrong })?;
    } else {
        let plural = if notes == 1 { "" } else { "s" };
        writeln!(io::stdout(), "{ok} ok, {notes} note{plural}, {wrong} wrong")?;
    }
    Ok(if wrong == 0 { Outcome::Success } else { Outcome::Failure })
}
