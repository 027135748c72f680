//! `surus net inputs`

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::Serialize;
use surus_engine::BENCH_POSITIONS;
use surus_engine::eval::network::InputGroup;
use surus_engine::eval::{Evaluation, square_values};
use surus_lab::{BoardMap, board_maps_svg};
use surus_record::journal::replace_file;
use surus_rules::{Board, PieceKind, Position, Side};

use super::WeightsArg;
use crate::{CommandStatus, output};

/// List the inputs of a network, and draw the value of each square for each piece
///
/// The value of a square is the mean score with the piece there, in the positions of `surus bench` and from the view of gold,
/// less the mean over all squares. The strength of an input is the mean absolute weight of its row.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus net inputs --weights new.net --svg squares.svg
  surus net inputs --svg handcrafted.svg")]
pub(super) struct Args {
    #[command(flatten)]
    weights: WeightsArg,
    /// Picture to write: a board for each kind of piece with the value of its squares in rabbits
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct InputsReport {
    groups: Vec<InputGroup>,
    squares: Vec<SquareReport>,
}

/// The squares of a kind of piece, from a1 to h8, in rabbits.
#[derive(Serialize)]
struct SquareReport {
    kind: String,
    value: Vec<Option<f64>>,
}

pub(super) fn run(args: &Args) -> Result<CommandStatus> {
    let evaluation = args.weights.evaluation()?;
    let boards = boards()?;
    let groups = match &evaluation {
        Evaluation::Network(network) => network.input_groups(),
        Evaluation::Handcrafted(_) => Vec::new(),
    };
    let maps: Vec<BoardMap> =
        PieceKind::ALL.into_iter().rev().map(|kind| map(&evaluation, &boards, kind)).collect();
    if let Some(path) = &args.svg {
        replace_file(path, board_maps_svg(&maps).as_bytes()).with_context(|| path.display().to_string())?;
    }
    if args.json {
        let squares = PieceKind::ALL.into_iter().rev().zip(&maps);
        let squares =
            squares.map(|(kind, map)| SquareReport { kind: kind.to_string(), value: map.values.to_vec() });
        output::json(&InputsReport { groups, squares: squares.collect() })?;
        return Ok(CommandStatus::Success);
    }
    let mut out = io::stdout().lock();
    if !groups.is_empty() {
        writeln!(out, "{:32} {:>7} {:>10} {:>10}", "inputs of a view", "number", "strength", "unused")?;
    }
    for InputGroup { name, count, strength, unused } in &groups {
        writeln!(out, "{name:32} {count:7} {strength:10.4} {unused:10}")?;
    }
    for map in &maps {
        writeln!(out, "\n{}", map.title)?;
        for rank in (0..8).rev() {
            let cells = map.values[8 * rank..][..8].iter();
            let cells = cells.map(|value| value.map_or("     .".into(), |value| format!("{value:+6.1}")));
            writeln!(out, "{} {}", rank + 1, cells.collect::<String>())?;
        }
    }
    if let Some(path) = &args.svg {
        writeln!(out, "\nwritten to {}", path.display())?;
    }
    Ok(CommandStatus::Success)
}

fn boards() -> Result<Vec<(Board, Side)>> {
    let parse = |text: &str| -> Result<(Board, Side)> {
        let position: Position = text.parse()?;
        Ok((*position.board(), position.side()))
    };
    BENCH_POSITIONS.into_iter().map(parse).collect()
}

fn map(evaluation: &Evaluation, boards: &[(Board, Side)], kind: PieceKind) -> BoardMap {
    let values = square_values(evaluation, boards, kind).map(|value| value.map(|value| value / 1000.0));
    BoardMap { title: format!("{kind}, rabbits"), values }
}
