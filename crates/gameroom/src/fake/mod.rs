//! An imitation of the server, as unkind as the real one: it drops connections, forgets seats, answers `ok` and does nothing.
//!
//! [`FakeServer`] has no I/O and no clock of its own: tests run it in simulated time, [`serve`] behind real sockets. Its
//! faults and opponents depend on a seed only. What it knows of the real server is documented in docs/gameroom.md.

mod actions;
mod faults;
mod files;
mod http;
mod opponent;
mod room;
mod state;
mod table;

use std::collections::BTreeMap;
use std::time::Duration;

use surus_rules::{Side, SplitMix};

pub use faults::Faults;
pub use http::{RunningServer, ServeError, serve};
pub use opponent::{Habits, quick_answer};
use room::Session;
pub use table::PlayedMove;
use table::Table;

use crate::protocol::Fields;

/// Unix time at which the simulated time begins.
const EPOCH: u64 = 1_700_000_000;

/// The path of the room below the URL of the gameroom.
pub(crate) const ROOM: &str = "bot1gr.cgi";

/// Options of the server.
#[derive(Clone, Debug)]
pub struct FakeConfig {
    /// The URL under which clients reach it, without a slash at the end.
    pub url: String,
    /// Names and passwords.
    pub accounts: Vec<(String, String)>,
    /// Determines faults and opponents.
    pub seed: u64,
    /// Probabilities of faults.
    pub faults: Faults,
    /// Simulated opponents join open games; without them only clients play each other.
    pub opponents: Option<Habits>,
    /// Whether a refused turn loses the game at once, which is unknown of the real server.
    pub illegal_turn_loses: bool,
    /// Files for download, by name.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl FakeConfig {
    /// A server without faults and opponents.
    #[must_use]
    pub fn new(url: &str) -> Self {
        Self {
            url: url.into(),
            accounts: Vec::new(),
            seed: 1,
            faults: Faults::default(),
            opponents: None,
            illegal_turn_loses: false,
            files: BTreeMap::new(),
        }
    }
}

/// A request as it arrives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WireRequest<'a> {
    /// Path with query.
    pub path: &'a str,
    /// The header Referer.
    pub referer: Option<&'a str>,
    /// The header User-Agent.
    pub user_agent: Option<&'a str>,
    /// The header If-Modified-Since.
    pub if_modified_since: Option<&'a str>,
    /// The body of a post; `None` for other methods.
    pub form: Option<&'a str>,
}

/// An answer as it is sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WireReply {
    /// HTTP status.
    pub status: u16,
    /// The time of the last change, for downloads.
    pub last_modified: Option<&'static str>,
    /// The body.
    pub body: Vec<u8>,
}

impl WireReply {
    fn status(status: u16) -> Self {
        let body = if status == 200 { Vec::new() } else { format!("HTTP {status}\n").into_bytes() };
        Self { status, last_modified: None, body }
    }

    fn text(body: String) -> Self {
        Self { status: 200, last_modified: None, body: body.into_bytes() }
    }
}

/// Identifies a request that is answered later.
pub type HoldId = u64;

/// What the server does with a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Answers.
    Reply(WireReply),
    /// Answers later: [`FakeServer::advance`] returns the answer.
    Hold(HoldId),
    /// Closes the connection without an answer.
    Drop,
}

/// A poll without an answer yet.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Held {
    id: HoldId,
    gid: u64,
    sid: String,
    until: Duration,
    last_change: String,
}

/// A request as the server saw it, for assertions on rates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoggedRequest {
    /// When it arrived.
    pub at: Duration,
    /// The account, if a session was valid.
    pub user: Option<String>,
    /// Its action.
    pub action: String,
    /// Whether it may be held.
    pub poll: bool,
    /// The header User-Agent.
    pub user_agent: Option<String>,
}

/// The server.
#[derive(Debug)]
pub struct FakeServer {
    config: FakeConfig,
    now: Duration,
    rng: SplitMix,
    next_id: u64,
    sessions: BTreeMap<String, Session>,
    tables: BTreeMap<u64, Table>,
    finished: BTreeMap<u64, u64>,
    held: Vec<Held>,
    log: Vec<LoggedRequest>,
}

impl FakeServer {
    /// A server without games.
    #[must_use]
    pub fn new(config: FakeConfig) -> Self {
        let rng = SplitMix::new(config.seed);
        Self {
            config,
            now: Duration::ZERO,
            rng,
            next_id: 1000,
            sessions: BTreeMap::new(),
            tables: BTreeMap::new(),
            finished: BTreeMap::new(),
            held: Vec::new(),
            log: Vec::new(),
        }
    }

    /// Handles a request at a time that never goes back.
    pub fn handle(&mut self, now: Duration, request: &WireRequest<'_>) -> Outcome {
        self.now = self.now.max(now);
        self.run_events();
        let Some(path) = request.path.strip_prefix('/') else { return reply(404) };
        if let Some(name) = path.strip_prefix("arimaa/download/gameData/") {
            return Outcome::Reply(self.download(name, request.if_modified_since));
        }
        // The site answers 404 to requests that do not come from one of its pages.
        let gameroom = format!("{}/arimaa/gameroom/", self.config.url);
        let table = format!("{}/table/", self.config.url);
        let from_site = |page: &str| page.starts_with(&gameroom) || page.starts_with(&table);
        if !request.referer.is_some_and(from_site) {
            return reply(404);
        }
        if let Some(id) = path.strip_prefix("arimaa/gameroom/opengamewin.cgi?gameid=") {
            return Outcome::Reply(self.game_page(id));
        }
        let Some(form) = request.form else { return reply(404) };
        let fields: Fields = form_urlencoded::parse(form.as_bytes()).collect();
        let action = fields.get("action").or_else(|| fields.get("what")).unwrap_or_default().to_owned();
        let poll = action == "gamestate" && fields.flag("wait") == Some(true);
        let user = fields.get("sid").and_then(|sid| self.user_of(sid)).map(ToOwned::to_owned);
        let user = user.or_else(|| fields.get("username").map(ToOwned::to_owned));
        let user_agent = request.user_agent.map(ToOwned::to_owned);
        self.log.push(LoggedRequest { at: self.now, user, action, poll, user_agent });
        self.handle_form(path, &fields)
    }

    fn handle_form(&mut self, path: &str, fields: &Fields) -> Outcome {
        let fault = self.config.faults.clone().draw(&mut self.rng);
        if let Some(outcome) = fault.before() {
            return outcome;
        }
        let outcome = match path {
            "table/game.cgi" => self.table_request(fields, fault),
            path if path.strip_prefix("arimaa/gameroom/") == Some(ROOM) => {
                Outcome::Reply(self.room_request(fields, fault))
            }
            _ => reply(404),
        };
        if fault.loses_answer() { Outcome::Drop } else { outcome }
    }

    /// Lets time pass: opponents act, flags fall, polls are answered.
    pub fn advance(&mut self, now: Duration) -> Vec<(HoldId, WireReply)> {
        self.now = self.now.max(now);
        self.run_events();
        let held = std::mem::take(&mut self.held);
        let mut answers = Vec::new();
        for poll in held {
            let changed = self.tables.get(&poll.gid).is_none_or(|table| {
                table.change.to_string() != poll.last_change || table.seat_of(&poll.sid).is_none()
            });
            if changed || poll.until <= self.now {
                let empty = self.chance(self.config.faults.empty_poll);
                let garbled = self.chance(self.config.faults.garbled_state);
                let body = match (empty, garbled) {
                    (true, _) => String::new(),
                    (false, true) => self.garbled_state(poll.gid, &poll.sid),
                    (false, false) => self.state_text(poll.gid, &poll.sid),
                };
                answers.push((poll.id, WireReply::text(body)));
            } else {
                self.held.push(poll);
            }
        }
        answers
    }

    /// When [`FakeServer::advance`] has something to do next.
    #[must_use]
    pub fn next_event(&self) -> Option<Duration> {
        let polls = self.held.iter().map(|poll| poll.until);
        let tables = self.tables.values().filter_map(|table| self.next_table_event(table));
        polls.chain(tables).min().map(|at| at.max(self.now))
    }

    fn run_events(&mut self) {
        for gid in self.tables.keys().copied().collect::<Vec<_>>() {
            self.run_table(gid);
        }
    }

    /// Every request so far.
    #[must_use]
    pub fn log(&self) -> &[LoggedRequest] {
        &self.log
    }

    /// The result of a game by its running id, in the letters of the server.
    #[must_use]
    pub fn result(&self, gid: &str) -> Option<String> {
        self.tables.get(&gid.parse().ok()?)?.result.map(|result| result.code())
    }

    /// The ids of all games, running and finished.
    #[must_use]
    pub fn games(&self) -> Vec<String> {
        self.tables.keys().map(ToString::to_string).collect()
    }

    /// The moves of a game, one per line.
    #[must_use]
    pub fn moves(&self, gid: &str) -> Option<String> {
        Some(self.tables.get(&gid.parse().ok()?)?.moves())
    }

    /// Every turn that a client sent for a game, with what became of it.
    #[must_use]
    pub fn move_requests(&self, gid: &str) -> &[PlayedMove] {
        let table = gid.parse().ok().and_then(|gid: u64| self.tables.get(&gid));
        table.map_or(&[], |table| &table.requests)
    }

    /// The side of a player in a game.
    #[must_use]
    pub fn side_of(&self, gid: &str, player: &str) -> Option<Side> {
        let table = self.tables.get(&gid.parse().ok()?)?;
        Side::BOTH.into_iter().find(|&side| table.seats[side as usize].player == player)
    }

    /// Unix time in whole seconds.
    fn unix(&self) -> u64 {
        EPOCH + self.now.as_secs()
    }

    fn chance(&mut self, probability: f64) -> bool {
        faults::chance(&mut self.rng, probability)
    }

    /// A random number below `limit`.
    fn below(&mut self, limit: u64) -> u64 {
        self.rng.next_u64() % limit.max(1)
    }

    /// An id that cannot be guessed from others; `kind` makes it recognisable in leaks.
    fn secret(&mut self, kind: &str) -> String {
        format!("{kind}{:016x}", self.rng.next_u64())
    }
}

fn reply(status: u16) -> Outcome {
    Outcome::Reply(WireReply::status(status))
}

/// The text of an answer, with the end mark.
fn answer(fields: &Fields) -> WireReply {
    WireReply::text(format!("{fields}--END--\n"))
}

fn error(text: &str) -> WireReply {
    answer(&[("error", text)].into_iter().collect())
}
