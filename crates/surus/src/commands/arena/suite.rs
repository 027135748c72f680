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

/// Put the tests of a suite to an engine, or check the tests themselves
///
/// Reads ATS test files and .toml files; docs/suites.md describes both. An ats.cfg in a directory says which engine,
/// tests, time, cycles and log to use where the command line does not.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus suite suites --engine alphabeta --nodes 100000
  surus suite suites --engine random:seed=7 --cycles 20 --json
  surus suite suites/goal.toml suites/endgame.toml --tags two-turns
  surus suite suites --check")]
pub(crate) struct Args {
    /// Directories of tests, and single files
    #[arg(required = true, value_name = "DIR|FILE")]
    paths: Vec<PathBuf>,
    /// Who answers: name[:key=value,…], cmd=COMMAND LINE (AEI) or getmove=COMMAND LINE; `surus engine` lists all
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Seconds for each test
    #[arg(long, value_name = "S", value_parser = input::seconds)]
    time: Option<Duration>,
    /// Positions to look at for each test
    #[arg(long, value_name = "N", conflicts_with = "time", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Steps to look ahead in each test
    #[arg(long, value_name = "N", conflicts_with_all = ["time", "nodes"], value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// How often to put each test
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    cycles: Option<u32>,
    /// Only tests that have one of these tags
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    tags: Vec<String>,
    /// Write every answer to this file
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    log: Option<PathBuf>,
    /// Check the tests: solutions right, solvable by some turn and not by all, no position twice by mirror or flip
    #[arg(long, conflicts_with_all = ["engine", "time", "nodes", "depth", "cycles"])]
    check: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// For engines that keep to a time, where nothing is said; that of Akimot's example.
const TIME_PER_TEST: Duration = Duration::from_secs(5);

pub(crate) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let mut suite = suite::load(&args.paths)?;
    select(&mut suite, &args.tags)?;
    if args.check {
        return check(args, &suite);
    }
    let config = suite.config.clone().unwrap_or_default();
    // Everything that can be wrong is found out before the first test.
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
    Ok(shutdown.outcome(!settings.stop.stop_requested()))
}

/// The one place where an engine is made out of its name, on the command line or in an ats.cfg, where a bare command
/// line stands for an AEI program.
fn engine(name: Option<&str>, config: &Config) -> Result<(String, Box<dyn Engine>)> {
    let make = |text: &str| {
        let spec = EngineSpec::parse(text);
        Ok::<_, anyhow::Error>((spec.to_arg(), spec.instantiate(&engines::registry())?))
    };
    match (name, &config.engine) {
        (Some(name), _) => make(name),
        (None, Some((line, text))) => {
            let is_command =
                text.contains(['/', ' ']) && !text.starts_with("cmd=") && !text.starts_with("getmove=");
            let text = if is_command { format!("cmd={text}") } else { text.clone() };
            make(&text).with_context(|| format!("{}:{line}", config.file))
        }
        (None, None) => make(engines::DEFAULT),
    }
}

/// What the command line says, else the configuration, else five seconds if the engine minds the clock.
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

/// The log, by the command line or beside the configuration that asks for it.
fn log(args: &Args, config: &Config) -> Result<Option<File>> {
    let beside = |name: &String| Path::new(&config.file).with_file_name(name);
    let Some(path) = args.log.clone().or(config.log.as_ref().map(beside)) else { return Ok(None) };
    File::create(&path).map(Some).with_context(|| format!("can't write {}", path.display()))
}

fn select(suite: &mut Suite, tags: &[String]) -> Result<()> {
    if let Some(config) = suite.config.clone() {
        suite.select(&config.tests).with_context(|| format!("{}: tests", config.file))?;
    }
    let known: Vec<String> = suite.tags().into_iter().map(Into::into).collect();
    let wanted: Vec<String> = tags.iter().map(|tag| tag.trim().to_lowercase()).collect();
    if let Some(unknown) = wanted.iter().find(|tag| !known.contains(tag)) {
        bail!("--tags: no test has the tag '{unknown}': expected some of {}", known.join(", "));
    }
    suite.tests.retain(|test| wanted.is_empty() || test.tags.iter().any(|tag| wanted.contains(tag)));
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
    Ok(if report.problems == 0 { CommandStatus::Success } else { CommandStatus::Failure })
}

/// A line on a terminal that tells how far the work is; nothing where errors go to a file.
struct ProgressLine {
    shown: bool,
    done: usize,
    all: usize,
}

impl ProgressLine {
    fn new(all: usize) -> Self {
        Self { shown: std::io::stderr().is_terminal(), done: 0, all }
    }

    fn next(&mut self, name: &str) {
        self.done += 1;
        if self.shown {
            eprint!("\r\x1b[K{}/{} {name}", self.done, self.all);
        }
    }

    fn end(&self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}
