//! `surus analyze`

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use surus_engine::eval::Weights;
use surus_play::{Answer, Info, Job, LimitKind, Limits, StopToken, TimeBudget, check_limits};
use surus_rules::{Game, Phase, Step, Turn};

use super::analysis::{Analysis, Term};
use crate::input::{self, PositionArg};
use crate::shutdown::Shutdown;
use crate::{CommandStatus, engines, output};

/// Show what an engine thinks of a position: lines of play with their scores
///
/// Scores are in rabbits, from the side to move; with --json in hundredths of a rabbit. Ctrl-C ends the search and
/// shows what was found so far.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus analyze game.txt
  surus analyze game.txt --time 20 --multipv 3
  surus analyze game.txt --only 'Ee4n Ee5n Hd4e' --only 'Ee4w' --multipv 2
  surus analyze --aei 'g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]' --depth 8 --explain
  surus analyze game.txt --engine alphabeta:threads=2,hash=512 --time 60 --json")]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArg,
    /// Who thinks: name[:key=value,…]; `surus engine` lists all
    #[arg(long, value_name = "NAME", default_value = engines::DEFAULT)]
    engine: String,
    /// Seconds to think; 5 unless another limit is given
    #[arg(long, value_name = "S", value_parser = input::seconds)]
    time: Option<Duration>,
    /// Node limit: positions searched, or playouts for mcts
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// The most steps to look ahead
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// How many different turns to show lines for
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    multipv: u32,
    /// Look at this turn only; give it several times to compare turns
    #[arg(long, value_name = "TURN")]
    only: Vec<String>,
    /// Show the terms of the evaluation for both sides, in hundredths of a rabbit
    #[arg(long)]
    explain: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let game = args.position.game()?;
    if let Phase::Over(ending) = game.phase() {
        bail!("there is nothing to think about: the game is over: {ending}");
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
    let only = args.only.iter().map(|text| only(text, &game)).collect::<Result<_>>()?;
    let job = Job { multi_pv: args.multipv as usize, stop, search_turns: only, ..Job::limited(game, limits) };
    let mut analysis = Analysis::new(&engine.id().name, &job.game);
    let live = io::stderr().is_terminal() && !args.json;
    let answer = engine.think(&job, &mut |info| {
        if live {
            tell(&info);
        }
        analysis.update(&info, &job.game);
    })?;
    if live {
        eprint!("\r\x1b[K");
    }
    analysis.finish(&answer, &job.game);
    if args.explain && !matches!(answer, Answer::Setup(_)) {
        // The weights that the engine plays with, if it takes any.
        let weights = engine.options().get_str("weights").unwrap_or_default();
        analysis.terms = Some(Term::all(&Weights::named(weights)?, &job.game));
    }
    if args.json {
        output::json(&analysis)?;
    } else {
        let mut out = anstream::stdout().lock();
        analysis.show(&job.game, &mut out)?;
        out.flush()?;
    }
    Ok(shutdown.outcome(!shutdown.requested()))
}

/// A turn that may be played from here.
fn only(text: &str, game: &Game) -> Result<Turn> {
    if let Phase::Setup(_) = game.phase() {
        bail!("--only is for turns, and this is a setup");
    }
    game.clone().play_text(text).with_context(|| format!("--only '{text}'"))?;
    // What does not read as a step is the mark of a capture.
    Ok(text.split_whitespace().filter_map(|word| word.parse::<Step>().ok()).collect())
}

/// A line that is overwritten by the next one.
fn tell(info: &Info) {
    if let (0, Some(depth), Some(nodes)) = (info.pv_index, info.depth, info.nodes) {
        eprint!("\r\x1b[Kdepth {depth}, {nodes} positions");
    }
}
