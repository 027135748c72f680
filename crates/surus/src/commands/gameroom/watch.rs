//! `surus gameroom watch`

use std::time::Duration;

use anyhow::{Context, Result, bail};
use surus_gameroom::bot::HttpRequest;
use surus_gameroom::protocol::{Role, RoomRequest, Seat, Secret, TableRequest, TableState};
use surus_gameroom::record::PageGame;
use surus_rules::Side;

use super::account::{AccountArgs, Room};
use crate::CommandStatus;
use crate::shutdown::Shutdown;

/// Print the turns of a running game as they are played, or a finished game by its permanent id
///
/// Spectators see the turns some seconds later than the players, and no chat.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  surus gameroom watch 1234 --config bot.toml")]
pub(super) struct Args {
    /// Game
    #[arg(value_parser = super::lists::gid)]
    gid: String,
    #[command(flatten)]
    account: AccountArgs,
}

/// How long a poll may be held.
const WAIT: Duration = Duration::from_secs(60);

/// The pause between two polls.
const PAUSE: Duration = Duration::from_secs(2);

/// Failures in a row before watching ends.
const MAX_FAILURES: u32 = 5;

pub(super) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let room = args.account.account()?.log_in()?;
    let reserve = RoomRequest::Reserve { sid: room.sid.clone(), gid: args.gid.clone(), role: Role::Viewer };
    let seat = room.client.room(&room.url, &reserve, &[&room.sid]);
    let Some(seat) = seat.as_ref().ok().and_then(Seat::parse) else {
        if let Some(page) = finished(&room, &args.gid)? {
            print_page(&page);
            return Ok(CommandStatus::Success);
        }
        seat.with_context(|| format!("game {} can't be watched", args.gid))?;
        bail!("game {} can't be watched: the answer has no seat", args.gid);
    };
    watch(&room, &seat, shutdown)
}

fn watch(room: &Room, seat: &Seat, shutdown: &Shutdown) -> Result<CommandStatus> {
    let Room { client, url, sid } = room;
    let secrets = [sid, &seat.tid, &seat.grid];
    let sit = TableRequest::Sit { tid: seat.tid.clone(), grid: seat.grid.clone() };
    let answer = client.table(&seat.url, url, &sit, &secrets)?;
    let sid = Secret::new(answer.text("sid").context("sit: the answer has no session")?);
    let (mut printed, mut last_change, mut failures) = (0, String::new(), 0);
    while !shutdown.requested() {
        let wait = (!last_change.is_empty()).then_some(WAIT);
        let request = TableRequest::State { sid: sid.clone(), last_change: last_change.clone(), wait };
        let state = match client.table(&seat.url, url, &request, &[&sid]) {
            Ok(fields) if fields.is_empty() => continue,
            Ok(fields) => TableState::new(fields),
            Err(error) if failures >= MAX_FAILURES => return Err(error.into()),
            Err(error) => {
                failures += 1;
                eprintln!("surus: {error}");
                std::thread::sleep(PAUSE * failures);
                continue;
            }
        };
        failures = 0;
        if printed == 0 {
            let name = |side| TableState::printable(state.player(side).unwrap_or("?"));
            println!("{} against {}", name(Side::Gold), name(Side::Silver));
        }
        let lines: Vec<&str> =
            state.moves().lines().filter(|line| line.split_whitespace().count() > 1).collect();
        for line in lines.iter().skip(printed) {
            println!("{}", TableState::printable(line));
        }
        printed = lines.len().max(printed).max(1);
        if let Some(result) = state.result() {
            println!("{result}");
            return Ok(CommandStatus::Success);
        }
        last_change = state.last_change().to_owned();
        std::thread::sleep(PAUSE);
    }
    Ok(shutdown.outcome(false))
}

/// The page of a finished game, if there is one.
fn finished(room: &Room, id: &str) -> Result<Option<PageGame>> {
    let url = room.url.trim_end_matches('/');
    let request = HttpRequest {
        url: format!("{url}/opengamewin.cgi?gameid={id}"),
        form: None,
        referer: format!("{url}/"),
        timeout: Duration::from_secs(20),
        action: "page",
        poll: false,
    };
    let reply = room.client.send(&request)?;
    Ok(Some(reply).filter(|reply| reply.status == 200).and_then(|reply| PageGame::parse(&reply.body)))
}

fn print_page(page: &PageGame) {
    println!("{} against {}", page.players[0], page.players[1]);
    for line in page.moves.lines().filter(|line| line.split_whitespace().count() > 1) {
        println!("{}", TableState::printable(line));
    }
    if let Some(result) = page.result {
        println!("{result}");
    }
}
