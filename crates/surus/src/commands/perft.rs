//! `surus perft`

use std::io::{self, Write};

use anyhow::Result;
use serde::Serialize;
use surus_rules::{DistinctTurns, Perft, Phase, Turn};

use crate::input::PositionArg;
use crate::{CommandStatus, output};

/// Count the step sequences and turns of a position
///
/// steps: sequences of exactly 1 to 4 steps that a legal turn can begin with (a push may be unfinished, except at the fourth
/// step); complete: sequences of 1 to 4 steps that can end the turn; legal: those that change the board; unique: the
/// distinct boards they lead to. Repetition is not checked.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus perft game.txt
  surus perft --aei 'g [rrrrrrrrhdcmecdh                                HDCEMCDHRRRRRRRR]' --json
  surus perft diagram.txt --divide
  surus perft diagram.txt --list | wc -l")]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArg,
    /// Maximum number of steps per turn
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=4))]
    steps: u8,
    /// Split the counts by first step
    #[arg(long)]
    divide: bool,
    /// List every distinct turn: its steps, a tab, and the resulting position
    #[arg(long, conflicts_with_all = ["divide", "json"])]
    list: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Counts {
    steps: [u64; 4],
    complete: u64,
    legal: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unique: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    divide: Vec<Division>,
}

#[derive(Serialize)]
struct Division {
    step: String,
    #[serde(flatten)]
    counts: Counts,
}

fn counts(perft: &Perft, unique: bool) -> Counts {
    let Perft { steps, complete, legal, .. } = *perft;
    Counts { steps, complete, legal, unique: unique.then_some(perft.unique), divide: Vec::new() }
}

pub(crate) fn run(args: &Args) -> Result<CommandStatus> {
    let game = args.position.game()?;
    if let Phase::Setup(side) = game.phase() {
        anyhow::bail!("expected a position after both setups: {side} has not set up its pieces");
    }
    let position = game.position();
    if args.list {
        list(position, game.turn_start(), args.steps)?;
        return Ok(CommandStatus::Success);
    }
    let perft = Perft::count(position, args.steps);
    let parts = if args.divide { Perft::divide(position, args.steps) } else { Vec::new() };
    if args.json {
        let division = |(step, part): &(surus_rules::Step, Perft)| Division {
            step: step.to_string(),
            counts: counts(part, false),
        };
        let divide = parts.iter().map(division).collect();
        output::json(&Counts { divide, ..counts(&perft, true) })?;
        return Ok(CommandStatus::Success);
    }
    let mut out = io::stdout().lock();
    for (step, part) in &parts {
        writeln!(out, "{step} {:>12} legal of {:>12} complete", part.legal, part.complete)?;
    }
    for (length, count) in (1..=args.steps).zip(perft.steps) {
        writeln!(out, "{length} step{} {count:>12}", if length == 1 { " " } else { "s" })?;
    }
    writeln!(
        out,
        "complete{:>12}\nlegal   {:>12}\nunique  {:>12}",
        perft.complete, perft.legal, perft.unique
    )?;
    Ok(CommandStatus::Success)
}

fn list(position: &surus_rules::Position, start: &surus_rules::Board, steps: u8) -> Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let letter = position.side().other().letter();
    for (turn, board) in DistinctTurns::new(position, start, steps.min(Turn::MAX as u8)).iter() {
        writeln!(out, "{}\t{letter} [{}]", position.board().notation(&turn), board.compact())?;
    }
    out.flush()?;
    Ok(())
}
