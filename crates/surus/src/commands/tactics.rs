//! `surus tactics`

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::Serialize;
use surus_rules::{Board, Handicap, Phase, Position, Record, Side, Turn};
use surus_tactics::verify::{Report, verify};
use surus_tactics::{
    GoalDefence, captures_from, elimination_from, find_goal_from, goal_defences, immobilisation_from,
};

use crate::input::{self, PositionArg, name_of};
use crate::{CommandStatus, output};

/// Show what one turn can do: goals, captures, threats and what stops them
///
/// For the side to move with the steps it has left, and as a threat for the other side with a full turn: the goal
/// with the fewest steps, every enemy piece that can be captured (each by itself, with the fewest steps; its square
/// is where it stands now), the capture of all rabbits, and immobilisation. Against a threatened goal, all
/// shortest turns that stop it. With --verify every one of these answers is compared with exhaustive generation; but for
/// immobilisation, which takes longest, where the other side has more than six pieces: that in every eighth position.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus tactics game.txt
  surus tactics --aei 'g [r      r R         hE                                   RRRRRRR ]' --json
  surus tactics --verify 20000 --seed 1
  surus tactics --verify 20000 --games archive.txt")]
pub(crate) struct Args {
    /// A file with a diagram, a compact position or a game record; - for standard input
    #[arg(value_name = "POSITION", required_unless_present_any = ["aei", "verify"])]
    file: Option<String>,
    /// The position itself in compact form, as in AEI: 'g [64 characters]'
    #[arg(long, value_name = "COMPACT", conflicts_with = "file")]
    aei: Option<String>,
    /// Compare all answers with exhaustive generation on so many positions; exit with 1 at the first difference
    #[arg(long, value_name = "N", conflicts_with_all = ["file", "aei"])]
    verify: Option<u64>,
    /// Draw other positions
    #[arg(long, value_name = "S", default_value_t = 1, requires = "verify")]
    seed: u64,
    /// Draw the positions from the games of this file, instead of from games of random steps
    #[arg(long, value_name = "FILE", requires = "verify")]
    games: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct TacticsReport {
    side: char,
    steps_left: u8,
    #[serde(flatten)]
    able: SideTactics,
    threat: SideTactics,
    /// Against the threatened goal: nothing if there is none; no turns if it can't be stopped.
    defences: Option<Defences>,
}

/// What a side can do.
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
    steps: Option<usize>,
    turns: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result<CommandStatus> {
    if let Some(count) = args.verify {
        return run_verify(args, count);
    }
    let game = PositionArg::new(&args.file, &args.aei).game()?;
    match game.phase() {
        Phase::Setup(side) => bail!("there is nothing to see yet: {side} has to set up its pieces"),
        Phase::Over(ending) => bail!("the game is over: {ending}"),
        Phase::Play(_) => {}
    }
    let answers = answers(game.position(), game.turn_start())?;
    if args.json {
        output::json(&answers)?;
    } else {
        print(&answers)?;
    }
    Ok(CommandStatus::Success)
}

fn answers(position: &Position, start: &Board) -> Result<TacticsReport> {
    let board = position.board();
    let turned = Position::new(*board, position.side().other())?;
    let defences = match goal_defences(position, start) {
        GoalDefence::NoThreat => None,
        GoalDefence::Turns(turns) => Some(Defences {
            steps: turns.first().map(Turn::len),
            turns: turns.iter().map(|turn| board.notation(turn)).collect(),
        }),
        GoalDefence::Unstoppable => Some(Defences { steps: None, turns: Vec::new() }),
    };
    Ok(TacticsReport {
        side: position.side().letter(),
        steps_left: position.steps_left(),
        able: able(position, start),
        threat: able(&turned, board),
        defences,
    })
}

fn able(position: &Position, start: &Board) -> SideTactics {
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

fn print(answers: &TacticsReport) -> Result<()> {
    let side = if answers.side == Side::Gold.letter() { Side::Gold } else { Side::Silver };
    let mut out = io::stdout().lock();
    writeln!(out, "{side} to move, {} left", count(usize::from(answers.steps_left)))?;
    print_able(&mut out, &answers.able)?;
    writeln!(out, "{} threatens, with a full turn", side.other())?;
    print_able(&mut out, &answers.threat)?;
    match &answers.defences {
        None => {}
        Some(Defences { steps: None, .. }) => writeln!(out, "no turn of {side} stops the goal")?,
        Some(Defences { steps: Some(steps), turns }) => {
            writeln!(out, "{side} stops the goal in {}", count(*steps))?;
            for turn in turns {
                writeln!(out, "  {turn}")?;
            }
        }
    }
    Ok(())
}

fn print_able(out: &mut impl Write, able: &SideTactics) -> Result<()> {
    let lines = [
        ("goal", &able.goal),
        ("capture of all rabbits", &able.elimination),
        ("immobilisation", &able.immobilisation),
    ];
    for (name, line) in lines {
        match line {
            Some(TacticTurn { steps, turn }) => writeln!(out, "  {name} in {}: {turn}", count(*steps))?,
            None if name == "goal" => writeln!(out, "  no goal")?,
            None => {}
        }
    }
    for Capture { piece, square, trap, steps, turn } in &able.captures {
        writeln!(out, "  {piece} of {square} captured on {trap} in {}: {turn}", count(usize::from(*steps)))?;
    }
    if able.captures.is_empty() {
        writeln!(out, "  no capture")?;
    }
    Ok(())
}

fn count(steps: usize) -> String {
    format!("{steps} step{}", if steps == 1 { "" } else { "s" })
}

#[derive(Serialize)]
struct Verified {
    positions: u64,
    goals: u64,
    captures: u64,
    eliminations: u64,
    immobilisations: u64,
    defences: u64,
    lost: u64,
    difference: Option<String>,
}

fn run_verify(args: &Args, count: u64) -> Result<CommandStatus> {
    let mut boards = Vec::new();
    for file in &args.games {
        boards.extend(boards_of(file)?);
    }
    let mut last = Report::default();
    let mut shown = Instant::now();
    let bar = io::stderr().is_terminal();
    let result = verify(count, args.seed, &boards, |report| {
        last = *report;
        if bar && Duration::from_millis(200) < shown.elapsed() {
            shown = Instant::now();
            eprint!("\r{} of {count} positions", report.positions);
        }
    });
    if bar {
        eprint!("\r\x1b[K");
    }
    let difference = result.err().map(|difference| difference.to_string());
    let outcome = if difference.is_none() { CommandStatus::Success } else { CommandStatus::Failure };
    let Report { positions, goals, captures, eliminations, immobilisations, defences, lost } = last;
    if args.json {
        output::json(&Verified {
            positions,
            goals,
            captures,
            eliminations,
            immobilisations,
            defences,
            lost,
            difference,
        })?;
    } else {
        println!(
            "{positions} positions agree: {goals} goals, {captures} captures, {eliminations} eliminations, \
             {immobilisations} immobilisations, {defences} threatened goals of which {lost} can't be stopped"
        );
        if let Some(difference) = difference {
            println!("and then one differs:\n{difference}");
        }
    }
    Ok(outcome)
}

/// All boards of a file's games on which somebody is to move.
pub(super) fn boards_of(file: &str) -> Result<Vec<(Board, Side)>> {
    let text = input::read(file)?;
    let games = surus_record::parse_games(&text).with_context(|| name_of(file).to_string())?;
    let mut boards = Vec::new();
    for source in &games {
        // A game that stops being legal is left out: `surus replay` tells about those.
        let Ok(record) = Record::parse(&source.record) else { continue };
        let Ok(replay) = record.replay(source.rules, Handicap::None) else { continue };
        let entries = replay.game.entries();
        boards.extend(entries.iter().skip(1).map(|entry| (entry.board, entry.tag.side.other())));
    }
    if boards.is_empty() {
        bail!("{}: there is no legal game in it", name_of(file));
    }
    Ok(boards)
}
