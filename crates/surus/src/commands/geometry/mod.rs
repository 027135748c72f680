//! `surus geometry`

mod plan;
mod query;
mod report;
mod show;
mod why;

use std::io::Write;

use anyhow::{Context, Result, bail};
use surus_explain::svg::{SvgOverlay, svg};
use surus_geometry::Fidelity;
use surus_geometry::search::Guidance;
use surus_rules::{Phase, Side, Square};

use crate::input::PositionArg;
use crate::{CommandStatus, output};

/// Show zones of Linguistic Geometry, and explain positions and turns
///
/// By default, explains what each side can achieve with a full turn, the counterplay, and rabbit runs near the goal. --from
/// and --to list trajectories, --trap the CUT zones of a trap, --rabbit the advance zone of a rabbit, and --turn explains a
/// turn. Every capture or goal that is reported was replayed by the rules; that none was found does not prove that there is
/// none.
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
  surus geometry game.txt --victim d5
  surus geometry --study --plan goal --aei 'g [         d      cD                  E      R                    ]'
  surus geometry --aei 'g [       r     h      H     d            E    C  h    c        R  ]' --turn 'hh3w Eh4s hg3w Eh3w'")]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArg,
    /// Show trajectories of the piece on this square
    #[arg(long, value_name = "SQUARE", requires = "to")]
    from: Option<Square>,
    /// Target square of the trajectories
    #[arg(long, value_name = "SQUARE", requires = "from")]
    to: Option<Square>,
    /// Length of the trajectories, in steps [default: the shortest]
    #[arg(long, value_name = "STEPS", requires = "from", value_parser = clap::value_parser!(u8).range(1..=16))]
    length: Option<u8>,
    /// Show the zones of this trap: c3, f3, c6 or f6
    #[arg(long, value_name = "SQUARE", conflicts_with_all = ["from", "rabbit"])]
    trap: Option<Square>,
    /// Show the zone of the rabbit on this square
    #[arg(long, value_name = "SQUARE", conflicts_with = "from")]
    rabbit: Option<Square>,
    /// Show the zones in which the piece on this square is captured, of all traps or of --trap
    #[arg(long, value_name = "SQUARE", conflicts_with_all = ["from", "rabbit", "network", "search", "turn"])]
    victim: Option<Square>,
    /// Attacking side: g or s [default: both]
    #[arg(long, value_name = "SIDE", value_parser = side)]
    side: Option<Side>,
    /// Timing of an advance zone: the sides alternate steps (serial) or turns of four steps (turns)
    #[arg(long, value_name = "CLOCK", default_value = "serial", value_parser = ["serial", "turns"])]
    clock: String,
    /// Variant of the zones: printed (exactly as in [LG]), paper (as in [LG], corrected), or extended
    #[arg(long, value_name = "FIDELITY", default_value = "extended", value_parser = ["printed", "paper", "extended"])]
    fidelity: String,
    /// What directs the searches: the zones alone, lower bounds of distances without zones, or both
    #[arg(long, value_name = "GUIDANCE", default_value = "zones", value_parser = ["zones", "distances", "both"])]
    guidance: String,
    /// Print the grammar's derivation of the first trajectory or zone
    #[arg(long, conflicts_with_all = ["search", "turn"])]
    derivation: bool,
    /// Show all zones of the position: at traps, and of rabbits near their goal
    #[arg(long, conflicts_with_all = ["from", "trap", "rabbit", "turn", "search", "derivation"])]
    network: bool,
    /// Search for captures and goals, and print the search trees
    #[arg(long, conflicts_with_all = ["from", "trap", "rabbit", "turn"])]
    search: bool,
    /// Search over two turns: an attack by the zones after which every reply is answered by a goal or an immobilisation, or
    /// by a capture
    #[arg(long, value_name = "TARGET", value_parser = ["goal", "capture"],
        conflicts_with_all = ["from", "trap", "rabbit", "victim", "network", "search", "turn"])]
    plan: Option<String>,
    /// Replies that --plan tries: all of them (a proof), or those that the zones propose (a plan)
    #[arg(long, value_name = "REPLIES", default_value = "all", value_parser = ["all", "zones"], requires = "plan")]
    replies: String,
    /// Accept a position that the rules call finished, like those of [LG]
    #[arg(long)]
    study: bool,
    /// Explain this turn, e.g. 'Ee2n Ee3n'
    #[arg(long, value_name = "STEPS", conflicts_with_all = ["from", "trap", "rabbit"])]
    turn: Option<String>,
    /// Draw the result as SVG; - prints only the picture, to standard output
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

    fn guidance(&self) -> Guidance {
        match self.guidance.as_str() {
            "distances" => Guidance::Distances,
            "both" => Guidance::Both,
            _ => Guidance::zones(self.fidelity()),
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<CommandStatus> {
    let game = args.position.game()?;
    match game.phase() {
        Phase::Setup(side) => {
            bail!("expected a position after both setups: {side} has not set up its pieces")
        }
        Phase::Over(ending) if !args.study => {
            bail!("the game is over: {ending}; --study shows the position anyway")
        }
        Phase::Over(_) | Phase::Play(_) => {}
    }
    if game.position().is_mid_push() {
        bail!("expected a position without an unfinished push");
    }
    let result = query::query(args, &game)?;
    if let Some(file) = &args.svg {
        let drawing = SvgOverlay {
            zones: &result.zones,
            paths: &result.paths,
            title: &result.title,
            notes: &result.notes,
        };
        let picture = svg(&result.board, &drawing);
        if file == "-" {
            std::io::stdout().lock().write_all(picture.as_bytes())?;
            return Ok(CommandStatus::Success);
        }
        std::fs::write(file, picture).with_context(|| format!("can't write {file}"))?;
    }
    if args.json {
        output::json(&result.report)?;
    } else {
        show::print(&result.report)?;
    }
    Ok(CommandStatus::Success)
}
