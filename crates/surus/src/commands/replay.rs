//! `surus replay`

use std::io::{self, Write};

use anyhow::{Context, Result};
use serde::Serialize;
use surus_record::RawGame;
use surus_rules::{Replay, Rules};

use crate::input::{self, name_of};
use crate::{CommandStatus, output};

/// Replay the games of a file, check that they are legal, and print their results
///
/// A file contains game records separated by blank lines, a game tree (its main line is replayed), or rows of the official
/// archive, which are replayed under the rules of their time. Exits with 1 if a game is not legal.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus replay game.txt
  surus replay allgames2002.txt --json
  surus replay game.txt --diagram > position.txt
  surus replay old_game.txt --rules classic2004")]
pub(crate) struct Args {
    /// Files of games; - reads standard input
    #[arg(required = true)]
    files: Vec<String>,
    /// Rule set: official, classic2004 or classic2005 [default: from the file]
    #[arg(long)]
    rules: Option<Rules>,
    /// Print only the final position of each game, as a diagram
    #[arg(long, conflicts_with = "json")]
    diagram: bool,
    /// Print one JSON object per game
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ReplayResult<'a> {
    game: &'a str,
    line: usize,
    turns: usize,
    takebacks: usize,
    #[serde(rename = "final")]
    final_position: String,
    winner: Option<char>,
    termination: Option<char>,
    error: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<CommandStatus> {
    let mut outcome = CommandStatus::Success;
    for file in &args.files {
        let text = input::read(file)?;
        let games = surus_record::parse_games(&text).with_context(|| name_of(file).to_string())?;
        if games.is_empty() {
            anyhow::bail!("{}: no games found", name_of(file));
        }
        for source in &games {
            let (replay, error) = source.replay(args.rules.unwrap_or(source.rules));
            let error = error.map(|error| error.to_string());
            if error.is_some() {
                outcome = CommandStatus::Failure;
            }
            match (args.diagram, &error) {
                (true, None) => write!(io::stdout(), "{}", replay.game.diagram())?,
                _ => print(args.json, file, source, &replay, error)?,
            }
        }
    }
    Ok(outcome)
}

fn print(json: bool, file: &str, source: &RawGame, replay: &Replay, error: Option<String>) -> Result<()> {
    let game = &replay.game;
    let turns = game.entries().len();
    if json {
        return output::json(&ReplayResult {
            game: &source.name,
            line: source.line,
            turns,
            takebacks: replay.takebacks,
            final_position: game.position().to_string(),
            winner: game.result().and_then(|ending| ending.winner).map(surus_rules::Side::letter),
            termination: game.result().map(|result| result.reason.letter()),
            error,
        });
    }
    let mut out = io::stdout().lock();
    write!(out, "{}:{}: ", name_of(file), source.line)?;
    match (error, game.result()) {
        (Some(error), _) => writeln!(out, "game {}: {error}", source.name)?,
        (None, Some(ending)) => writeln!(out, "game {}: {turns} turns, {ending}", source.name)?,
        (None, None) => writeln!(out, "game {}: {turns} turns, not ended by rule", source.name)?,
    }
    Ok(())
}
