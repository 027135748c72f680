//! `surus suite`

use std::fs::File;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use surus_arena::EngineSpec;
use surus_arena::suite::{self, Config, Suite, SuiteOptions, TestResult};
use surus_play::{Engine, LimitKind, Limits, TimeBudget, check_limits};

use super::suite_report as report;
use crate::shutdown::Shutdown;
use crate::{CommandStatus, engines, input, output};

/// Run an engine on test positions, or validate the tests
///
/// Reads ATS test files and .toml files; docs/suites.md describes both. An ats.cfg in a directory sets the engine, tests,
/// time, cycles and log that the command line does not set. A file that cannot be read is reported, and the others run; the exit
/// code is then 1.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus suite suites --engine alphabeta --nodes 100000
  surus suite suites --engine random:seed=7 --cycles 20 --json
  surus suite suites/goal.toml suites/endgame.toml --tags two-turns
  surus suite suites --check")]
pub(crate) struct Args {
    /// Test directories and files
    #[arg(required = true, value_name = "DIR|FILE")]
    paths: Vec<PathBuf>,
    /// Engine: name[:key=value,…], cmd=COMMAND LINE (AEI) or getmove=COMMAND LINE; `surus engine` lists the built-in ones
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Seconds per test [default: 5]
    #[arg(long, value_name = "S", value_parser = input::seconds)]
    time: Option<Duration>,
    /// Nodes per test: positions searched, or playouts for mcts
    #[arg(long, value_name = "N", conflicts_with = "time", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search depth per test, in steps
    #[arg(long, value_name = "N", conflicts_with_all = ["time", "nodes"], value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Number of times to run each test [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    cycles: Option<u32>,
    /// Only run tests with one of these tags
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    tags: Vec<String>,
    /// Log every answer to this file
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    log: Option<PathBuf>,
    /// Validate the tests: legal solutions, solved by some but not all turns, no duplicate positions (even mirrored or with sides swapped)
    #[arg(long, conflicts_with_all = ["engine", "time", "nodes", "depth", "cycles"])]
    check: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The default for engines that support a time limit, as in the example of [Akimot §A.7].
const TIME_PER_TEST: Duration = Duration::from_secs(5);

pub(crate) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let mut suite = suite::load(&args.paths)?;
    for error in &suite.unreadable {
        eprintln!("surus: {}", output::printable(&error.to_string()));
    }
    select(&mut suite, &args.tags)?;
    if args.check {
        return check(args, &suite);
    }
    let config = suite.config.clone().unwrap_or_default();
    // All errors of usage are reported before the first test.
    let (name, mut engine) = engine(args.engine.as_deref(), &config)?;
    let settings = SuiteOptions {
        limits: limits(args, &config, engine.as_ref())?,
        cycles: args.cycles.or(config.cycles).unwrap_or(1),
        stop: shutdown.stop(),
    };
    let mut log = log(args, &config)?;
    let tests = &suite.tests;
    let mut failed = None;
    let mut progress = ProgressLine::new(tests.len() * settings.cycles as usize);
    let answers = suite::run(engine.as_mut(), tests, &settings, &mut |answer: &TestResult| {
        progress.next(&tests[answer.test].name);
        let written =
            log.as_mut().map(|file| writeln!(file, "{}", report::log_line(&tests[answer.test], answer)));
        if let Some(Err(error)) = written {
            failed = Some(error);
            settings.stop.request();
        }
    })?;
    progress.end();
    if let Some(error) = failed {
        return Err(error).context("can't write the log");
    }
    let report = report::SuiteReport::new(&name, &settings, tests, &answers);
    if args.json {
        output::json(&report)?;
    } else {
        report.print()?;
    }
    match shutdown.outcome(!settings.stop.stop_requested()) {
        CommandStatus::Success if !suite.unreadable.is_empty() => Ok(CommandStatus::Failure),
        status => Ok(status),
    }
}

/// Creates the engine named on the command line or in an ats.cfg, where a bare command line is an AEI engine.
fn engine(name: Option<&str>, config: &Config) -> Result<(String, Box<dyn Engine>)> {
    let create = |text: &str| {
        let spec = EngineSpec::parse(text);
        Ok::<_, anyhow::Error>((spec.to_arg(), spec.instantiate(&engines::registry())?))
    };
    match (name, &config.engine) {
        (Some(name), _) => create(name),
        (None, Some((line, text))) => {
            let is_command =
                text.contains(['/', ' ']) && !text.starts_with("cmd=") && !text.starts_with("getmove=");
            let text = if is_command { format!("cmd={text}") } else { text.clone() };
            create(&text).with_context(|| format!("{}:{line}", config.file))
        }
        (None, None) => create(engines::DEFAULT),
    }
}

/// The limits of the command line, or of the configuration, or five seconds if the engine supports a time limit.
fn limits(args: &Args, config: &Config, engine: &dyn Engine) -> Result<Limits> {
    let id = engine.id();
    let timed = |time| Limits { time: Some(TimeBudget::fixed(time)), ..Limits::default() };
    let given =
        Limits { depth: args.depth, nodes: args.nodes, ..args.time.map_or_else(Limits::default, timed) };
    let limits = match config.time_per_test {
        Some((line, time)) if given == Limits::default() => {
            check_limits(&id, &timed(time)).with_context(|| format!("{}:{line}", config.file))?;
            timed(time)
        }
        None if given == Limits::default() && id.supported_limits.contains(&LimitKind::Time) => {
            timed(TIME_PER_TEST)
        }
        _ => given,
    };
    check_limits(&id, &limits)?;
    Ok(limits)
}

/// The log named on the command line, or by the configuration and next to it.
fn log(args: &Args, config: &Config) -> Result<Option<File>> {
    let next_to_config = |name: &String| Path::new(&config.file).with_file_name(name);
    let Some(path) = args.log.clone().or(config.log.as_ref().map(next_to_config)) else { return Ok(None) };
    File::create(&path).map(Some).with_context(|| format!("can't write {}", path.display()))
}

fn select(suite: &mut Suite, tags: &[String]) -> Result<()> {
    if let Some(config) = suite.config.clone() {
        suite.select(&config.tests).with_context(|| format!("{}: tests", config.file))?;
    }
    let existing: Vec<String> = suite.tags().into_iter().map(Into::into).collect();
    let requested: Vec<String> = tags.iter().map(|tag| tag.trim().to_lowercase()).collect();
    if let Some(unknown) = requested.iter().find(|tag| !existing.contains(tag)) {
        bail!("--tags: unknown tag '{unknown}': expected some of {}", existing.join(", "));
    }
    suite.tests.retain(|test| requested.is_empty() || test.tags.iter().any(|tag| requested.contains(tag)));
    Ok(())
}

fn check(args: &Args, suite: &Suite) -> Result<CommandStatus> {
    let mut progress = ProgressLine::new(suite.tests.len());
    let checked = suite::validate(&suite.tests, &mut |checked| {
        progress.next(&suite.tests[checked.test].name);
        true
    });
    progress.end();
    let report = report::CheckReport::new(&suite.tests, &checked);
    if args.json {
        output::json(&report)?;
    } else {
        report.print()?;
    }
    let complete = report.problems == 0 && suite.unreadable.is_empty();
    Ok(if complete { CommandStatus::Success } else { CommandStatus::Failure })
}

/// A progress line on a terminal; prints nothing if standard error is redirected.
struct ProgressLine {
    shown: bool,
    done: usize,
    total: usize,
}

impl ProgressLine {
    fn new(total: usize) -> Self {
        Self { shown: std::io::stderr().is_terminal(), done: 0, total }
    }

    fn next(&mut self, name: &str) {
        self.done += 1;
        if self.shown {
            eprint!("\r\x1b[K{}/{} {name}", self.done, self.total);
        }
    }

    fn end(&self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}
