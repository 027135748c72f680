//! `surus lab`

mod calibration;
mod ordering;
mod phase;
mod strength;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::Subcommand;
use indicatif::ProgressBar;
use surus_lab::{
    Ablation, ExperimentConfig, ExperimentPaths, GeometryExperiment, MimicExperiment, Opponent, RealGame,
    ablation_report, experiment_settings, geometry, mimic, run_experiment, run_experiment_task,
};
use surus_record::ArchiveFile;
use surus_rules::{GameResult, Handicap, PlayedTurn, Position, Record, Rules};

use super::cluster::{self, ClusterRun, ClusterTask, Plan, SlurmArgs};
use crate::shutdown::Shutdown;
use crate::{CommandStatus, engines};

/// Games per match in a quick run.
const QUICK_GAMES: u64 = 2;

/// Repeat a published experiment and write its report
///
/// Every finished game is saved, so a run can be stopped and resumed. The report compares the published figures with ours.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus lab mcts --resume
  surus lab mcts --quick --out /tmp/lab --report-dir /tmp/lab
  surus lab ablation --pairs 400 --resume
  surus lab calibration runs/league/games.txt --player surus
  surus lab geometry --input archive.txt --resume
  surus lab mimic --input allgames2013.txt --resume
  surus lab ordering --experts experts.packed --selfplay selfplay.packed --resume
  surus lab phase --resume allgames202602.txt
  surus lab strength --suites suites")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Mcts(MctsArgs),
    Ablation(AblationArgs),
    Calibration(calibration::Args),
    Geometry(GeometryArgs),
    Mimic(MimicArgs),
    Ordering(ordering::Args),
    Phase(phase::Args),
    Strength(strength::Args),
}

/// Options of every experiment.
#[derive(clap::Args)]
struct Common {
    /// Smoke test: a few games per match, in a directory of its own
    #[arg(long)]
    quick: bool,
    /// Continue with the games that were saved
    #[arg(long)]
    resume: bool,
    /// Directory of the saved games
    #[arg(
        long,
        value_name = "DIR",
        default_value = "target/lab",
        default_value_if("quick", "true", "target/lab-quick")
    )]
    out: PathBuf,
    /// Directory of the report and its plots
    #[arg(
        long,
        value_name = "DIR",
        default_value = "docs/lab",
        default_value_if("quick", "true", "target/lab-quick")
    )]
    report_dir: PathBuf,
}

/// Monte Carlo tree search [Akimot]: scaling, enhancements, threads, single claims
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus lab mcts --resume -c 2
  surus lab mcts --slurm --tasks 50 --out shared/lab && surus lab mcts --resume --out shared/lab
  surus lab mcts --quick")]
struct MctsArgs {
    #[command(flatten)]
    common: Common,
    /// Experiment: its matches and published figures
    #[arg(long, value_name = "FILE", default_value = "docs/lab/mcts.toml")]
    config: PathBuf,
    /// Configuration file for mcts; the options of the experiment override it
    #[arg(long, value_name = "FILE")]
    engine_config: Option<String>,
    /// Only play matches with at most N playouts per turn
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    max_playouts: u64,
    /// Number of games to play in parallel, except games on a clock
    #[arg(short, long, value_name = "C", default_value_t = 1)]
    concurrency: usize,
    #[command(flatten)]
    slurm: SlurmArgs,
}

/// Elo of each feature of the alpha-beta search, from games with random features disabled
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus lab ablation --pairs 400 --resume
  surus lab ablation --quick")]
struct AblationArgs {
    #[command(flatten)]
    common: Common,
    /// Nodes per turn
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    nodes: u64,
    /// Number of game pairs
    #[arg(long, value_name = "P", default_value_t = 1000)]
    pairs: u64,
    /// Random seed; the same seed gives the same games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// Linguistic Geometry [LG]: test cases, recall of the searches, playing strength
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus lab geometry --input archive.txt --resume
  surus lab geometry --positions 2000 --games 10")]
struct GeometryArgs {
    #[command(flatten)]
    common: Common,
    /// Sample half of the positions from the games of this file (repeatable)
    #[arg(long, value_name = "FILE")]
    input: Vec<String>,
    /// Number of positions for the recall of the searches
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(2..))]
    positions: u32,
    /// Games per match
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u64).range(2..))]
    games: u64,
}

/// Mimicking a game archive [McKee]: hit rates and speed of the tiers, playing strength
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus lab mimic --input allgames2013.txt --resume
  surus lab mimic --quick")]
struct MimicArgs {
    #[command(flatten)]
    common: Common,
    /// Files of human games for the archive
    #[arg(long, value_name = "FILE", num_args = 1..)]
    input: Vec<PathBuf>,
    /// Fill the archive with engine games up to N games
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    archive_games: u64,
    /// The two engines that play the engine games
    #[arg(long, value_name = "NAME", num_args = 2, default_values = ["alphabeta:level=5", "alphabeta:level=4"])]
    players: Vec<String>,
    /// Number of engine games to play in parallel
    #[arg(short, long, value_name = "C", default_value_t = 1)]
    concurrency: usize,
    /// Games against the opponent
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u64,
    /// Opponent, with a placeholder for the number of the game as in the default
    #[arg(long, value_name = "NAME", default_value = "fairylike:turns=2,seed={n}")]
    opponent: String,
    /// Nodes per turn of the opponent; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 40_000)]
    nodes: u64,
}

pub(crate) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    match &args.command {
        Command::Mcts(args) => mcts(args, shutdown),
        Command::Ablation(args) => run_ablation(args, shutdown),
        Command::Calibration(args) => calibration::run(args),
        Command::Geometry(args) => measure_geometry(args, shutdown),
        Command::Mimic(args) => measure_mimic(args, shutdown),
        Command::Ordering(args) => ordering::run(args, shutdown),
        Command::Phase(args) => phase::run(args, shutdown),
        Command::Strength(args) => strength::run(args, shutdown),
    }
}

fn mcts(args: &MctsArgs, shutdown: &Shutdown) -> Result<CommandStatus> {
    check_config(&args.config)?;
    let mut config = ExperimentConfig::read(&args.config)?;
    if args.common.quick {
        config = config.smoke_test(QUICK_GAMES);
    }
    engines::configure(config.engines_mut(), args.engine_config.as_deref())?;
    let games = args.common.out.join("mcts");
    let task = ClusterTask::of(&args.slurm, &games)?;
    check_resume(&games, args.common.resume || task.is_some())?;
    let stop = shutdown.stop();
    let command = "surus lab mcts --resume";
    let paths = ExperimentPaths {
        games: &games,
        report_dir: &args.common.report_dir,
        name: "mcts",
        command,
        concurrency: args.concurrency,
    };
    let registry = engines::registry();
    if args.slurm.submits() {
        args.slurm.check()?;
        let (games, settings) = experiment_settings(&config, &paths, &registry)?;
        let plan = Plan::new("lab", games, args.concurrency, settings);
        std::fs::create_dir_all(paths.games).with_context(|| paths.games.display().to_string())?;
        let run = ClusterRun::new(plan, &args.slurm, paths.games)?;
        return cluster::submit(run, &args.slurm, paths.games, false, shutdown);
    }
    if let Some(task) = task {
        task.run.require_same_settings(&experiment_settings(&config, &paths, &registry)?.1)?;
        run_experiment_task(&config, &paths, &registry, &stop, args.max_playouts, task.numbers())?;
        return Ok(shutdown.outcome(!shutdown.requested()));
    }
    let mut out = io::stdout();
    run_experiment(&config, &paths, &registry, &stop, args.max_playouts, |name, score| {
        // A closed pipe does not stop the experiment.
        let _ = writeln!(out, "{name:<28} {}", score.summary());
    })?;
    Ok(shutdown.outcome(!shutdown.requested()))
}

fn run_ablation(args: &AblationArgs, shutdown: &Shutdown) -> Result<CommandStatus> {
    let AblationArgs { common, nodes, pairs, seed } = args;
    let (nodes, pairs) = if common.quick { (200, QUICK_GAMES) } else { (*nodes, *pairs) };
    let file = common.out.join("ablation.txt");
    check_resume(&file, common.resume)?;
    let experiment = Ablation { nodes, pairs, seed: *seed, file };
    let stop = shutdown.stop();
    let bar = ProgressBar::new(pairs);
    let played = experiment.play(&engines::registry(), &stop, |count| bar.set_position(count))?;
    bar.finish_and_clear();
    let command = format!("surus lab ablation --nodes {nodes} --pairs {pairs} --seed {seed}");
    let text = ablation_report(&experiment, &played, &command);
    let page = common.report_dir.join("ablation.md");
    std::fs::create_dir_all(&common.report_dir)
        .and_then(|()| std::fs::write(&page, &text))
        .with_context(|| page.display().to_string())?;
    write!(io::stdout(), "{text}")?;
    Ok(shutdown.outcome(!shutdown.requested()))
}

/// The default files are part of the source tree, not of the program.
fn check_config(file: &Path) -> Result<()> {
    if !file.exists() {
        bail!(
            "{}: file not found: run the command in the source tree of Surus, or name a file with --config",
            file.display()
        );
    }
    Ok(())
}

/// Saved games are continued only with --resume.
fn check_resume(games: &Path, resume: bool) -> Result<()> {
    if games.exists() && !resume {
        bail!(
            "{} already contains games: use --resume to continue, or choose another directory",
            games.display()
        );
    }
    Ok(())
}

fn measure_geometry(args: &GeometryArgs, shutdown: &Shutdown) -> Result<CommandStatus> {
    let quick = args.common.quick;
    let games = args.common.out.join("geometry");
    check_resume(&games, args.common.resume)?;
    let (mut real, mut real_games) = (Vec::new(), Vec::new());
    for file in &args.input {
        real.extend(super::tactics::boards_of(file)?);
        real_games.extend(games_of(file)?);
    }
    // Final positions have no side to move.
    real.retain(|(board, side)| {
        GameResult::from_board(board, side.other(), Rules::Official).is_none()
            && Position::new(*board, *side).is_ok()
    });
    let experiment = GeometryExperiment {
        real,
        real_games,
        positions: if quick { 200 } else { args.positions as usize },
        games: if quick { QUICK_GAMES } else { args.games },
        runs_dir: &games,
        report_dir: &args.common.report_dir,
    };
    let stop = shutdown.stop();
    let mut out = io::stdout();
    geometry(&experiment, &engines::registry(), &stop, |line| {
        // A closed pipe does not stop the experiment.
        let _ = writeln!(out, "{line}");
    })?;
    Ok(shutdown.outcome(!shutdown.requested()))
}

/// The legal games of a file, with their endings if it is an archive.
fn games_of(file: &str) -> Result<Vec<RealGame>> {
    let text = crate::input::read(file)?;
    let letters: Vec<String> = match ArchiveFile::parse(text.trim_start_matches('\u{feff}')) {
        Ok(archive) => archive.rows.iter().map(|row| row.get("termination").to_string()).collect(),
        Err(_) => Vec::new(),
    };
    let sources = surus_record::parse_games(&text).with_context(|| file.to_string())?;
    let games = sources.iter().enumerate().filter_map(|(i, source)| {
        let replay = Record::parse(&source.record).ok()?.replay(source.rules, Handicap::None).ok()?;
        let entries = replay.game.entries();
        let turns = entries.iter().skip(2).filter_map(|entry| match entry.played {
            PlayedTurn::Turn(turn) => Some(turn),
            PlayedTurn::Setup(_) => None,
        });
        let start = entries.get(1)?.board;
        Some(RealGame { start, turns: turns.collect(), termination: letters.get(i).cloned() })
    });
    Ok(games.collect())
}

fn measure_mimic(args: &MimicArgs, shutdown: &Shutdown) -> Result<CommandStatus> {
    let [first, second] = &args.players[..] else { bail!("--players: expected two engines") };
    let players = [first.clone(), second.clone()];
    let quick = args.common.quick;
    let dir = args.common.out.join("mimic");
    check_resume(&dir, args.common.resume)?;
    let experiment = MimicExperiment {
        files: args.input.clone(),
        archive_games: if quick { 20 } else { args.archive_games },
        players: if quick { ["greedy", "random"].map(Into::into) } else { players.clone() },
        concurrency: args.concurrency,
        games: if quick { 10 } else { args.games },
        opponent: if quick {
            Opponent::main("greedy:seed={n}".into(), None)
        } else {
            Opponent::main(args.opponent.clone(), Some(args.nodes).filter(|&nodes| nodes > 0))
        },
        max_turns: 200,
        probe_positions: if quick { 50 } else { 1000 },
        out: &dir,
        report_dir: &args.common.report_dir,
    };
    let stop = shutdown.stop();
    let mut out = io::stdout();
    mimic(&experiment, &engines::registry(), &stop, |line| {
        // A closed pipe does not stop the experiment.
        let _ = writeln!(out, "{line}");
    })?;
    Ok(shutdown.outcome(!shutdown.requested()))
}
