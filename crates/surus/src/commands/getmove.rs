//! `surus getmove`

use std::io::{self, Write};
use std::time::Duration;

use anyhow::Result;
use surus_play::{Answer, Job, Limits, StopToken, TimeBudget, time_budget};
use surus_protocol::{load_game, parse_state_clock};
use surus_rules::{Phase, Rules};

use crate::{CommandStatus, engines, input};

/// Print one turn for a position (the older getMove interface)
///
/// The game record takes precedence over the position, because it contains the earlier positions that must not be
/// repeated; the first file may itself be a record. The state file gives the clock; without one the engine has 5 s.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus getmove position.txt
  surus getmove position.txt record.txt state.txt --engine alphabeta:threads=2")]
pub(crate) struct Args {
    /// File with the position
    position: String,
    /// File with the game record
    record: Option<String>,
    /// File with the game state, as key=value lines
    state: Option<String>,
    /// Engine: name[:key=value,…]; `surus engine` lists all
    #[arg(long, value_name = "NAME", default_value = engines::DEFAULT)]
    engine: String,
}

pub(crate) fn run(args: &Args) -> Result<CommandStatus> {
    let mut engine = engines::registry().make(&args.engine)?;
    let record =
        args.record.as_deref().map(|file| Ok::<_, anyhow::Error>((file, input::read(file)?))).transpose()?;
    // The record contains the position, so the position file need not be readable.
    let text = if record.is_some() { String::new() } else { input::read(&args.position)? };
    let record = record.as_ref().map(|(file, text)| (*file, text.as_str()));
    let game = load_game((&args.position, &text), record, Rules::Official)?;
    let state = args.state.as_deref().map(input::read).transpose()?;
    let setup = matches!(game.phase(), Phase::Setup(_));
    let time = state
        .as_deref()
        .and_then(parse_state_clock)
        .map(|clock| time_budget(&clock, game.side(), setup, Duration::ZERO, Duration::from_millis(500)));
    // Without any limit a search would not end.
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
