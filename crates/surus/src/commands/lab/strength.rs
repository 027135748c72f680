//! `surus lab strength`

use std::io::{self, Write};
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context as _, Result, bail};
use surus_arena::suite;
use surus_engine::eval::Evaluation;
use surus_lab::{Calibration, CalibrationData, Strength, ValidationPart, strength_report};
use surus_record::packed::PackedReader;

use crate::commands::learn::expand;
use crate::input::{self, ValueError, name_of};
use crate::shutdown::Shutdown;
use crate::{CommandStatus, engines};

/// Measure what is known about the strength of alphabeta without playing games
///
/// Prints one table: how well the static evaluation predicts the scores of deep searches or results, by kind of position; what
/// it said of the losers of games; how often the first action of a node is enough; nodes to a depth; and the test positions
/// that are solved.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus lab strength --suites suites
  surus lab strength --option weights=new.net --part self-play=v-self.packed --part planted=v-planted.packed
  surus lab strength --result-part lost=lost.packed --games runs/league/games.txt --player surus --report-dir /tmp/lab

A part is made by `surus learn relabel FILE --nodes 100000`, planted structures by
`surus learn selfplay --planted-percent 100`.")]
pub(super) struct Args {
    /// Labelled positions whose search scores the evaluation should predict (repeatable)
    #[arg(long, value_name = "NAME=FILE")]
    part: Vec<Part>,
    /// Labelled positions whose results the evaluation should predict (repeatable)
    #[arg(long, value_name = "NAME=FILE")]
    result_part: Vec<Part>,
    /// Games: the official archive, or games.txt of a run
    #[arg(long, value_name = "FILE", num_args = 1..)]
    games: Vec<String>,
    /// Look at the games that players whose name contains NAME lost
    #[arg(long, value_name = "NAME", requires = "games")]
    player: Option<String>,
    /// Test files or directories of them
    #[arg(long, value_name = "DIR|FILE", num_args = 1..)]
    suites: Vec<PathBuf>,
    /// Nodes per test
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Depth of the search of the bench positions, in steps
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Set an option of alphabeta (repeatable)
    #[arg(long, value_name = "KEY=VALUE", value_parser = input::key_value)]
    option: Vec<(String, String)>,
    /// Also write strength.md to this directory
    #[arg(long, value_name = "DIR")]
    report_dir: Option<PathBuf>,
}

/// A named file.
#[derive(Clone)]
struct Part {
    name: String,
    path: PathBuf,
}

impl FromStr for Part {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let (name, path) = text.split_once('=').ok_or(ValueError("NAME=FILE"))?;
        Ok(Self { name: name.into(), path: path.into() })
    }
}

impl Part {
    fn read(&self, by_result: bool) -> Result<ValidationPart> {
        let mut samples = Vec::new();
        for path in &expand(std::slice::from_ref(&self.path))? {
            for game in PackedReader::open(path)?.into_games() {
                samples.extend(game?.samples);
            }
        }
        if samples.is_empty() {
            bail!("{}: no positions", self.path.display());
        }
        Ok(ValidationPart { name: self.name.clone(), samples, by_result })
    }
}

pub(super) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let mut engine = engines::registry().make("alphabeta")?;
    for (name, value) in &args.option {
        engine.set_option(name, value)?;
    }
    let evaluation = Evaluation::named(engine.options().get_str("weights").unwrap_or_default())?;
    let mut parts = args.part.iter().map(|part| part.read(false)).collect::<Result<Vec<_>>>()?;
    parts.extend(args.result_part.iter().map(|part| part.read(true)).collect::<Result<Vec<_>>>()?);
    let calibration =
        Calibration { player: args.player.clone(), min_rating: None, evaluation: evaluation.clone() };
    let mut games = CalibrationData::default();
    for file in &args.games {
        calibration.add(&input::read(file)?, &mut games).with_context(|| name_of(file).to_string())?;
    }
    let tests = if args.suites.is_empty() { Vec::new() } else { suite::load(&args.suites)?.tests };
    let strength = Strength { options: &args.option, evaluation, nodes: args.nodes, depth: args.depth };
    let stop = shutdown.stop();
    let progress = indicatif::ProgressBar::new(tests.len() as u64);
    let results =
        strength.measure(&parts, &games, &tests, &stop, &|done, _| progress.set_position(done as u64))?;
    progress.finish_and_clear();
    if stop.should_stop() {
        return Ok(shutdown.outcome(false));
    }
    if let Some(part) = results.parts.iter().find(|part| part.positions == 0) {
        bail!("{}: no quiet, undecided position of a game with a winner", part.name);
    }
    let page = strength_report(&strength, &results, &command(args));
    if let Some(dir) = &args.report_dir {
        std::fs::create_dir_all(dir).with_context(|| dir.display().to_string())?;
        let file = dir.join("strength.md");
        std::fs::write(&file, &page).with_context(|| file.display().to_string())?;
    }
    write!(io::stdout(), "{page}")?;
    Ok(CommandStatus::Success)
}

/// The command that repeats the measurement, without the directories of its files.
fn command(args: &Args) -> String {
    let file = |path: &str| path.trim_end_matches('/').rsplit('/').next().unwrap_or(path).to_string();
    let mut command = "surus lab strength".to_owned();
    for (flag, parts) in [("part", &args.part), ("result-part", &args.result_part)] {
        for part in parts {
            command += &format!(" --{flag} {}={}", part.name, file(&part.path.to_string_lossy()));
        }
    }
    for (flag, files) in [
        ("games", args.games.clone()),
        ("suites", args.suites.iter().map(|path| path.to_string_lossy().into_owned()).collect()),
    ] {
        if !files.is_empty() {
            let names: Vec<String> = files.iter().map(|path| file(path)).collect();
            command += &format!(" --{flag} {}", names.join(" "));
        }
    }
    if let Some(player) = &args.player {
        command += &format!(" --player {player}");
    }
    for (name, value) in &args.option {
        command += &format!(" --option {name}={}", file(value));
    }
    command + &format!(" --nodes {} --depth {}", args.nodes, args.depth)
}
