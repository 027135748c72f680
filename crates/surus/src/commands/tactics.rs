//! `surus tactics`

mod against;

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::Serialize;
use surus_rules::{Board, Handicap, Phase, Position, Record, Side, Turn};
use surus_tactics::verify::{Report as VerifyReport, random_game_boards, verify};
use surus_tactics::{
    Defences as Answer, all_goal_defences, capture_defences, captures_from, elimination_from, find_goal_from,
    goal_defences, immobilisation_from,
};

use crate::input::{self, PositionArg, name_of};
use crate::{CommandStatus, output};

/// Find goals, captures, threats and defences within one turn
///
/// Prints, for the side to move with its remaining steps and for the opponent with a full turn: the shortest goal, the
/// shortest capture of each enemy piece (named by its present square), elimination of all rabbits, and immobilisation. If the
/// opponent threatens a goal or captures, also all shortest turns that prevent the goal, and those that save each piece.
/// --defences all lists every turn that prevents the goal, however long.
///
/// --verify compares all of these with exhaustive turn generation on random positions and exits with 1 at the first
/// mismatch. With --against, the positions are those of games, and an external program of the extended AEI is asked for goals
/// (goalcheck) and captures (trapcheck) of the side to move. Immobilisation of more than six pieces is slow to verify and checked in every eighth position only.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus tactics game.txt
  surus tactics game.txt --defences all
  surus tactics --aei 'g [r      r R         hE                                   RRRRRRR ]' --json
  surus tactics --verify 20000 --seed 1
  surus tactics --verify 20000 --games archive.txt
  surus tactics --verify 1000 --against 'cmd=akimot -e'")]
pub(crate) struct Args {
    /// File with a position, game record, game tree, archive row or test; - reads standard input
    #[arg(value_name = "POSITION", required_unless_present_any = ["aei", "verify"])]
    file: Option<String>,
    /// Position in AEI form: 'g [64 characters]'
    #[arg(long, value_name = "COMPACT", conflicts_with = "file")]
    aei: Option<String>,
    /// Verify N positions against exhaustive turn generation
    #[arg(long, value_name = "N", conflicts_with_all = ["file", "aei"])]
    verify: Option<u64>,
    /// Random seed of the positions
    #[arg(long, value_name = "S", default_value_t = 1, requires = "verify")]
    seed: u64,
    /// Sample positions from the games of this file instead of random games (repeatable)
    #[arg(long, value_name = "FILE", requires = "verify")]
    games: Vec<String>,
    /// Compare with the answers of an extended AEI program: cmd=COMMAND LINE
    #[arg(long, value_name = "ENGINE", requires = "verify")]
    against: Option<String>,
    /// Which defences against a goal to print: the shortest, or all turns that prevent it
    #[arg(long, value_name = "WHICH", default_value = "shortest", value_parser = ["shortest", "all"])]
    #[arg(conflicts_with = "verify")]
    defences: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The random games from which --against takes positions.
const RANDOM_GAMES: usize = 400;

#[derive(Serialize)]
struct TacticsReport {
    side: char,
    steps_left: u8,
    #[serde(flatten)]
    side_to_move: SideTactics,
    threat: SideTactics,
    /// `None` if no goal is threatened; without turns if the goal cannot be prevented.
    defences: Option<Defences>,
    /// Of each piece that can be captured; without turns if it cannot be saved.
    piece_defences: Vec<PieceDefences>,
}

/// What a side can achieve in one turn.
#[derive(Serialize)]
struct SideTactics {
    goal: Option<TacticTurn>,
    captures: Vec<Capture>,
    elimination: Option<TacticTurn>,
    immobilisation: Option<TacticTurn>,
}

#[derive(Serialize)]
struct TacticTurn {
    steps: usize,
    turn: String,
}

#[derive(Serialize)]
struct Capture {
    piece: char,
    square: String,
    trap: String,
    steps: u8,
    turn: String,
}

#[derive(Serialize)]
struct Defences {
    /// The steps of the shortest.
    steps: Option<usize>,
    turns: Vec<String>,
}

#[derive(Serialize)]
struct PieceDefences {
    piece: char,
    square: String,
    #[serde(flatten)]
    defences: Defences,
}

pub(crate) fn run(args: &Args) -> Result<CommandStatus> {
    if let Some(count) = args.verify {
        return run_verify(args, count);
    }
    let game = PositionArg::new(&args.file, &args.aei).game()?;
    match game.phase() {
        Phase::Setup(side) => {
            bail!("expected a position after both setups: {side} has not set up its pieces")
        }
        Phase::Over(ending) => bail!("the game is over: {ending}"),
        Phase::Play(_) => {}
    }
    let report = report(game.position(), game.turn_start(), args.defences == "all")?;
    if args.json {
        output::json(&report)?;
    } else {
        print(&report)?;
    }
    Ok(CommandStatus::Success)
}

fn report(position: &Position, start: &Board, all_defences: bool) -> Result<TacticsReport> {
    let board = position.board();
    let opponent = Position::new(*board, position.side().other())?;
    let defences = if all_defences { all_goal_defences } else { goal_defences };
    let piece_defences = captures_from(&opponent).into_iter().filter_map(|threat| {
        Some(PieceDefences {
            piece: threat.piece.letter(),
            square: threat.square.to_string(),
            defences: Defences::new(&capture_defences(position, start, threat.square), board)?,
        })
    });
    Ok(TacticsReport {
        side: position.side().letter(),
        steps_left: position.steps_left(),
        side_to_move: side_tactics(position, start),
        threat: side_tactics(&opponent, board),
        defences: Defences::new(&defences(position, start), board),
        piece_defences: piece_defences.collect(),
    })
}

impl Defences {
    /// `None` if there is no threat.
    fn new(answer: &Answer, board: &Board) -> Option<Self> {
        let turns = answer.turns();
        (*answer != Answer::NoThreat).then(|| Self {
            steps: turns.first().map(Turn::len),
            turns: turns.iter().map(|turn| board.notation(turn)).collect(),
        })
    }
}

fn side_tactics(position: &Position, start: &Board) -> SideTactics {
    let board = position.board();
    let line = |turn: Turn| TacticTurn { steps: turn.len(), turn: board.notation(&turn) };
    let capture = |capture: &surus_tactics::Capture| Capture {
        piece: capture.piece.letter(),
        square: capture.square.to_string(),
        trap: capture.trap.to_string(),
        steps: capture.steps,
        turn: board.notation(&capture.turn),
    };
    SideTactics {
        goal: find_goal_from(position).map(line),
        captures: captures_from(position).iter().map(capture).collect(),
        elimination: elimination_from(position).map(line),
        immobilisation: immobilisation_from(position, start).map(line),
    }
}

fn print(report: &TacticsReport) -> Result<()> {
    let side = if report.side == Side::Gold.letter() { Side::Gold } else { Side::Silver };
    let mut out = io::stdout().lock();
    writeln!(out, "{side} to move, {} left", count(usize::from(report.steps_left)))?;
    print_side(&mut out, &report.side_to_move)?;
    writeln!(out, "{} threatens (full turn)", side.other())?;
    print_side(&mut out, &report.threat)?;
    if let Some(defences) = &report.defences {
        print_defences(&mut out, side, "prevents the goal", "prevent the goal", defences)?;
    }
    for PieceDefences { piece, square, defences } in &report.piece_defences {
        let piece = format!("{piece}{square}");
        print_defences(&mut out, side, &format!("saves {piece}"), &format!("save {piece}"), defences)?;
    }
    Ok(())
}

fn print_defences(
    out: &mut impl Write,
    side: Side,
    does: &str,
    cannot: &str,
    defences: &Defences,
) -> Result<()> {
    let Some(steps) = defences.steps else { return Ok(writeln!(out, "{side} cannot {cannot}")?) };
    writeln!(out, "{side} {does} in {}", count(steps))?;
    for turn in &defences.turns {
        writeln!(out, "  {turn}")?;
    }
    Ok(())
}

fn print_side(out: &mut impl Write, tactics: &SideTactics) -> Result<()> {
    let lines = [
        ("goal", &tactics.goal),
        ("elimination", &tactics.elimination),
        ("immobilisation", &tactics.immobilisation),
    ];
    for (name, line) in lines {
        match line {
            Some(TacticTurn { steps, turn }) => writeln!(out, "  {name} in {}: {turn}", count(*steps))?,
            None if name == "goal" => writeln!(out, "  no goal")?,
            None => {}
        }
    }
    for Capture { piece, square, trap, steps, turn } in &tactics.captures {
        writeln!(out, "  {piece}{square} captured on {trap} in {}: {turn}", count(usize::from(*steps)))?;
    }
    if tactics.captures.is_empty() {
        writeln!(out, "  no capture")?;
    }
    Ok(())
}

fn count(steps: usize) -> String {
    format!("{steps} step{}", if steps == 1 { "" } else { "s" })
}

#[derive(Serialize)]
struct VerifyOutput {
    positions: u64,
    goals: u64,
    captures: u64,
    eliminations: u64,
    immobilisations: u64,
    defences: u64,
    lost: u64,
    threatened_pieces: u64,
    lost_pieces: u64,
    mismatch: Option<String>,
}

fn run_verify(args: &Args, count: u64) -> Result<CommandStatus> {
    let mut boards = Vec::new();
    for file in &args.games {
        boards.extend(boards_of(file)?);
    }
    if let Some(command) = &args.against {
        if boards.is_empty() {
            boards = random_game_boards(RANDOM_GAMES, args.seed);
        }
        return against::run(command, count, &boards, args.json);
    }
    let mut last = VerifyReport::default();
    let mut shown = Instant::now();
    let bar = io::stderr().is_terminal();
    let result = verify(count, args.seed, &boards, |report| {
        last = *report;
        if bar && shown.elapsed() > Duration::from_millis(200) {
            shown = Instant::now();
            eprint!("\r{} of {count} positions", report.positions);
        }
    });
    if bar {
        eprint!("\r\x1b[K");
    }
    let mismatch = result.err().map(|mismatch| mismatch.to_string());
    let outcome = if mismatch.is_none() { CommandStatus::Success } else { CommandStatus::Failure };
    let VerifyReport { positions, goals, captures, eliminations, immobilisations, .. } = last;
    let VerifyReport { defences, lost, threatened_pieces, lost_pieces, .. } = last;
    if args.json {
        output::json(&VerifyOutput {
            positions,
            goals,
            captures,
            eliminations,
            immobilisations,
            defences,
            lost,
            threatened_pieces,
            lost_pieces,
            mismatch,
        })?;
    } else {
        println!(
            "{positions} positions verified: {goals} goals, {captures} captures, {eliminations} eliminations, \
             {immobilisations} immobilisations, {defences} threatened goals, {lost} of which cannot be prevented, \
             {threatened_pieces} threatened pieces, {lost_pieces} of which cannot be saved"
        );
        if let Some(mismatch) = mismatch {
            println!("mismatch in the next position:\n{mismatch}");
        }
    }
    Ok(outcome)
}

/// The positions of a file's games, with the side to move.
pub(super) fn boards_of(file: &str) -> Result<Vec<(Board, Side)>> {
    let text = input::read(file)?;
    let games = surus_record::parse_games(&text).with_context(|| name_of(file).to_string())?;
    let mut boards = Vec::new();
    for source in &games {
        // Illegal games are skipped; `surus replay` reports them.
        let Ok(record) = Record::parse(&source.record) else { continue };
        let Ok(replay) = record.replay(source.rules, Handicap::None) else { continue };
        let entries = replay.game.entries();
        boards.extend(entries.iter().skip(1).map(|entry| (entry.board, entry.tag.side.other())));
    }
    if boards.is_empty() {
        bail!("{}: no legal games found", name_of(file));
    }
    Ok(boards)
}
