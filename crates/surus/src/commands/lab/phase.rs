//! `surus lab phase`

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;
use surus_lab::{GameSet, PhaseConfig, PhaseExperiment, phase};
use surus_learn::import::ImportedGame;
use surus_learn::phase::PhaseHistogram;
use surus_rules::{Board, Side};

use super::{Common, QUICK_GAMES, check_config, check_resume};
use crate::commands::learn::phase_games::{PhaseGameArgs, PhaseGames};
use crate::shutdown::Shutdown;
use crate::{CommandStatus, engines};

/// The number of courses that are plotted, and the fewest turns of such a game.
const COURSES: usize = 4;
const MIN_COURSE_TURNS: usize = 60;

/// The number of boards on which evaluations are timed.
const TIMED_BOARDS: usize = 2000;

/// Game phase [Phase]: features, clusters and courses of games, and an evaluation by phase
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus lab phase --resume allgames202602.txt engine_games.txt
  surus lab phase --quick")]
pub(super) struct Args {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    games: PhaseGameArgs,
    /// Experiment: its matches and published figures
    #[arg(long, value_name = "FILE", default_value = "docs/lab/phase.toml")]
    config: PathBuf,
    /// Number of games to play in parallel, except games on a clock
    #[arg(short, long, value_name = "C", default_value_t = 1)]
    concurrency: usize,
}

pub(super) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    check_config(&args.config)?;
    let mut config = PhaseConfig::read(&args.config)?;
    if args.common.quick {
        config = config.smoke_test(QUICK_GAMES);
    }
    let directory = args.common.out.join("phase");
    check_resume(&directory, args.common.resume)?;
    let found = args.games.read(shutdown)?;
    let (sets, games) = (phase_sets(&found, args.games.min_rating), found.games);
    let long = games.iter().filter(|game| game.game().entries().len() >= MIN_COURSE_TURNS);
    let course = |game: &ImportedGame| (format!("game {}", game.name()), game.game().clone());
    let courses: Vec<_> = long.take(COURSES).map(course).collect();
    let mut boards: Vec<(Board, Side)> = Vec::new();
    for game in &games {
        boards.extend(game.game().entries().iter().skip(2).map(|entry| (entry.board, entry.tag.side)));
    }
    boards.truncate(TIMED_BOARDS);
    let command = format!("surus lab phase --resume {}", args.games.command_line());
    let experiment = PhaseExperiment {
        config: &config,
        sets: &sets,
        courses: &courses,
        boards: &boards,
        runs_dir: &directory,
        report_dir: &args.common.report_dir,
        concurrency: args.concurrency,
        command: command.trim_end(),
    };
    let stop = shutdown.stop();
    let mut out = io::stdout();
    phase(&experiment, &engines::registry(), &stop, |name, score| {
        // A closed pipe does not stop the experiment.
        let _ = writeln!(out, "{name:<50} {}", score.summary());
    })?;
    Ok(shutdown.outcome(!shutdown.requested()))
}

/// All games, those with ratings, those without, and self-play, as far as there are some.
fn phase_sets(found: &PhaseGames, min_rating: Option<u32>) -> Vec<GameSet> {
    let set = |title: String, chosen: &dyn Fn(&ImportedGame) -> bool| {
        let mut histogram = PhaseHistogram::default();
        found.games.iter().filter(|game| chosen(game)).for_each(|game| histogram.add_game(game.game()));
        GameSet { title, histogram }
    };
    let rated = min_rating.map_or("rated players".into(), |rating| format!("players rated {rating} or more"));
    let mut sets = vec![
        set("all games of the files".into(), &|_| true),
        set(rated, &|game| game.rating().is_some()),
        set("games without ratings, of engines".into(), &|game| game.rating().is_none()),
        GameSet { title: "self-play of alphabeta".into(), histogram: found.self_play.clone() },
    ];
    sets.retain(|set| set.histogram.boards > 0);
    sets
}
