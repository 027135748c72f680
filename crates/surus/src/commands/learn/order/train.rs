//! `surus learn order train`

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use serde::Serialize;
use surus_learn::ordering::{ChoiceSet, OrderingError};
use surus_record::journal::replace_file;

use super::network::NetworkArgs;
use super::spec::{DataArgs, SpecArgs};
use crate::shutdown::Shutdown;
use crate::{CommandStatus, output};

/// Train a model that ranks the turns of a position, or the actions within a turn
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn order train experts.packed --out experts.order
  surus learn order train data/ --method naive-bayes --groups published --out nb.order
  surus learn order train data/ --features action --out action.order
  surus learn order train data/ --network 64 --out strong.order")]
pub(super) struct Args {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    spec: SpecArgs,
    #[command(flatten)]
    network: NetworkArgs,
    /// Model file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct TrainReport {
    file: String,
    bytes: usize,
    games: usize,
    decisions: usize,
    choices: usize,
    seconds: f64,
}

pub(super) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let started = Instant::now();
    let spec = args.spec.spec()?;
    let dataset = args.data.read()?;
    let stop = shutdown.stop();
    let trained = args
        .data
        .with_progress("sampling", &stop, args.json, |work| {
            ChoiceSet::sample(spec.kind, &dataset.games, &args.spec.sampling(), work)
        })
        .and_then(|choices| {
            let all = choices.of_games(|_| true);
            let description = args.spec.description(&dataset);
            args.data.with_progress("training", &stop, args.json, |work| {
                Ok((choices.len(), spec.train(&dataset.games, &choices, &all, &description, work)?))
            })
        });
    let (choices, model) = match trained {
        Err(OrderingError::Stopped) => return Ok(shutdown.outcome(false)),
        trained => trained?,
    };
    let settings = (&stop, args.json, args.spec.seed);
    let Some(model) = args.network.add_to(model, &args.data, &dataset, &args.out, settings)? else {
        return Ok(shutdown.outcome(false));
    };
    let bytes = model.to_bytes();
    replace_file(&args.out, &bytes).with_context(|| format!("can't write {}", args.out.display()))?;
    let report = TrainReport {
        file: args.out.display().to_string(),
        bytes: bytes.len(),
        games: dataset.games.len(),
        decisions: dataset.decisions(),
        choices,
        seconds: started.elapsed().as_secs_f64(),
    };
    print(&report, args.json)?;
    Ok(CommandStatus::Success)
}

fn print(report: &TrainReport, json: bool) -> Result<()> {
    if json {
        return output::json(report);
    }
    let TrainReport { file, bytes, games, decisions, choices, seconds } = report;
    writeln!(
        io::stdout(),
        "{file}: {bytes} bytes, trained on {choices} choices in {decisions} decisions of {games} games in {seconds:.1} s"
    )?;
    Ok(())
}
