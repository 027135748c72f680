//! `surus learn phase`

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Subcommand, ValueEnum};
use serde::Serialize;
use surus_engine::phase::{PhaseModel, PhaseOfTurn, phase_course};
use surus_lab::{GameCourse, course_svg, phase_heat_map};
use surus_learn::import::{ImportedGame, SkippedGames};
use surus_learn::phase::{FitOptions, Scaling, fit_clusters};
use surus_record::journal::replace_file;

use super::phase_games::PhaseGameArgs;
use crate::input::PositionArg;
use crate::shutdown::Shutdown;
use crate::{CommandStatus, output};

/// Fit models of game phase, classify positions, and plot games
///
/// A model is a heuristic with cut-offs, as the embedded one, or a set of clusters made by `fit`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn phase fit allgames202602.txt --min-rating 1600 --out phases.toml
  surus learn phase classify game.txt
  surus learn phase plot allgames202602.txt --out plots

docs/phase.md explains the models.")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Fit(FitArgs),
    Classify(ClassifyArgs),
    Plot(PlotArgs),
}

/// Cluster the boards of games by X-means; with equal bounds of k that is k-means
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn phase fit allgames202602.txt --min-rating 1600 --out phases.toml
  surus learn phase fit games.txt selfplay.packed --min-k 3 --max-k 3 --out three.toml")]
struct FitArgs {
    #[command(flatten)]
    games: PhaseGameArgs,
    /// Smallest number of phases
    #[arg(long, value_name = "K", default_value_t = 1)]
    min_k: usize,
    /// Largest number of phases
    #[arg(long, value_name = "K", default_value_t = 8)]
    max_k: usize,
    /// What each feature is divided by: its range, its standard deviation, or nothing
    #[arg(long, value_name = "SCALE", default_value = "range")]
    scale: Scale,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Model file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Scale {
    Range,
    Deviation,
    None,
}

/// Print the phase of a position, or of every position of a game record
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn phase classify game.txt
  surus learn phase classify game.txt --model phases.toml --json
  surus learn phase classify --aei 'g [rrr  rrrc  rrc  heHEm dh                    M H R DC DCRRRR RR R]'")]
struct ClassifyArgs {
    #[command(flatten)]
    position: PositionArg,
    /// Model file; the embedded heuristic if not given
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Plot the features of boards as heat maps, and the phases of the first games, as SVG
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn phase plot allgames202602.txt --min-rating 1600 --out plots
  surus learn phase plot game.txt --model phases.toml --out plots")]
struct PlotArgs {
    #[command(flatten)]
    games: PhaseGameArgs,
    /// Model file; the embedded heuristic if not given
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Number of games whose course is plotted
    #[arg(long, value_name = "N", default_value_t = 4)]
    courses: usize,
    /// Directory of the plots
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(super) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    match &args.command {
        Command::Fit(args) => fit(args, shutdown),
        Command::Classify(args) => classify(args),
        Command::Plot(args) => plot(args, shutdown),
    }?;
    Ok(CommandStatus::Success)
}

#[derive(Serialize)]
struct FitReport {
    file: String,
    games: u64,
    boards: u64,
    skipped: SkippedGames,
    /// Mean features and number of boards of each cluster.
    clusters: Vec<([f64; 3], u64)>,
    /// Criterion by number of clusters.
    bic: Vec<(usize, f64)>,
}

fn fit(args: &FitArgs, shutdown: &Shutdown) -> Result<()> {
    let games = args.games.read(shutdown)?;
    let histogram = games.histogram();
    let scaling = match args.scale {
        Scale::Range => Scaling::Range,
        Scale::Deviation => Scaling::Deviation,
        Scale::None => Scaling::None,
    };
    let options = FitOptions { min_k: args.min_k, max_k: args.max_k, seed: args.seed, scaling };
    let source = format!("{} games, {} boards: {}", histogram.games, histogram.boards, args.games.source());
    let fitted = fit_clusters(&histogram, &options, &source)?;
    replace_file(&args.out, fitted.model.to_toml().as_bytes())
        .with_context(|| args.out.display().to_string())?;
    let report = FitReport {
        file: args.out.display().to_string(),
        games: histogram.games,
        boards: histogram.boards,
        skipped: games.skipped,
        clusters: fitted.model.clusters().iter().map(|cluster| (cluster.centroid, cluster.boards)).collect(),
        bic: fitted.compared,
    };
    if args.json {
        return output::json(&report);
    }
    let mut out = io::stdout().lock();
    writeln!(out, "{}: {} games, {} boards", report.file, report.games, report.boards)?;
    for (k, bic) in &report.bic {
        writeln!(out, "k = {k:<3} BIC {bic:.0}")?;
    }
    writeln!(out, "\ncluster  pieces  advanced  goal threat  boards")?;
    for (number, ([pieces, advanced, threat], boards)) in (1..).zip(&report.clusters) {
        writeln!(out, "{number:>7}  {pieces:>6.2}  {advanced:>8.2}  {threat:>11.3}  {boards}")?;
    }
    Ok(())
}

fn classify(args: &ClassifyArgs) -> Result<()> {
    let model = model(args.model.as_deref())?;
    let course = phase_course(&args.position.game()?, &model);
    if course.is_empty() {
        bail!("the game has no turn after its setup");
    }
    if args.json {
        return output::json(&course);
    }
    let mut out = io::stdout().lock();
    writeln!(out, "turn   pieces  advanced  threat  phase       probabilities")?;
    for PhaseOfTurn { turn, min_pieces, max_advanced, goal_threat, name, memberships, .. } in &course {
        let shares: Vec<String> = memberships.iter().map(|share| format!("{share:.2}")).collect();
        let threat = if *goal_threat { "yes" } else { "no" };
        writeln!(
            out,
            "{turn:<5}  {min_pieces:>6}  {max_advanced:>8}  {threat:>6}  {name:<10}  {}",
            shares.join(" ")
        )?;
    }
    Ok(())
}

fn plot(args: &PlotArgs, shutdown: &Shutdown) -> Result<()> {
    let model = model(args.model.as_deref())?;
    let games = args.games.read(shutdown)?;
    let histogram = games.histogram();
    if histogram.boards == 0 {
        bail!("no boards to plot: choose other files, or a filter that some game passes");
    }
    std::fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let mut out = io::stdout().lock();
    let mut write = |name: &str, svg: &str| -> Result<()> {
        let path = args.out.join(name);
        replace_file(&path, svg.as_bytes()).with_context(|| path.display().to_string())?;
        Ok(writeln!(out, "{}", path.display())?)
    };
    for (threat, name, title) in
        [(false, "features.svg", "No goal threat"), (true, "features-threat.svg", "Goal threat")]
    {
        write(name, &phase_heat_map(&histogram, threat, title).svg())?;
    }
    let course = |game: &ImportedGame| GameCourse {
        title: format!("game {}", game.name()),
        turns: phase_course(game.game(), &model),
    };
    let courses: Vec<GameCourse> = games.games.iter().take(args.courses).map(course).collect();
    if !courses.is_empty() {
        let names: Vec<String> = (0..model.count()).map(|phase| model.phase_name(phase)).collect();
        write("courses.svg", &course_svg(&courses, &names))?;
    }
    Ok(())
}

fn model(file: Option<&Path>) -> Result<PhaseModel> {
    let Some(file) = file else { return Ok(PhaseModel::default()) };
    PhaseModel::load(file).with_context(|| file.display().to_string())
}
