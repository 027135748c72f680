//! `surus net eval`

use std::io::{self, Write};

use anyhow::{Result, bail};
use serde::Serialize;
use surus_engine::eval::{PieceValue, piece_values};
use surus_engine::win_probability;
use surus_rules::{Phase, Score, Side};

use super::WeightsArg;
use crate::input::PositionArg;
use crate::{CommandStatus, output};

/// Evaluate a position without search, and show the value of each piece
///
/// The value of a piece is what its side would lose if it were not on the board, in rabbits of the evaluation. The position is
/// the start of a turn: an unfinished turn is not counted.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus net eval game.txt
  surus net eval --aei 'g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]'
  surus net eval game.txt --weights handcrafted --json")]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArg,
    #[command(flatten)]
    weights: WeightsArg,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct EvalReport {
    side: char,
    /// Centirabbits for the side to move.
    score: i32,
    win: f64,
    pieces: Vec<PieceReport>,
}

#[derive(Serialize)]
struct PieceReport {
    piece: char,
    square: String,
    /// Centirabbits.
    value: i32,
}

pub(super) fn run(args: &Args) -> Result<CommandStatus> {
    let game = args.position.game()?;
    let side = match game.phase() {
        Phase::Setup(side) => {
            bail!("expected a position after both setups: {side} has not set up its pieces")
        }
        Phase::Over(ending) => bail!("the game is over: {ending}"),
        Phase::Play(side) => side,
    };
    let evaluation = args.weights.evaluation()?;
    let board = game.turn_start();
    let mut values = piece_values(&evaluation, board, side);
    values.sort_by_key(|value| (value.piece.side() != side, -value.value));
    let score = evaluation.evaluate(board, side) / 10;
    let report = EvalReport {
        side: side.letter(),
        score,
        win: win_probability(Score::Centirabbits(score), evaluation.scale()),
        pieces: values.iter().map(piece_report).collect(),
    };
    if args.json {
        output::json(&report)?;
        return Ok(CommandStatus::Success);
    }
    let mut out = io::stdout().lock();
    let percent = 100.0 * report.win;
    writeln!(out, "{side} to move: {:+.2} rabbits, {percent:.0} %", f64::from(score) / 100.0)?;
    for owner in [side, side.other()] {
        writeln!(out, "\n{owner}, most valuable first")?;
        print_pieces(&mut out, owner, &values)?;
    }
    Ok(CommandStatus::Success)
}

fn piece_report(value: &PieceValue) -> PieceReport {
    PieceReport { piece: value.piece.letter(), square: value.square.to_string(), value: value.value / 10 }
}

fn print_pieces(out: &mut impl Write, owner: Side, values: &[PieceValue]) -> io::Result<()> {
    let own: Vec<String> = values
        .iter()
        .filter(|value| value.piece.side() == owner)
        .map(|value| {
            format!("{}{} {:+6.2}", value.piece.letter(), value.square, f64::from(value.value) / 1000.0)
        })
        .collect();
    for row in own.chunks(4) {
        writeln!(out, "  {}", row.join("   "))?;
    }
    Ok(())
}
