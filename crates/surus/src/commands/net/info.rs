//! `surus net info`

use std::io::{self, Write};

use anyhow::{Result, bail};
use serde::Serialize;
use surus_engine::eval::Evaluation;

use crate::{CommandStatus, output};

/// Print the architecture and the training of a network
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus net info new.net
  surus net info new.net --json")]
pub(super) struct Args {
    /// Network
    #[arg(value_name = "FILE")]
    file: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct InfoReport<'a> {
    revision: String,
    inputs: usize,
    hidden: usize,
    buckets: usize,
    parameters: usize,
    bytes: usize,
    /// Centirabbits at which the network predicts e wins per loss.
    scale: i32,
    training: &'a str,
    /// Percentage of the log odds of the handcrafted evaluation that is added.
    base_percent: i32,
}

pub(super) fn run(args: &Args) -> Result<CommandStatus> {
    let Evaluation::Network(network) = Evaluation::named(&args.file)? else {
        bail!(
            "{}: the weights of the handcrafted evaluation, not a network; see docs/evaluation.md",
            args.file
        );
    };
    let info = network.info();
    let report = InfoReport {
        revision: network.revision(),
        inputs: info.inputs,
        hidden: info.hidden,
        buckets: info.buckets,
        parameters: info.parameter_count(),
        bytes: network.to_bytes().len(),
        scale: info.scale / 10,
        training: &info.training,
        base_percent: info.base.as_ref().map_or(0, |base| base.percent),
    };
    if args.json {
        output::json(&report)?;
        return Ok(CommandStatus::Success);
    }
    let mut out = io::stdout().lock();
    let InfoReport { inputs, hidden, buckets, .. } = report;
    writeln!(out, "revision      {}", report.revision)?;
    writeln!(out, "architecture  ({inputs} -> {hidden}) x 2 -> 1 x {buckets}, squared clipped activations")?;
    writeln!(out, "parameters    {} in {} bytes", report.parameters, report.bytes)?;
    writeln!(out, "scale         {} centirabbits are e wins per loss", report.scale)?;
    if report.base_percent > 0 {
        writeln!(out, "corrects      {} % of the handcrafted evaluation", report.base_percent)?;
    }
    writeln!(out, "training      {}", report.training)?;
    Ok(CommandStatus::Success)
}
