//! `surus match`

use anyhow::Result;
use surus_arena::{EngineLimits, EngineSpec, Schedule, TournamentFormat};

use super::arena_run::prepare;
use super::cluster::submit_contest;
use super::limits::EachLimitArgs;
use super::options::ArenaArgs;
use super::report::{ProgressReporter, print_result};
use crate::shutdown::Shutdown;
use crate::{CommandStatus, engines};

/// Play a match between two engines; each opening is played twice with sides swapped
///
/// An engine is built in, name[:key=value,…], or external: 'cmd=COMMAND LINE' for AEI, 'getmove=COMMAND LINE' for the
/// getMove interface. Engines that search get 1 s per turn unless a limit is given. With --out, every finished game is saved
/// before the next one starts.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus match alphabeta greedy --games 100 --nodes 10000
  surus match alphabeta 'cmd=simple_engine' --games 10 --tc 3s/30s/100 --out runs/simple
  surus match alphabeta mcts --games 100 --time 1.1 --tc2 1s/10s/100/20s
  surus match greedy:seed=1 greedy:seed=2 --games 1000 --concurrency 2 --json | tail -n 1
  surus match alphabeta mcts --handicap Dh --games 20
  surus match bot_fairy bot_sample --bots bots --games 20 --engine-logs logs
  surus match greedy random --games 2000 --out runs/long --resume")]
pub(crate) struct Args {
    /// First engine; results are reported from its point of view
    first: String,
    /// Second engine
    second: String,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Configuration file for engines that read one, such as mcts; options in an engine's name override it
    #[arg(long, value_name = "FILE")]
    config: Option<String>,
    #[command(flatten)]
    contest: ArenaArgs,
    #[command(flatten)]
    each_limits: EachLimitArgs,
}

pub(crate) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let registry = engines::registry();
    let mut names = [args.first.clone(), args.second.clone()];
    engines::configure(&mut names, args.config.as_deref())?;
    let specs = names.iter().zip(args.each_limits.limits());
    let aliases = args.contest.aliases()?;
    let specs = specs.map(|(name, limits)| EngineSpec { limits, ..aliases.spec(name) }).collect();
    let schedule =
        Schedule { engines: 2, format: TournamentFormat::RoundRobin, games_per_pairing: args.games };
    let contest = prepare(specs, schedule, "match", &args.contest, EngineLimits::default(), &registry)?;
    if args.contest.slurm.submits() {
        return submit_contest(&contest, &args.contest, None, shutdown);
    }
    let mut live = ProgressReporter::new(&args.contest, contest.names(), args.games);
    let outcome = contest.play(&shutdown.stop(), |finished| {
        live.game(finished);
        false
    })?;
    live.end()?;
    print_result(&contest, &args.contest, &outcome, None)?;
    Ok(shutdown.outcome(!outcome.interrupted))
}
