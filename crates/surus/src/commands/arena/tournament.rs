//! `surus tournament`

use std::io;

use anyhow::{Context, Result, bail};
use surus_arena::{EngineConfigFile, EngineLimits, Schedule, TournamentFormat};

use super::arena_run::prepare;
use super::cluster::submit_contest;
use super::options::ArenaArgs;
use super::report::{ProgressReporter, print_notes};
use super::table::Table;
use crate::shutdown::Shutdown;
use crate::{CommandStatus, engines, input, output};

/// Play a round robin or gauntlet tournament
///
/// The engines are listed in a TOML file, in the ini file of `roundrobin` (Python package aei), or on the command line.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus tournament engines.toml --out runs/spring
  surus tournament greedy random greedy:seed=9 --games 20
  surus tournament engines.toml --gauntlet --concurrency 2

engines.toml:
  games = 20
  tc = '3s/30s/100'
  [[engine]]
  engine = 'greedy:seed=1'
  [[engine]]
  name = 'theirs'
  cmd = 'simple_engine'
  options = { hash = 16 }")]
pub(crate) struct Args {
    /// File of engines, or two or more engines
    #[arg(required = true, value_name = "FILE|ENGINE")]
    engines: Vec<String>,
    /// Gauntlet: the first engine plays all others
    #[arg(long)]
    gauntlet: bool,
    /// Games per pairing [default: from the file, otherwise 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    #[command(flatten)]
    contest: ArenaArgs,
}

pub(crate) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let registry = engines::registry();
    let aliases = args.contest.aliases()?;
    let file = match &args.engines[..] {
        [one] if registry.make(one).is_ok() => {
            bail!("a tournament needs two or more engines, or a file of engines; '{one}' is a single engine")
        }
        [file] => {
            EngineConfigFile::parse(&input::read(file)?).with_context(|| input::name_of(file).to_string())?
        }
        several => EngineConfigFile {
            engines: several.iter().map(|text| aliases.spec(text)).collect(),
            limits: EngineLimits::default(),
            games: None,
        },
    };
    let games = args.games.or(file.games).unwrap_or(10);
    let (format, name) = if args.gauntlet {
        (TournamentFormat::Gauntlet, "gauntlet")
    } else {
        (TournamentFormat::RoundRobin, "round robin")
    };
    let schedule = Schedule { engines: file.engines.len(), format, games_per_pairing: games };
    let contest = prepare(file.engines, schedule, name, &args.contest, file.limits, &registry)?;
    if args.contest.slurm.submits() {
        return submit_contest(&contest, &args.contest, None, shutdown);
    }
    let mut live =
        ProgressReporter::new(&args.contest, contest.names(), contest.scheduled_games().count() as u64);
    let outcome = contest.play(&shutdown.stop(), |finished| {
        live.game(finished);
        false
    })?;
    live.end()?;
    let table = Table { engines: contest.engines(), board: &outcome.board };
    if args.contest.json {
        output::json(&table.result(outcome.interrupted))?;
    } else {
        table.print(&mut io::stdout().lock())?;
        print_notes(&args.contest, &outcome)?;
    }
    Ok(shutdown.outcome(!outcome.interrupted))
}
