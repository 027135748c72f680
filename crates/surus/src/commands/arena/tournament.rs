//! `surus tournament`

use std::io::{self, Write};

use anyhow::{Context, Result, bail};
use serde::Serialize;
use surus_arena::{EngineConfigFile, EngineLimits, MatchSummary, Schedule, TournamentFormat};

use super::arena_run::prepare;
use super::options::ArenaArgs;
use super::report::{ProgressReporter, print_notes, report};
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

#[derive(Serialize)]
struct TournamentResult {
    event: &'static str,
    interrupted: bool,
    games: u64,
    standings: Vec<Standing>,
    pairings: Vec<MatchSummary>,
}

#[derive(Serialize)]
struct Standing {
    name: String,
    games: u64,
    points: f64,
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
    let names = contest.names();
    let mut live =
        ProgressReporter::new(&args.contest, names.clone(), contest.scheduled_games().count() as u64);
    let outcome = contest.play(&shutdown.stop(), |finished| {
        live.game(finished);
        false
    })?;
    live.end()?;
    let standing = |index: usize| {
        let (points, games) = outcome.board.points(index);
        Standing { name: names[index].clone(), games, points }
    };
    let mut standings: Vec<Standing> = (0..names.len()).map(standing).collect();
    standings.sort_by(|a, b| score_rate(b).total_cmp(&score_rate(a)));
    let pairings = outcome.board.pairings();
    if args.contest.json {
        output::json(&TournamentResult {
            event: "result",
            interrupted: outcome.interrupted,
            games: standings.iter().map(|standing| standing.games).sum::<u64>() / 2,
            standings,
            pairings: pairings
                .iter()
                .map(|&(a, b)| report(&contest, &outcome, a, b, None).summary())
                .collect(),
        })?;
    } else {
        let mut out = io::stdout().lock();
        for (index, standing) in standings.iter().enumerate() {
            let Standing { name, games, points } = standing;
            writeln!(
                out,
                "{:>3}. {name:<30} {points:>7.1} of {games:<6} {:>5.1} %",
                index + 1,
                100.0 * score_rate(standing)
            )?;
        }
        for (first, second) in pairings {
            writeln!(out, "\n{}", report(&contest, &outcome, first, second, None))?;
        }
        drop(out);
        print_notes(&args.contest, &outcome)?;
    }
    Ok(shutdown.outcome(!outcome.interrupted))
}

/// Points per game.
fn score_rate(standing: &Standing) -> f64 {
    if standing.games == 0 { 0.0 } else { standing.points / standing.games as f64 }
}
