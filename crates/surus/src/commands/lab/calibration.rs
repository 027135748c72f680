//! `surus lab calibration`

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use surus_engine::eval::Evaluation;
use surus_lab::{Calibration, CalibrationData, calibration_report};

use crate::CommandStatus;
use crate::input::{self, name_of};

/// Compare the static evaluation with the results of games
///
/// Prints how often each predicted win probability came true, what the evaluation said of the side that later lost, and which
/// terms were wrong. Reads archive files and the games.txt of runs.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus lab calibration runs/league/games.txt --player surus
  surus lab calibration allgames.txt --min-rating 2000 --report-dir /tmp/lab
  surus lab calibration runs/league/games.txt --player surus --weights new.toml --report-dir /tmp/lab")]
pub(super) struct Args {
    /// Files of games: the official archive, or games.txt of a run
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Only games of players whose name contains NAME; analyse the games that they lost
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Minimum rating of both players
    #[arg(long, value_name = "R")]
    min_rating: Option<u32>,
    /// Network or weights file [default: the evaluation that alphabeta uses]
    #[arg(long, value_name = "FILE")]
    weights: Option<String>,
    /// Directory of the report and its plot
    #[arg(long, value_name = "DIR", default_value = "docs/lab")]
    report_dir: PathBuf,
}

pub(super) fn run(args: &Args) -> Result<CommandStatus> {
    let evaluation = Evaluation::named(args.weights.as_deref().unwrap_or_default())?;
    let calibration = Calibration { player: args.player.clone(), min_rating: args.min_rating, evaluation };
    let mut data = CalibrationData::default();
    for file in &args.files {
        let text = input::read(file)?;
        calibration.add(&text, &mut data).with_context(|| name_of(file).to_string())?;
    }
    if data.games.is_empty() {
        bail!("no game passes the filters ({} skipped): check --player and --min-rating", data.skipped);
    }
    std::fs::create_dir_all(&args.report_dir).with_context(|| args.report_dir.display().to_string())?;
    let pages = calibration_report(&calibration, &data, &command(args));
    for (name, text) in &pages {
        let file = args.report_dir.join(name);
        std::fs::write(&file, text).with_context(|| file.display().to_string())?;
    }
    write!(io::stdout(), "{}", pages[0].1)?;
    Ok(CommandStatus::Success)
}

/// The command that repeats the report, without the directories of its files.
fn command(args: &Args) -> String {
    let mut command = "surus lab calibration".to_owned();
    for file in &args.files {
        let name = file.rsplit('/').next().unwrap_or(file);
        command += &format!(" {name}");
    }
    if let Some(player) = &args.player {
        command += &format!(" --player {player}");
    }
    if let Some(rating) = args.min_rating {
        command += &format!(" --min-rating {rating}");
    }
    if let Some(weights) = &args.weights {
        command += &format!(" --weights {}", weights.rsplit('/').next().unwrap_or(weights));
    }
    command
}
