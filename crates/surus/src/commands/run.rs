//! `surus run`

use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use anyhow::{Context, Result, bail};
use clap::Subcommand;
use rustix::process::{Pid, Signal, kill_process};
use serde::Serialize;
use surus_arena::{Manifest, MatchSummary, Scoreboard, is_run_in_use, read_run};

use super::arena::report::match_report;
use super::arena::table::{Table, TournamentResult};
use super::cluster::{self, ClusterRun, JobArgs, RunStatus, invocation};
use crate::shutdown::Shutdown;
use crate::{CommandStatus, output};

/// Show, resume or cancel a run, on this machine or on a cluster
///
/// DIR is the --out of a match, tournament or sequential test, or of any command that was submitted with --slurm.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus run status runs/spring
  surus run status runs/spring --json
  surus run status runs/spring --wait
  surus run resume runs/spring --partition long --sbatch '--time=8:00:00'
  surus run cancel runs/spring

docs/cluster.md describes runs on a cluster.")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print tasks, games and results; when all tasks have ended, collect their games in DIR/games.txt
    Status(StatusArgs),
    /// Continue a run that was interrupted, with the command that started it
    Resume(ResumeArgs),
    /// Stop a run; it can be resumed
    Cancel(CancelArgs),
}

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus run status runs/spring")]
struct StatusArgs {
    /// Directory of the run
    dir: PathBuf,
    /// On a cluster: wait until all tasks have ended
    #[arg(long)]
    wait: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus run resume runs/spring
  surus run resume runs/spring --detach")]
struct ResumeArgs {
    /// Directory of the run
    dir: PathBuf,
    #[command(flatten)]
    job: JobArgs,
    /// On a cluster: print one JSON object at the end
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus run cancel runs/spring")]
struct CancelArgs {
    /// Directory of the run
    dir: PathBuf,
}

#[derive(Serialize)]
struct LocalStatus<'a> {
    run: &'a str,
    kind: &'a str,
    running: bool,
    games: usize,
    of: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<MatchSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<TournamentResult>,
}

pub(crate) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    match &args.command {
        Command::Status(args) => status(args, shutdown),
        Command::Resume(args) => resume(args, shutdown),
        Command::Cancel(args) => cancel(args),
    }
}

fn status(args: &StatusArgs, shutdown: &Shutdown) -> Result<CommandStatus> {
    if ClusterRun::is_in(&args.dir) {
        let run = ClusterRun::read(&args.dir)?;
        if args.wait {
            return cluster::wait(&args.dir, run, args.json, shutdown);
        }
        let mut status = RunStatus::open(&args.dir, run)?;
        status.update()?;
        if status.has_ended() {
            status.collect()?;
        }
        status.print(args.json)?;
        return Ok(CommandStatus::Success);
    }
    let manifest = local_run(&args.dir)?;
    let (_, games) = read_run(&args.dir)?;
    let mut board = Scoreboard::default();
    for entry in &games {
        let pair = entry.id.saturating_sub(1) / 2;
        let scheduled = manifest.schedule().games_of(pair..pair + 1).find(|game| game.id == entry.id);
        if let Some(scheduled) = scheduled {
            board.add(&scheduled, entry.winner);
        }
    }
    print_local(&args.dir, &manifest, games.len(), &board, args.json)?;
    Ok(CommandStatus::Success)
}

fn print_local(dir: &Path, manifest: &Manifest, games: usize, board: &Scoreboard, json: bool) -> Result<()> {
    let (engines, of) = (&manifest.engine, manifest.schedule().game_count());
    let running = is_run_in_use(dir);
    let table = Table { engines, board };
    let is_match = engines.len() == 2;
    if json {
        return output::json(&LocalStatus {
            run: &dir.to_string_lossy(),
            kind: &manifest.format,
            running,
            games,
            of,
            result: is_match.then(|| match_report(engines, board, None).summary()),
            table: (!is_match).then(|| table.result(running)),
        });
    }
    let mut out = io::stdout().lock();
    let state = if running { "running" } else { "not running" };
    writeln!(out, "{} in {}, {state}; games: {games} of {of}", manifest.format, dir.display())?;
    if is_match {
        writeln!(out, "{}", match_report(engines, board, None))?;
    } else {
        table.print(&mut out)?;
    }
    Ok(())
}

fn resume(args: &ResumeArgs, shutdown: &Shutdown) -> Result<CommandStatus> {
    if ClusterRun::is_in(&args.dir) {
        return cluster::submit_again(&args.dir, &args.job, args.json, shutdown);
    }
    let manifest = local_run(&args.dir)?;
    let saved = &manifest.invocation;
    if is_run_in_use(&args.dir) {
        bail!("{} is in use by process {} on {}", args.dir.display(), saved.process, saved.host);
    }
    let Some((_, arguments)) = saved.command.split_first() else {
        bail!("{} does not record its command: repeat it with --resume", args.dir.join("run.toml").display());
    };
    let mut arguments = arguments.to_vec();
    if !arguments.iter().any(|argument| argument == "--resume") {
        (arguments, _) = cluster::insert_option(&arguments, "--resume");
    }
    let program = std::env::current_exe().context("the path of this program")?;
    let error = Process::new(program).args(arguments).current_dir(&saved.directory).exec();
    Err(error).with_context(|| format!("can't continue in {}", saved.directory))
}

fn cancel(args: &CancelArgs) -> Result<CommandStatus> {
    if ClusterRun::is_in(&args.dir) {
        let run = ClusterRun::read(&args.dir)?;
        if run.jobs.is_empty() {
            bail!("the run in {} was not submitted by this program: use scancel", args.dir.display());
        }
        cluster::cancel(&run.jobs, None)?;
        writeln!(io::stdout(), "Cancelled; continue with: surus run resume {}", args.dir.display())?;
        return Ok(CommandStatus::Success);
    }
    let saved = local_run(&args.dir)?.invocation;
    if !is_run_in_use(&args.dir) {
        bail!("the run in {} is not running", args.dir.display());
    }
    if saved.host != invocation().host {
        bail!(
            "the run in {} is played by process {} on {}: cancel it there",
            args.dir.display(),
            saved.process,
            saved.host
        );
    }
    let process = i32::try_from(saved.process).ok().and_then(Pid::from_raw);
    let process = process.with_context(|| format!("{} does not record its process", args.dir.display()))?;
    kill_process(process, Signal::TERM).with_context(|| format!("can't stop process {}", saved.process))?;
    writeln!(io::stdout(), "Cancelled; continue with: surus run resume {}", args.dir.display())?;
    Ok(CommandStatus::Success)
}

/// The manifest of a run that was started on one machine.
fn local_run(dir: &Path) -> Result<Manifest> {
    if !dir.join("run.toml").exists() {
        bail!(
            "{}: no run.toml and no cluster.toml: name the --out directory of a match, tournament, sequential test or cluster run; \
             other commands are continued by repeating them",
            dir.display()
        );
    }
    Ok(read_run(dir)?.0)
}
