//! `surus archive lookup`

use std::io::{self, Write};
use std::time::Instant;

use anyhow::{Result, bail};
use serde::Serialize;
use surus_archive::{AreaCenter, GameHeader, LookupOptions, LookupResult, SetupOrTurn, Tier, lookup, plan};
use surus_rules::{Board, Game, Square};

use super::{DbArg, show};
use crate::input::PositionArg;
use crate::{CommandStatus, output};

/// Look up a position in one tier of the engine mimic, and show the turn and game found
///
/// setup and setup-reply find setups; win searches the known wins in two turns; full, middle, area and piece compare
/// increasingly small parts of the board. area requires the square where the opponent moved last, from a game record or
/// --last-moved. Exits with 1 if there is no match.
#[derive(clap::Args)]
#[command(
    after_help = "\
Examples:
  surus archive lookup --tier setup
  surus archive lookup --tier full game.txt
  surus archive lookup --tier area game.txt --no-symmetry --json
  surus archive lookup --tier piece --center trap --query-plan --aei 'g [64 characters]'",
    override_usage = "surus archive lookup --tier setup [OPTIONS]\n       surus archive lookup --tier <TIER> [OPTIONS] <POSITION|--aei <COMPACT>>"
)]
pub(super) struct Args {
    /// File with a position, game record, game tree, archive row or test; - reads standard input; not needed for --tier setup
    #[arg(value_name = "POSITION")]
    file: Option<String>,
    /// Position in AEI form: 'g [64 characters]'
    #[arg(long, value_name = "COMPACT", conflicts_with = "file")]
    aei: Option<String>,
    #[command(flatten)]
    db: DbArg,
    /// Tier: setup, setup-reply, win, full, middle, area or piece
    #[arg(long, value_name = "TIER")]
    tier: Tier,
    /// As in [McKee]: exclude mirrored positions and positions with sides swapped
    #[arg(long)]
    no_symmetry: bool,
    /// Center of the area of the tier piece: piece or trap
    #[arg(long, value_name = "CENTER", default_value = "piece")]
    center: String,
    /// Square where the opponent moved last, for a position without history
    #[arg(long, value_name = "SQUARE")]
    last_moved: Option<Square>,
    /// Maximum number of candidates to examine
    #[arg(long, value_name = "N", default_value_t = 5000)]
    max_candidates: usize,
    /// Print the query plan of the database
    #[arg(long)]
    query_plan: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct LookupOutput {
    tier: Tier,
    turn: Option<String>,
    mirrored: bool,
    flipped: bool,
    recentred: bool,
    at_turn: Option<String>,
    won: Option<bool>,
    rating: Option<i32>,
    turns_left: Option<i32>,
    games: Option<u64>,
    game: Option<GameHeader>,
    examined: usize,
    illegal: usize,
    limit_reached: bool,
    milliseconds: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    query_plan: Vec<String>,
}

pub(super) fn run(args: &Args) -> Result<CommandStatus> {
    let center = match args.center.as_str() {
        "piece" => AreaCenter::Piece,
        "trap" => AreaCenter::Trap,
        other => bail!("--center: expected piece or trap, found '{other}'"),
    };
    let game = if args.tier == Tier::Setup && args.file.is_none() && args.aei.is_none() {
        Game::default()
    } else {
        PositionArg::new(&args.file, &args.aei).game()?
    };
    if args.tier == Tier::Area && args.last_moved.is_none() && surus_archive::last_moved(&game).is_none() {
        bail!(
            "the tier area requires the square where the opponent moved last: use a game record, or --last-moved SQUARE"
        );
    }
    let store = args.db.open()?;
    let options = LookupOptions {
        symmetry: !args.no_symmetry,
        center,
        last_moved_square: args.last_moved,
        max_candidates: args.max_candidates,
        ..LookupOptions::default()
    };
    let started = Instant::now();
    let result = lookup(&store, &game, args.tier, &options)?;
    let milliseconds = started.elapsed().as_secs_f64() * 1e3;
    let query_plan = if args.query_plan { plan(&store, &game, args.tier, &options)? } else { Vec::new() };
    let position = result.hit.as_ref().and_then(|hit| hit.position);
    let line = match position {
        Some(position) => surus_archive::game(&store, position.game())?.map(|game| game.header),
        None => None,
    };
    let found = lookup_output(args.tier, &result, game.turn_start(), line, milliseconds, query_plan);
    let hit = found.turn.is_some();
    if args.json {
        output::json(&found)?;
    } else {
        print_text(&found)?;
    }
    Ok(if hit { CommandStatus::Success } else { CommandStatus::Failure })
}

fn lookup_output(
    tier: Tier,
    result: &LookupResult,
    board: &Board,
    game: Option<GameHeader>,
    milliseconds: f64,
    query_plan: Vec<String>,
) -> LookupOutput {
    let hit = result.hit.as_ref();
    LookupOutput {
        tier,
        turn: hit.map(|hit| match &hit.played {
            SetupOrTurn::Turn(turn) => board.notation(turn),
            SetupOrTurn::Setup(setup) => setup.to_string(),
        }),
        mirrored: hit.is_some_and(|hit| hit.mirrored),
        flipped: hit.is_some_and(|hit| hit.flipped),
        recentred: hit.is_some_and(|hit| hit.recentred),
        at_turn: hit.and_then(|hit| hit.position).map(|at| format!("{}{}", at.turn(), at.side().letter())),
        won: hit.and_then(|hit| hit.rank).map(surus_archive::Rank::won),
        rating: hit.and_then(|hit| hit.rank).map(surus_archive::Rank::rating),
        turns_left: hit.and_then(|hit| hit.rank).map(surus_archive::Rank::turns_left),
        games: hit.and_then(|hit| hit.games),
        game,
        examined: result.examined,
        illegal: result.illegal,
        limit_reached: result.limit_reached,
        milliseconds,
        query_plan,
    }
}

fn print_text(found: &LookupOutput) -> Result<()> {
    let mut out = io::stdout().lock();
    match &found.turn {
        Some(turn) => writeln!(out, "{turn}")?,
        None => writeln!(out, "no match")?,
    }
    if let (Some(game), Some(tag)) = (&found.game, &found.at_turn) {
        writeln!(out, "{tag} of {}", show::game(game))?;
    }
    let images: Vec<&str> =
        [(found.mirrored, "mirrored"), (found.flipped, "sides swapped"), (found.recentred, "recentred")]
            .into_iter()
            .filter_map(|(applies, name)| applies.then_some(name))
            .collect();
    if !images.is_empty() {
        writeln!(out, "{}", images.join(", "))?;
    }
    let limit = if found.limit_reached { " (limit reached)" } else { "" };
    writeln!(
        out,
        "{} candidates examined{limit}, {} not legal here; {:.3} ms",
        found.examined, found.illegal, found.milliseconds
    )?;
    for line in &found.query_plan {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}
