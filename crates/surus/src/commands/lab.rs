//! `surus lab`

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::Subcommand;
use indicatif::ProgressBar;
use surus_lab::{
    Ablation, ExperimentConfig, ExperimentPaths, GeometryExperiment, MimicExperiment, Opponent,
    ablation_report, geometry, mimic, run_experiment,
};
use surus_rules::{GameResult, Position, Rules};

use crate::shutdown::Shutdown;
use crate::{CommandStatus, engines};

/// Games of each match in a quick run.
const QUICK: u64 = 2;

/// Run a document's experiments again and write their page
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus lab mcts --resume
  surus lab mcts --quick --out /tmp/lab --page /tmp/lab
  surus lab switches --pairs 400 --resume
  surus lab geometry --games archive.txt --resume
  surus lab mimic --games allgames2013.txt --resume")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Mcts(MctsArgs),
    Switches(SwitchesArgs),
    Geometry(GeometryArgs),
    Mimic(MimicArgs),
}

/// What every experiment takes.
#[derive(clap::Args)]
struct Common {
    /// A few games of each match only, to see that everything works, in a folder of its own
    #[arg(long)]
    quick: bool,
    /// Go on with the games that are there
    #[arg(long)]
    resume: bool,
    /// The folder for finished games
    #[arg(
        long,
        value_name = "DIR",
        default_value = "target/lab",
        default_value_if("quick", "true", "target/lab-quick")
    )]
    out: PathBuf,
    /// Only matches of at most so many playouts a turn
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    most: u64,
    /// The folder for the page and its plots
    #[arg(
        long,
        value_name = "DIR",
        default_value = "docs/lab",
        default_value_if("quick", "true", "target/lab-quick")
    )]
    page: PathBuf,
}

/// The experiments about Monte Carlo tree search: scaling, add-ons, virtual visits, threads, single claims
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus lab mcts --resume -c 2
  surus lab mcts --quick")]
struct MctsArgs {
    #[command(flatten)]
    common: Common,
    /// Who plays whom
    #[arg(long, value_name = "FILE", default_value = "docs/lab/mcts.toml")]
    settings: PathBuf,
    /// A file of keys for mcts, read before the keys that the settings give
    #[arg(long, value_name = "FILE")]
    config: Option<String>,
    /// Games at once, where no clock runs
    #[arg(short, long, value_name = "C", default_value_t = 1)]
    concurrency: usize,
}

/// What each part of the alpha-beta search is worth: games between sides that lack parts drawn by chance
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus lab switches --pairs 400 --resume
  surus lab switches --quick")]
struct SwitchesArgs {
    #[command(flatten)]
    common: Common,
    /// Positions to look at for each turn
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    nodes: u64,
    /// Pairs of games
    #[arg(long, value_name = "P", default_value_t = 1000)]
    pairs: u64,
    /// The same seed gives the same games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// Linguistic Geometry: the document's test cases, what the searches find, how the engine plays
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus lab geometry --games archive.txt --resume
  surus lab geometry --positions 2000 --matches 10")]
struct GeometryArgs {
    #[command(flatten)]
    common: Common,
    /// Draw half of the positions from the games of this file
    #[arg(long, value_name = "FILE")]
    games: Vec<String>,
    /// How many positions the searches are measured on
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(2..))]
    positions: u32,
    /// Games of each match
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u64).range(2..))]
    matches: u64,
}

/// The player that mimics a database: how often each tier answers, how fast, and how it plays
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus lab mimic --games allgames2013.txt --resume
  surus lab mimic --quick")]
struct MimicArgs {
    #[command(flatten)]
    common: Common,
    /// Files of real games for the archive
    #[arg(long, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    /// Add games of engines until the archive has so many
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    archive: u64,
    /// Who plays the games of the archive
    #[arg(long, value_name = "NAME", num_args = 2, default_values = ["alphabeta:level=5", "alphabeta:level=4"])]
    players: Vec<String>,
    /// How many of those games at once
    #[arg(short, long, value_name = "C", default_value_t = 1)]
    concurrency: usize,
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 1000)]
    matches: u64,
    /// Who is played against
    #[arg(long, value_name = "NAME", default_value = "fairylike:turns=2,seed={n}")]
    opponent: String,
    /// Positions that the opponent may look at for a turn; 0 for as many as it likes
    #[arg(long, value_name = "N", default_value_t = 40_000)]
    nodes: u64,
}

pub(crate) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    match &args.command {
        Command::Mcts(args) => mcts(args, shutdown),
        Command::Switches(args) => switches(args, shutdown),
        Command::Geometry(args) => measure_geometry(args, shutdown),
        Command::Mimic(args) => measure_mimic(args, shutdown),
    }
}

fn mcts(args: &MctsArgs, shutdown: &Shutdown) -> Result<CommandStatus> {
    let mut settings = ExperimentConfig::read(&args.settings)?;
    if args.common.quick {
        settings = settings.smoke_test(QUICK);
    }
    engines::configure(settings.engines_mut(), args.config.as_deref())?;
    let games = args.common.out.join("mcts");
    fresh(&games, args.common.resume)?;
    let stop = shutdown.stop();
    let command = "surus lab mcts --resume";
    let page = &args.common.page;
    let place = ExperimentPaths { games: &games, page, name: "mcts", command, at_once: args.concurrency };
    let mut out = io::stdout();
    run_experiment(&settings, &place, &engines::registry(), &stop, args.common.most, |name, score| {
        // A reader that has gone away is no reason to stop playing.
        let _ = writeln!(out, "{name:<28} {}", score.summary());
    })?;
    Ok(shutdown.outcome(!shutdown.requested()))
}

fn switches(args: &SwitchesArgs, shutdown: &Shutdown) -> Result<CommandStatus> {
    let SwitchesArgs { common, nodes, pairs, seed } = args;
    let (nodes, pairs) = if common.quick { (200, QUICK) } else { (*nodes, *pairs) };
    let file = common.out.join("switches.txt");
    fresh(&file, common.resume)?;
    let experiment = Ablation { nodes, pairs, seed: *seed, file };
    let stop = shutdown.stop();
    let bar = ProgressBar::new(pairs);
    let played = experiment.play(&engines::registry(), &stop, |count| bar.set_position(count))?;
    bar.finish_and_clear();
    let command = format!("surus lab switches --nodes {nodes} --pairs {pairs} --seed {seed}");
    let text = ablation_report(&experiment, &played, &command);
    let page = common.page.join("switches.md");
    std::fs::create_dir_all(&common.page)
        .and_then(|()| std::fs::write(&page, &text))
        .with_context(|| page.display().to_string())?;
    write!(io::stdout(), "{text}")?;
    Ok(shutdown.outcome(!shutdown.requested()))
}

/// Games that are there are gone on with only where that is asked for.
fn fresh(games: &Path, resume: bool) -> Result<()> {
    if games.exists() && !resume {
        bail!(
            "{} holds games already: go on with them by --resume, or choose another folder",
            games.display()
        );
    }
    Ok(())
}

fn measure_geometry(args: &GeometryArgs, shutdown: &Shutdown) -> Result<CommandStatus> {
    let quick = args.common.quick;
    let games = args.common.out.join("geometry");
    fresh(&games, args.common.resume)?;
    let mut real = Vec::new();
    for file in &args.games {
        real.extend(super::tactics::boards_of(file)?);
    }
    // A board that ended its game is nobody's turn.
    real.retain(|(board, side)| {
        GameResult::of_board(board, side.other(), Rules::Official).is_none()
            && Position::new(*board, *side).is_ok()
    });
    let experiment = GeometryExperiment {
        real,
        positions: if quick { 200 } else { args.positions as usize },
        games: if quick { QUICK } else { args.matches },
        runs_dir: &games,
        report_dir: &args.common.page,
    };
    let stop = shutdown.stop();
    let mut out = io::stdout();
    geometry(&experiment, &engines::registry(), &stop, |line| {
        // A reader that has gone away is no reason to stop.
        let _ = writeln!(out, "{line}");
    })?;
    Ok(shutdown.outcome(!shutdown.requested()))
}

fn measure_mimic(args: &MimicArgs, shutdown: &Shutdown) -> Result<CommandStatus> {
    let [first, second] = &args.players[..] else { bail!("expected two players") };
    let players = [first.clone(), second.clone()];
    let quick = args.common.quick;
    let folder = args.common.out.join("mimic");
    fresh(&folder, args.common.resume)?;
    let experiment = MimicExperiment {
        files: args.games.clone(),
        archive: if quick { 20 } else { args.archive },
        players: if quick { ["greedy", "random"].map(Into::into) } else { players.clone() },
        at_once: args.concurrency,
        games: if quick { 10 } else { args.matches },
        opponent: if quick {
            Opponent::main("greedy:seed={n}".into(), None)
        } else {
            Opponent::main(args.opponent.clone(), Some(args.nodes).filter(|&nodes| 0 < nodes))
        },
        turns: 200,
        probe_positions: if quick { 50 } else { 1000 },
        out: &folder,
        page: &args.common.page,
    };
    let stop = shutdown.stop();
    let mut out = io::stdout();
    mimic(&experiment, &engines::registry(), &stop, |line| {
        // A reader that has gone away is no reason to stop.
        let _ = writeln!(out, "{line}");
    })?;
    Ok(shutdown.outcome(!shutdown.requested()))
}
