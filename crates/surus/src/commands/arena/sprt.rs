//! `surus sprt`

use std::io::Write;

use anyhow::{Result, bail};
use surus_arena::{EngineLimits, EngineSpec, Schedule, Sprt, SprtModel, SprtState, TournamentFormat};

use super::arena_run::prepare;
use super::base_build;
use super::options::ArenaArgs;
use super::pace::EachPaceArgs;
use super::report::{ProgressReporter, print_result};
use crate::shutdown::Shutdown;
use crate::{CommandStatus, engines};

/// Play until it is clear whether the first engine is stronger than the second
///
/// A sequential test of two hypotheses about the difference in Elo, from pairs of games. It stops by itself and says
/// which of them it took. With --base the working tree is built and plays against an older revision of the repository,
/// built aside: the way to judge a change.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus sprt greedy random
  surus sprt greedy:seed=1 greedy:seed=2 --bounds -10,10 --games 400
  surus sprt alphabeta 'cmd=OLD aei' --time 1.1 --tc2 1s/10s/100/20s
  surus sprt --base main --nodes 10000 --bounds 0,20 --games 4000 --concurrency 2 --out runs/idea")]
pub(crate) struct Args {
    /// The first engine; with --base left out
    #[arg(required_unless_present = "base")]
    first: Option<String>,
    /// The second engine; with --base left out
    #[arg(required_unless_present = "base")]
    second: Option<String>,
    /// Build this revision of the repository and play the working tree against it
    #[arg(long, value_name = "REV", conflicts_with_all = ["first", "second"])]
    base: Option<String>,
    /// With --base: which engine of both programs plays
    #[arg(long, value_name = "NAME", requires = "base", default_value = engines::DEFAULT)]
    engine: String,
    /// The two hypotheses, in Elo
    #[arg(long, value_name = "ELO0,ELO1", default_value = "0,20", allow_hyphen_values = true)]
    bounds: String,
    /// How often a change worth ELO0 may pass
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,
    /// How often a change worth ELO1 may fail
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    beta: f64,
    /// What the bounds are measured in: normalized or logistic Elo
    #[arg(long, value_name = "MODEL", default_value = "normalized", value_parser = |text: &str| text.parse::<SprtModel>())]
    model: SprtModel,
    /// The most games; without a decision by then there is none
    #[arg(long, value_name = "N", default_value_t = 4000, value_parser = clap::value_parser!(u64).range(2..))]
    games: u64,
    #[command(flatten)]
    contest: ArenaArgs,
    #[command(flatten)]
    paces: EachPaceArgs,
}

pub(crate) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let Some((elo0, elo1)) = args
        .bounds
        .split_once(',')
        .and_then(|(a, b)| Some((a.trim().parse::<f64>().ok()?, b.trim().parse::<f64>().ok()?)))
    else {
        bail!("--bounds {}: expected two numbers, like 0,20", args.bounds);
    };
    let sprt = Sprt::new(elo0, elo1, args.alpha, args.beta, args.model)?;
    let registry = engines::registry();
    let mut specs = match (&args.base, &args.first, &args.second) {
        (Some(revision), ..) => base_build::specs(revision, &args.engine, shutdown)?,
        (None, Some(first), Some(second)) => [first, second].map(|text| EngineSpec::parse(text)).into(),
        _ => bail!("expected two engines, or --base REV"),
    };
    let schedule =
        Schedule { engines: 2, format: TournamentFormat::RoundRobin, games_per_pairing: args.games };
    for (spec, pace) in specs.iter_mut().zip(args.paces.paces()) {
        spec.pace = pace;
    }
    let contest = prepare(specs, schedule, "sprt", &args.contest, EngineLimits::default(), &registry)?;
    let mut live = ProgressReporter::new(&args.contest, contest.names(), args.games);
    let mut decided = SprtState::Continue;
    let outcome = contest.play(&shutdown.stop(), |finished| {
        live.game(finished);
        // The first decision stands, whatever games were under way.
        if decided == SprtState::Continue {
            decided = sprt.state(finished.board.tally(0, 1).pairs());
        }
        decided != SprtState::Continue
    })?;
    live.end()?;
    print_result(&contest, &args.contest, &outcome, Some(sprt))?;
    if !args.contest.json && decided == SprtState::Continue {
        writeln!(std::io::stdout(), "No decision.")?;
    }
    if outcome.interrupted {
        return Ok(shutdown.outcome(false));
    }
    Ok(if decided == SprtState::AcceptH1 { CommandStatus::Success } else { CommandStatus::Failure })
}
