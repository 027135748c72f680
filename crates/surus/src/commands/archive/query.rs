//! `surus archive query`

use std::io::{self, Write};
use std::time::Instant;

use anyhow::{Result, bail};
use serde::Serialize;
use surus_archive::{AreaCenter, GameHeader, LookupOptions, LookupResult, SetupOrTurn, Tier, lookup, plan};
use surus_rules::{Board, Square};

use super::{StoreArg, show};
use crate::input::PositionArg;
use crate::{CommandStatus, output};

/// What one tier of the engine mimic answers to a position, and whose turn that was
///
/// setup and answer are about setups; win is the list of wins in two turns; full, middle, area and piece compare more and
/// more loosely. area needs to know where the other side moved last: a game record tells, or --near. Exits with 1 if there
/// is no answer.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus archive query --tier full game.txt
  surus archive query --tier area game.txt --no-symmetry --json
  surus archive query --tier piece --center trap --plan --aei 'g [64 characters]'")]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArg,
    #[command(flatten)]
    store: StoreArg,
    /// setup, answer, win, full, middle, area or piece
    #[arg(long, value_name = "TIER")]
    tier: Tier,
    /// Follow the document to the letter: no mirror images, no exchanged sides
    #[arg(long)]
    no_symmetry: bool,
    /// What the area of a specific piece is around: piece or trap
    #[arg(long, value_name = "WHAT", default_value = "piece")]
    center: String,
    /// Where the other side moved last, for a position without history
    #[arg(long, value_name = "SQUARE")]
    near: Option<Square>,
    /// Give up after so many candidates
    #[arg(long, value_name = "N", default_value_t = 5000)]
    most: usize,
    /// Show how the database finds the candidates
    #[arg(long)]
    plan: bool,
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
    plan: Vec<String>,
}

pub(super) fn run(args: &Args) -> Result<CommandStatus> {
    let center = match args.center.as_str() {
        "piece" => AreaCenter::Piece,
        "trap" => AreaCenter::Trap,
        other => bail!("--center: expected piece or trap, found '{other}'"),
    };
    let game = args.position.game()?;
    if args.tier == Tier::Area && args.near.is_none() && surus_archive::last_moved(&game).is_none() {
        bail!("the tier area needs where the other side moved last: give a record, or --near SQUARE");
    }
    let store = args.store.open()?;
    let options = LookupOptions {
        symmetry: !args.no_symmetry,
        center,
        last_moved_square: args.near,
        max_candidates: args.most,
        ..LookupOptions::default()
    };
    let began = Instant::now();
    let asked = lookup(&store, &game, args.tier, &options)?;
    let milliseconds = began.elapsed().as_secs_f64() * 1e3;
    let plan = if args.plan { plan(&store, &game, args.tier, &options)? } else { Vec::new() };
    let position = asked.hit.as_ref().and_then(|hit| hit.position);
    let line = match position {
        Some(position) => surus_archive::game(&store, position.game())?.map(|game| game.line),
        None => None,
    };
    let found = found(args.tier, &asked, game.turn_start(), line, milliseconds, plan);
    let hit = found.turn.is_some();
    if args.json {
        output::json(&found)?;
    } else {
        tell(&found)?;
    }
    Ok(if hit { CommandStatus::Success } else { CommandStatus::Failure })
}

fn found(
    tier: Tier,
    asked: &LookupResult,
    board: &Board,
    game: Option<GameHeader>,
    milliseconds: f64,
    plan: Vec<String>,
) -> LookupOutput {
    let hit = asked.hit.as_ref();
    LookupOutput {
        tier,
        turn: hit.map(|hit| match &hit.next {
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
        examined: asked.examined,
        illegal: asked.illegal,
        limit_reached: asked.limit_reached,
        milliseconds,
        plan,
    }
}

fn tell(found: &LookupOutput) -> Result<()> {
    let mut out = io::stdout().lock();
    match &found.turn {
        Some(turn) => writeln!(out, "{turn}")?,
        None => writeln!(out, "nothing fits")?,
    }
    if let (Some(game), Some(tag)) = (&found.game, &found.at_turn) {
        writeln!(out, "{tag} of {}", show::game(game))?;
    }
    let images: Vec<&str> = [
        (found.mirrored, "mirrored"),
        (found.flipped, "sides exchanged"),
        (found.recentred, "looked at again"),
    ]
    .into_iter()
    .filter_map(|(is, words)| is.then_some(words))
    .collect();
    if !images.is_empty() {
        writeln!(out, "{}", images.join(", "))?;
    }
    let gave_up = if found.limit_reached { ", gave up then" } else { "" };
    writeln!(
        out,
        "{} candidates looked at, {} not legal here{gave_up}; {:.3} ms",
        found.examined, found.illegal, found.milliseconds
    )?;
    for line in &found.plan {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}
