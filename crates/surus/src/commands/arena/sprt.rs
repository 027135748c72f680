//! `surus sprt`

use std::io::Write;

use anyhow::{Result, bail};
use surus_arena::{EngineLimits, Schedule, SequentialTest, Sprt, SprtModel, SprtState, TournamentFormat};

use super::arena_run::prepare;
use super::base_build;
use super::cluster::submit_contest;
use super::limits::EachLimitArgs;
use super::options::ArenaArgs;
use super::report::{ProgressReporter, print_result};
use crate::shutdown::Shutdown;
use crate::{CommandStatus, engines};

/// Test whether the first engine is stronger than the second (SPRT)
///
/// A sequential probability ratio test: plays pairs of games until one of two hypotheses about the Elo difference is
/// accepted, and reports which. With --base, the working tree is built and tested against an older revision of the
/// repository: the usual way to test a change. Exits with 0 if the hypothesis ELO1 was accepted, otherwise with 1.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus sprt greedy random
  surus sprt greedy:seed=1 greedy:seed=2 --bounds -10,10 --games 400
  surus sprt alphabeta 'cmd=OLD aei' --time 1.1 --tc2 1s/10s/100/20s
  surus sprt --base main --nodes 10000 --bounds 0,20 --games 4000 --concurrency 2 --out runs/idea")]
pub(crate) struct Args {
    /// First engine; omit with --base
    #[arg(required_unless_present = "base")]
    first: Option<String>,
    /// Second engine; omit with --base
    #[arg(required_unless_present = "base")]
    second: Option<String>,
    /// Test the working tree against this git revision
    #[arg(long, value_name = "REV", conflicts_with_all = ["first", "second", "slurm", "slurm_script"])]
    base: Option<String>,
    /// With --base: the engine to test in both builds
    #[arg(long, value_name = "NAME", requires = "base", default_value = engines::DEFAULT)]
    engine: String,
    /// Elo differences of the two hypotheses
    #[arg(long, value_name = "ELO0,ELO1", default_value = "0,20", allow_hyphen_values = true)]
    bounds: String,
    /// Probability of accepting ELO1 when ELO0 is true
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,
    /// Probability of accepting ELO0 when ELO1 is true
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    beta: f64,
    /// Elo model of the bounds: normalized or logistic
    #[arg(long, value_name = "MODEL", default_value = "normalized", value_parser = |text: &str| text.parse::<SprtModel>())]
    model: SprtModel,
    /// Maximum number of games; the test is inconclusive if neither hypothesis is accepted by then
    #[arg(long, value_name = "N", default_value_t = 4000, value_parser = clap::value_parser!(u64).range(2..))]
    games: u64,
    #[command(flatten)]
    contest: ArenaArgs,
    #[command(flatten)]
    each_limits: EachLimitArgs,
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
        (None, Some(first), Some(second)) => {
            let aliases = args.contest.aliases()?;
            [first, second].map(|text| aliases.spec(text)).into()
        }
        _ => bail!("expected two engines, or --base REV"),
    };
    let schedule =
        Schedule { engines: 2, format: TournamentFormat::RoundRobin, games_per_pairing: args.games };
    for (spec, limits) in specs.iter_mut().zip(args.each_limits.limits()) {
        spec.limits = limits;
    }
    let mut contest = prepare(specs, schedule, "sprt", &args.contest, EngineLimits::default(), &registry)?;
    if args.contest.slurm.submits() {
        return submit_contest(&contest, &args.contest, Some(sprt), shutdown);
    }
    if let Some(shared) = &mut contest.terms.shared {
        shared.sprt = Some(sprt);
    }
    let mut live = ProgressReporter::new(&args.contest, contest.names(), args.games);
    let mut test = SequentialTest::new(sprt);
    let outcome = contest.play(&shutdown.stop(), |finished| {
        live.game(finished);
        test.add(finished.entry.id, finished.entry.winner) != SprtState::Continue
    })?;
    live.end()?;
    let decided = test.state();
    print_result(&contest, &args.contest, &outcome, Some(&test))?;
    if !args.contest.json && decided == SprtState::Continue {
        writeln!(std::io::stdout(), "Inconclusive.")?;
    }
    if outcome.interrupted {
        return Ok(shutdown.outcome(false));
    }
    // A task has only some of the games: the decision is that of the whole run.
    if contest.terms.shared.is_some() {
        return Ok(CommandStatus::Success);
    }
    Ok(if decided == SprtState::AcceptH1 { CommandStatus::Success } else { CommandStatus::Failure })
}
