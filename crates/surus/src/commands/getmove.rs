//! `surus getmove`

use std::io::{self, Write};
use std::time::Duration;

use anyhow::Result;
use surus_play::{Answer, Job, Limits, StopToken, TimeBudget, time_budget};
use surus_protocol::{load_game, parse_state_clock};
use surus_rules::{Phase, Rules};

use crate::{CommandStatus, engines, input};

/// Print one turn for a position, as the old getMove interface asks for it
///
/// The record is preferred over the position, because it tells which positions would be repeated. The first file
/// may be a record itself. The game state tells how much time there is.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus getmove position.txt
  surus getmove position.txt record.txt state.txt --engine alphabeta:threads=2")]
pub(crate) struct Args {
    /// A file with the position
    position: String,
    /// A file with the game record
    record: Option<String>,
    /// A file with the state of the game: lines of key=value
    state: Option<String>,
    /// Who plays: name[:key=value,…]; `surus engine` lists all
    #[arg(long, value_name = "NAME", default_value = engines::DEFAULT)]
    engine: String,
}

pub(crate) fn run(args: &Args) -> Result<CommandStatus> {
    let mut engine = engines::registry().make(&args.engine)?;
    let record =
        args.record.as_deref().map(|file| Ok::<_, anyhow::Error>((file, input::read(file)?))).transpose()?;
    // With a record the position tells nothing more, so that it need not even be readable.
    let text = if record.is_some() { String::new() } else { input::read(&args.position)? };
    let record = record.as_ref().map(|(file, text)| (*file, text.as_str()));
    let game = load_game((&args.position, &text), record, Rules::Official)?;
    let state = args.state.as_deref().map(input::read).transpose()?;
    let setup = matches!(game.phase(), Phase::Setup(_));
    let time = state
        .as_deref()
        .and_then(parse_state_clock)
        .map(|clock| time_budget(&clock, game.side(), setup, Duration::ZERO, Duration::from_millis(500)));
    // Without a clock nobody has said how long, and a search has no end of its own.
    let time = time.or(Some(TimeBudget::fixed(Duration::from_secs(5))));
    let board = *game.position().board();
    let job =
        Job { stop: StopToken::after(time), ..Job::limited(game, Limits { time, ..Limits::default() }) };
    let line = match engine.think(&job, &mut |_| {})? {
        Answer::Turn(turn) => board.notation(&turn),
        Answer::Setup(setup) => setup.to_string(),
        Answer::Resign => "resigns".into(),
    };
    writeln!(io::stdout(), "{line}")?;
    Ok(CommandStatus::Success)
}
