//! `surus learn positions`

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Serialize;
use surus_learn::decisions::{DecisionFilter, decision_sources};
use surus_learn::ordering::POSITIONS_KIND;
use surus_record::packed::{
    Flags, Header, PackedGame, PackedReader, PackedSample, PackedWriter, Provenance, checksum,
};

use super::data::expand;
use crate::input::name_of;
use crate::shutdown::Shutdown;
use crate::{CommandStatus, input, output};

/// Extract the turns played in games, for training the order of turns
///
/// FILE is a file of games (the official archive, game records separated by blank lines), the directory of a run, or a
/// data file of self-play. The other turns of a position are generated again when they are needed. A turn that a filter
/// excludes is kept as history of those that follow.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn positions allgames.txt --min-rating 2000 --group experts --out experts.packed
  surus learn positions games.txt --player bot_sharp --both-players --out sharp.packed
  surus learn positions run/ --winner-only --last-turn 60 --out winners.packed")]
pub(super) struct Args {
    /// Files of games, run directories, or data files of self-play
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Data file to create
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Name of this set in reports [default: the kind of the data]
    #[arg(long, value_name = "NAME")]
    group: Option<String>,
    /// Minimum rating of both players
    #[arg(long, value_name = "R")]
    min_rating: Option<u32>,
    /// Player who passes --min-rating whatever the file says; can be repeated
    #[arg(long = "trust", value_name = "NAME")]
    trusted: Vec<String>,
    /// Use only the turns of this player; can be repeated
    #[arg(long = "player", value_name = "NAME")]
    players: Vec<String>,
    /// Use only games in which both players are given with --player
    #[arg(long, requires = "players")]
    both_players: bool,
    /// Use only the turns of players of this type: h for people, b for programs
    #[arg(long, value_name = "TYPE", value_parser = ["h", "b"])]
    player_type: Option<String>,
    /// Use only the turns of the winner
    #[arg(long)]
    winner_only: bool,
    /// First turn number to use
    #[arg(long, value_name = "N", default_value_t = 2)]
    first_turn: u32,
    /// Last turn number to use
    #[arg(long, value_name = "N", default_value_t = u32::MAX, hide_default_value = true)]
    last_turn: u32,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
}

#[derive(Serialize, Default)]
struct PositionsReport {
    file: String,
    games: u64,
    skipped_games: u64,
    positions: u64,
    context: u64,
}

/// The games of one input file.
struct Source {
    origin: Provenance,
    games: Vec<PackedGame>,
}

pub(super) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let stop = shutdown.stop();
    let filter = DecisionFilter {
        players: args.players.clone(),
        min_rating: args.min_rating,
        trusted: args.trusted.clone(),
        both_players: args.both_players,
        player_type: args.player_type.as_ref().and_then(|text| text.chars().next()),
        winner_only: args.winner_only,
        turns: args.first_turn..=args.last_turn,
    };
    let mut report = PositionsReport { file: args.out.display().to_string(), ..PositionsReport::default() };
    let mut sources = Vec::new();
    for file in inputs(&args.files)? {
        if stop.should_stop() {
            return Ok(shutdown.outcome(false));
        }
        sources.push(source(&file, args, &filter, &mut report)?);
    }
    if report.positions == 0 {
        bail!("no turn passes the filters: check --player, --min-rating, --player-type and the turn numbers");
    }
    let header = Header { origins: sources.iter().map(|source| source.origin.clone()).collect() };
    let mut writer = PackedWriter::create(&args.out, &header)?;
    let mut id = 0;
    for (origin, source) in (0..).zip(sources) {
        for game in source.games {
            id += 1;
            writer.write_game(&PackedGame { id, origin, ..game })?;
        }
    }
    writer.finish()?;
    print(&report, args.json)?;
    Ok(CommandStatus::Success)
}

/// The files, with those of directories: the games of a run, or all data files.
fn inputs(files: &[String]) -> Result<Vec<String>> {
    let mut all = Vec::new();
    for file in files {
        let path = Path::new(file);
        if !path.is_dir() {
            all.push(file.clone());
        } else if path.join("games.txt").is_file() {
            all.push(path.join("games.txt").display().to_string());
        } else {
            all.extend(expand(&[path.into()])?.into_iter().map(|path| path.display().to_string()));
        }
    }
    Ok(all)
}

fn source(file: &str, args: &Args, filter: &DecisionFilter, report: &mut PositionsReport) -> Result<Source> {
    let path = Path::new(file);
    let mut origin = Provenance {
        kind: POSITIONS_KIND.into(),
        program: format!("surus {}", env!("CARGO_PKG_VERSION")),
        settings: filter.settings(),
        ..Provenance::default()
    };
    let games = if path.extension().is_some_and(|extension| extension == "packed") {
        from_packed(path, filter, &mut origin, report)?
    } else {
        from_text(file, filter, &mut origin, report)?
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let counts = count(&games);
    origin.settings.insert("file".into(), name);
    origin.settings.insert("games".into(), games.len().to_string());
    origin.settings.insert("decisions".into(), counts.0.to_string());
    if let Some(group) = &args.group {
        origin.settings.insert("group".into(), group.clone());
    }
    report.games += games.len() as u64;
    report.positions += counts.0;
    report.context += counts.1;
    Ok(Source { origin, games })
}

/// Turns that are decisions, and turns that are context.
fn count(games: &[PackedGame]) -> (u64, u64) {
    let samples = || games.iter().flat_map(|game| &game.samples);
    let context = samples().filter(|sample| !is_used(sample)).count() as u64;
    (samples().count() as u64 - context, context)
}

fn is_used(sample: &PackedSample) -> bool {
    [Flags::CONTEXT, Flags::RANDOM_TURN].iter().all(|&flag| !sample.flags().contains(flag))
}

fn from_text(
    file: &str,
    filter: &DecisionFilter,
    origin: &mut Provenance,
    report: &mut PositionsReport,
) -> Result<Vec<PackedGame>> {
    let text = input::read(file)?;
    origin.settings.insert("checksum".into(), format!("{:08x}", checksum(text.as_bytes())));
    let sources = decision_sources(&text, filter).with_context(|| name_of(file).to_string())?;
    let mut games = Vec::new();
    for source in sources {
        let packed = match &source {
            Some(source) => source.pack(0, filter).with_context(|| name_of(file).to_string())?,
            None => None,
        };
        let (Some(source), Some(game)) = (source, packed) else {
            report.skipped_games += 1;
            continue;
        };
        games.push(game);
        if !source.players.is_empty() {
            origin.settings.insert(format!("game {}", games.len()), source.players);
        }
    }
    Ok(games)
}

/// Games of self-play, whose random turns are no decisions in any case.
fn from_packed(
    path: &Path,
    filter: &DecisionFilter,
    origin: &mut Provenance,
    report: &mut PositionsReport,
) -> Result<Vec<PackedGame>> {
    if !filter.players.is_empty() || filter.min_rating.is_some() || filter.player_type.is_some() {
        bail!("{}: self-play has no players: omit --player, --min-rating and --player-type", path.display());
    }
    let bytes = std::fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
    origin.settings.insert("checksum".into(), format!("{:08x}", checksum(&bytes)));
    let reader = PackedReader::open(path)?;
    if let [played] = &reader.header().origins[..] {
        (origin.engine, origin.nodes, origin.seed) = (played.engine.clone(), played.nodes, played.seed);
        origin.options = played.options.clone();
    }
    let mut games = Vec::new();
    for game in reader.into_games() {
        let mut game = game?;
        for sample in &mut game.samples {
            let mut decoded = sample.decode();
            let used = filter.turns.contains(&decoded.turn_number.into())
                && (!filter.winner_only || decoded.result == Some(decoded.side));
            decoded.flags = decoded.flags | Flags::CONTEXT.set_if(!used);
            *sample = PackedSample::encode(&decoded)?;
        }
        if game.samples.iter().any(is_used) {
            games.push(game);
        } else {
            report.skipped_games += 1;
        }
    }
    Ok(games)
}

fn print(report: &PositionsReport, json: bool) -> Result<()> {
    if json {
        return output::json(report);
    }
    let PositionsReport { file, games, skipped_games, positions, context } = report;
    writeln!(
        io::stdout(),
        "{file}: {games} games, {positions} decisions, {context} turns of context; {skipped_games} games skipped"
    )?;
    Ok(())
}
