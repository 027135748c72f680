//! `surus analyze`

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use surus_engine::eval::Evaluation;
use surus_play::{Answer, Info, Job, LimitKind, Limits, StopToken, TimeBudget, check_limits};
use surus_rules::{Game, Phase, Step, Turn};

use super::analysis::{Analysis, Term};
use crate::input::{self, PositionArg};
use crate::shutdown::Shutdown;
use crate::{CommandStatus, engines, output};

/// Analyse a position: principal variations with scores and win probabilities
///
/// Scores are in rabbits from the point of view of the side to move (centirabbits with --json). Ctrl-C stops the search
/// and prints the result so far.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus analyze game.txt
  surus analyze game.txt --time 20 --multipv 3
  surus analyze game.txt --search-turns 'Ee4n Ee5n Hd4e' --search-turns 'Ee4w' --multipv 2
  surus analyze --aei 'g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]' --depth 8 --eval
  surus analyze game.txt --engine alphabeta:threads=2,hash=512 --time 60 --json")]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArg,
    /// Engine: name[:key=value,…]; `surus engine` lists all
    #[arg(long, value_name = "NAME", default_value = engines::DEFAULT)]
    engine: String,
    /// Time limit in seconds [default: 5, unless another limit is given]
    #[arg(long, value_name = "S", value_parser = input::seconds)]
    time: Option<Duration>,
    /// Node limit: positions searched, or playouts for mcts
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth limit, in steps
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Number of principal variations
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    multipv: u32,
    /// Restrict the search to this turn (repeatable)
    #[arg(long, value_name = "TURN")]
    search_turns: Vec<String>,
    /// Print the evaluation terms of both sides, in centirabbits
    #[arg(long)]
    eval: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let game = args.position.game()?;
    if let Phase::Over(ending) = game.phase() {
        bail!("the game is over: {ending}");
    }
    let mut engine = engines::registry().make(&args.engine)?;
    let mut limits = Limits {
        depth: args.depth,
        nodes: args.nodes,
        time: args.time.map(|time| TimeBudget { soft: time, hard: time }),
    };
    if limits == Limits::default() && engine.id().supported_limits.contains(&LimitKind::Time) {
        limits.time = Some(TimeBudget::fixed(Duration::from_secs(5)));
    }
    check_limits(&engine.id(), &limits)?;
    let stop = StopToken::after(limits.time);
    let ends = stop.clone();
    shutdown.on_signal(move || ends.request());
    let search_turns =
        args.search_turns.iter().map(|text| search_turn(text, &game)).collect::<Result<_>>()?;
    let job = Job { multi_pv: args.multipv as usize, stop, search_turns, ..Job::limited(game, limits) };
    let mut analysis = Analysis::new(&engine.id().name, &job.game);
    let unit = analysis.unit();
    let live = io::stderr().is_terminal() && !args.json;
    let answer = engine.think(&job, &mut |info| {
        if live {
            print_progress(&info, unit);
        }
        analysis.update(&info, &job.game);
    })?;
    if live {
        eprint!("\r\x1b[K");
    }
    analysis.finish(&answer, &job.game);
    if args.eval && !matches!(answer, Answer::Setup(_)) {
        // The evaluation of the engine, if it has one with terms.
        let weights = engine.options().get_str("weights").unwrap_or("handcrafted");
        match Evaluation::named(weights)? {
            Evaluation::Handcrafted(weights) => analysis.terms = Some(Term::all(&weights, &job.game)),
            Evaluation::Network(_) => bail!(
                "--eval: a network has no terms; use 'surus net eval', or --engine alphabeta:weights=handcrafted"
            ),
        }
    }
    if args.json {
        output::json(&analysis)?;
    } else {
        let mut out = anstream::stdout().lock();
        analysis.print(&job.game, &mut out)?;
        out.flush()?;
    }
    Ok(shutdown.outcome(!shutdown.requested()))
}

/// Parses a turn that is legal in the position.
fn search_turn(text: &str, game: &Game) -> Result<Turn> {
    if let Phase::Setup(_) = game.phase() {
        bail!("--search-turns: expected a position after both setups");
    }
    game.clone().play_text(text).with_context(|| format!("--search-turns '{text}'"))?;
    // Capture markers do not parse as steps.
    Ok(text.split_whitespace().filter_map(|word| word.parse::<Step>().ok()).collect())
}

/// Prints a progress line that the next one overwrites.
fn print_progress(info: &Info, unit: &str) {
    if let (0, Some(depth), Some(nodes)) = (info.pv_index, info.depth, info.nodes) {
        eprint!("\r\x1b[Kdepth {depth}, {nodes} {unit}");
    }
}
