//! `surus gameroom status`, `games` and `cancel`

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde::Serialize;
use surus_gameroom::protocol::{GameEntry, RoomRequest, game_entries};
use surus_record::ArchiveHeader;
use surus_record::journal::for_each_line;

use super::account::{AccountArgs, Room};
use crate::{CommandStatus, output};

/// The id of a running game.
pub(super) fn gid(text: &str) -> Result<String, crate::input::ValueError> {
    let valid = !text.is_empty() && text.len() <= 20 && text.bytes().all(|byte| byte.is_ascii_digit());
    if valid { Ok(text.into()) } else { Err(crate::input::ValueError("the number of a game")) }
}

/// Show the running games of the account and the results of the bot
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus gameroom status --config bot.toml
  surus gameroom status --config bot.toml --json")]
pub(super) struct StatusArgs {
    #[command(flatten)]
    account: AccountArgs,
    /// Directory of the bot
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// List the games of the account and the open games of others
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus gameroom games --config bot.toml
  surus gameroom games --config bot.toml --json")]
pub(super) struct GamesArgs {
    #[command(flatten)]
    account: AccountArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Cancel an open game of the account that has no opponent yet
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  surus gameroom cancel 1234 --config bot.toml")]
pub(super) struct CancelArgs {
    /// Game
    #[arg(value_parser = gid)]
    gid: String,
    #[command(flatten)]
    account: AccountArgs,
}

#[derive(Serialize)]
struct Listed {
    gid: String,
    side: &'static str,
    opponent: String,
    timecontrol: String,
    postal: bool,
    rated: Option<bool>,
    to_move: Option<bool>,
}

impl From<GameEntry> for Listed {
    fn from(entry: GameEntry) -> Self {
        Self {
            gid: entry.gid,
            side: entry
                .side
                .map_or("", |side| if side == surus_rules::Side::Gold { "gold" } else { "silver" }),
            opponent: entry.player,
            timecontrol: entry.time_control,
            postal: entry.postal,
            rated: entry.rated,
            to_move: entry.turn.map(|turn| Some(turn) == entry.side),
        }
    }
}

impl Listed {
    fn print(&self) {
        let opponent = if self.opponent.is_empty() { "(none yet)" } else { &self.opponent };
        let notes = [
            self.postal.then_some("postal"),
            self.rated.map(|rated| if rated { "rated" } else { "unrated" }),
            self.to_move.filter(|to_move| *to_move).map(|_| "to move"),
        ];
        let notes: Vec<&str> = notes.into_iter().flatten().collect();
        println!(
            "{:>8}  {:<6}  {opponent:<20}  {:<18}  {}",
            self.gid,
            self.side,
            self.timecontrol,
            notes.join(", ")
        );
    }
}

fn list(room: &Room, request: &RoomRequest) -> Result<Vec<Listed>> {
    let answer = room.client.room(&room.url, request, &[&room.sid])?;
    Ok(game_entries(&answer).into_iter().map(Into::into).collect())
}

/// Won, lost and other games.
#[derive(Serialize, Default)]
struct Results {
    won: u32,
    lost: u32,
    other: u32,
}

pub(super) fn run_status(args: &StatusArgs) -> Result<CommandStatus> {
    #[derive(Serialize)]
    struct Status {
        username: String,
        directory: PathBuf,
        results: Results,
        running: Vec<Listed>,
    }

    let account = args.account.account()?;
    let directory = account.directory(args.dir.as_deref())?;
    let results = results(&directory.join("games.txt"), &account.username)?;
    let room = account.log_in()?;
    let running = list(&room, &RoomRequest::MyGames { sid: room.sid.clone() })?;
    let status = Status { username: account.username, directory, results, running };
    if args.json {
        output::json(&status)?;
        return Ok(CommandStatus::Success);
    }
    let Results { won, lost, other } = status.results;
    println!("{}: {won} won, {lost} lost, {other} others in {}", status.username, status.directory.display());
    println!("{} running games", status.running.len());
    status.running.iter().for_each(Listed::print);
    Ok(CommandStatus::Success)
}

/// Counts the finished games of a bot.
fn results(file: &std::path::Path, username: &str) -> Result<Results> {
    let mut results = Results::default();
    if !file.exists() {
        return Ok(results);
    }
    let header = [&surus_record::COLUMNS[..], &["crc32"]].concat().join("\t");
    let columns = ArchiveHeader::parse(&surus_record::header())?;
    for_each_line(file, &header, |text| {
        let row = columns.parse_row(text, 0).map_err(|error| error.to_string())?;
        let side = if row.get("gusername") == username {
            surus_rules::Side::Gold
        } else {
            surus_rules::Side::Silver
        };
        match row.winner() {
            Some(winner) if winner == side => results.won += 1,
            Some(_) => results.lost += 1,
            None => results.other += 1,
        }
        Ok(())
    })?;
    Ok(results)
}

pub(super) fn run_games(args: &GamesArgs) -> Result<CommandStatus> {
    #[derive(Serialize)]
    struct Games {
        mine: Vec<Listed>,
        open: Vec<Listed>,
    }

    let room = args.account.account()?.log_in()?;
    let sid = || room.sid.clone();
    let mine = list(&room, &RoomRequest::MyGames { sid: sid() })?;
    // The server should not get two requests within a second.
    std::thread::sleep(std::time::Duration::from_secs(1));
    let open = list(&room, &RoomRequest::OpenGames { sid: sid() })?;
    let games = Games { mine, open };
    if args.json {
        output::json(&games)?;
        return Ok(CommandStatus::Success);
    }
    println!("Games of this account: {}", games.mine.len());
    games.mine.iter().for_each(Listed::print);
    println!("Open games of others: {}", games.open.len());
    games.open.iter().for_each(Listed::print);
    Ok(CommandStatus::Success)
}

pub(super) fn run_cancel(args: &CancelArgs) -> Result<CommandStatus> {
    let room = args.account.account()?.log_in()?;
    let request = RoomRequest::Cancel { sid: room.sid.clone(), gid: args.gid.clone() };
    let answer = room.client.room(&room.url, &request, &[&room.sid]);
    let answer = answer.with_context(|| format!("game {} was not cancelled", args.gid))?;
    if answer.flag("ok") != Some(true) {
        bail!("game {} was not cancelled: the answer is not ok", args.gid);
    }
    println!("game {} is cancelled", args.gid);
    Ok(CommandStatus::Success)
}
