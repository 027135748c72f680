//! `surus geometry`

mod query;
mod report;
mod show;

use std::io::Write;

use anyhow::{Context, Result, bail};
use surus_geometry::Fidelity;
use surus_geometry::svg::{SvgOverlay, svg};
use surus_rules::{Phase, Side, Square};

use crate::input::PositionArg;
use crate::{CommandStatus, output};

/// Show trajectories and zones, and say why a turn is good
///
/// Without a further option: what either side could do with a full turn, who can do what against it, and the runs of rabbits
/// near their goal. With --from and --to the trajectories between two squares, with --trap the CUT zones of a trap, with
/// --rabbit the advance zone of a rabbit, with --turn what a turn is good for. What a line says can be done has been
/// replayed by the rules; that nothing was found is no proof that there is nothing.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus geometry game.txt
  surus geometry game.txt --trap f3 --svg f3.svg
  surus geometry game.txt --rabbit d3 --clock turns
  surus geometry game.txt --from e6 --to c5 --length 5
  surus geometry game.txt --trap c6 --side g --derivation
  surus geometry game.txt --network
  surus geometry game.txt --search --json
  surus geometry --aei 'g [       r     h      H     d            E    C  h    c        R  ]' --turn 'hh3w Eh4s hg3w Eh3w'")]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArg,
    /// Trajectories of the piece on this square
    #[arg(long, value_name = "SQUARE", requires = "to")]
    from: Option<Square>,
    /// … to this one
    #[arg(long, value_name = "SQUARE", requires = "from")]
    to: Option<Square>,
    /// … of this length, if not of the shortest
    #[arg(long, value_name = "STEPS", requires = "from", value_parser = clap::value_parser!(u8).range(1..=16))]
    length: Option<u8>,
    /// The zones of this trap: c3, f3, c6 or f6
    #[arg(long, value_name = "SQUARE", conflicts_with_all = ["from", "rabbit"])]
    trap: Option<Square>,
    /// The zone of the rabbit on this square
    #[arg(long, value_name = "SQUARE", conflicts_with = "from")]
    rabbit: Option<Square>,
    /// The attacker, g or s; both if not given
    #[arg(long, value_name = "SIDE", value_parser = side)]
    side: Option<Side>,
    /// How time is counted along a rabbit's way: a step for each side in turn, or four
    #[arg(long, value_name = "CLOCK", default_value = "serial", value_parser = ["serial", "turns"])]
    clock: String,
    /// How closely the document is followed
    #[arg(long, value_name = "FIDELITY", default_value = "extended", value_parser = ["printed", "paper", "extended"])]
    fidelity: String,
    /// Print how the grammar derives the first trajectory or zone
    #[arg(long, conflicts_with_all = ["search", "turn"])]
    derivation: bool,
    /// All zones of the position: those of the traps, and the runs of rabbits near their goal
    #[arg(long, conflicts_with_all = ["from", "trap", "rabbit", "turn", "search", "derivation"])]
    network: bool,
    /// Run the searches for a capture and a goal, with the tree that they visit
    #[arg(long, conflicts_with_all = ["from", "trap", "rabbit", "turn"])]
    search: bool,
    /// What this turn is good for: 'Ee2n Ee3n'
    #[arg(long, value_name = "STEPS", conflicts_with_all = ["from", "trap", "rabbit"])]
    turn: Option<String>,
    /// Write a picture to this file; - for standard output, and nothing else there
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    svg: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn side(text: &str) -> Result<Side, String> {
    let mut letters = text.chars();
    let side = letters.next().and_then(Side::from_letter).filter(|_| letters.next().is_none());
    side.ok_or_else(|| "expected g or s".into())
}

impl Args {
    fn fidelity(&self) -> Fidelity {
        match self.fidelity.as_str() {
            "printed" => Fidelity::Printed,
            "paper" => Fidelity::Paper,
            _ => Fidelity::Extended,
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<CommandStatus> {
    let game = args.position.game()?;
    match game.phase() {
        Phase::Setup(side) => bail!("there is nothing to see yet: {side} has to set up its pieces"),
        Phase::Over(ending) => bail!("the game is over: {ending}"),
        Phase::Play(_) => {}
    }
    if game.position().is_mid_push() {
        bail!("a push is half done: zones are seen between steps, finish it first");
    }
    let answer = query::ask(args, &game)?;
    if let Some(file) = &args.svg {
        let drawing = SvgOverlay {
            zones: &answer.zones,
            paths: &answer.paths,
            title: &answer.title,
            notes: &answer.notes,
        };
        let picture = svg(&answer.board, &drawing);
        if file == "-" {
            std::io::stdout().lock().write_all(picture.as_bytes())?;
            return Ok(CommandStatus::Success);
        }
        std::fs::write(file, picture).with_context(|| format!("can't write {file}"))?;
    }
    if args.json {
        output::json(&answer.report)?;
    } else {
        show::show(&answer.report)?;
    }
    Ok(CommandStatus::Success)
}
