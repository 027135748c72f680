//! The bot: a state machine without I/O and clock.
//!
//! [`Bot::handle`] takes an event, [`Bot::tick`] lets it decide, [`Bot::commands`] are to be carried out, and
//! [`Bot::next_wakeup`] says when to call `tick` again. [`Time`](std::time::Duration) counts from any moment that stays the
//! same. The runner does this with sockets and threads, the tests in simulated time.

mod backoff;
mod io;
mod journal;
mod lobby;
mod replies;
mod settings;
mod table;
mod turn;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use backoff::RateLimit;
use lobby::Lobby;
use table::{Leaving, Outgoing, Stage, TableBot, Want, Wish};
use turn::SearchState;

pub use io::{Command, Event, FinishedGame, HttpError, HttpReply, HttpRequest, Level, RequestId, Search};
pub use journal::{BotJournal, GameNotes, JournalRow};
pub use settings::{BotSettings, OpenGames, RefusalPolicy, TakebackPolicy};

use crate::protocol::TurnDue;

/// After a request to end, tables are left for at most this long.
const SHUTDOWN_LIMIT: Duration = Duration::from_secs(15);

/// Who sent a request.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Sender {
    Lobby,
    Table(String),
}

/// A request without an answer yet.
#[derive(Clone, Debug)]
struct InFlight {
    sender: Sender,
    request: Outgoing,
    sent: Duration,
}

/// The bot of one account.
#[derive(Debug)]
pub struct Bot {
    settings: BotSettings,
    journal: BotJournal,
    now: Duration,
    lobby: Lobby,
    tables: BTreeMap<String, TableBot>,
    in_flight: BTreeMap<RequestId, InFlight>,
    next_id: u64,
    rate: RateLimit,
    /// An earlier process may have sent a request just before its end.
    restarted: bool,
    commands: VecDeque<Command>,
    shutdown: Option<Duration>,
    fatal: Option<String>,
}

impl Bot {
    /// A bot that has not logged in.
    #[must_use]
    pub fn new(settings: BotSettings, journal: BotJournal) -> Self {
        let lobby = Lobby::new(&settings);
        let restarted = !journal.rows().is_empty();
        Self {
            settings,
            journal,
            now: Duration::ZERO,
            lobby,
            tables: BTreeMap::new(),
            in_flight: BTreeMap::new(),
            next_id: 1,
            rate: RateLimit::default(),
            restarted,
            commands: VecDeque::new(),
            shutdown: None,
            fatal: None,
        }
    }

    /// The journal, with everything that was done.
    #[must_use]
    pub const fn journal(&self) -> &BotJournal {
        &self.journal
    }

    /// Why the bot gave up, if it did.
    #[must_use]
    pub fn fatal(&self) -> Option<&str> {
        self.fatal.as_deref()
    }

    /// Whether there is nothing more to do.
    #[must_use]
    pub fn is_done(&self) -> bool {
        if self.fatal.is_some() {
            return true;
        }
        match self.shutdown {
            Some(limit) => self.tables.is_empty() || self.now >= limit,
            None => self.tables.is_empty() && self.lobby.is_done(&self.settings),
        }
    }

    /// The commands to carry out.
    pub fn commands(&mut self) -> Vec<Command> {
        self.commands.drain(..).collect()
    }

    /// Takes notice of an event.
    pub fn handle(&mut self, now: Duration, event: Event) {
        self.now = self.now.max(now);
        match event {
            Event::Reply { id, result } => {
                if let Some(request) = self.in_flight.remove(&id) {
                    self.on_reply(&request, result);
                }
            }
            Event::Answer { gid, id, result, score } => self.on_answer(&gid, id, result, score),
            Event::Stored { gid, value } => self.write(JournalRow::Finished { gid, value }),
            Event::Shutdown => self.begin_shutdown(),
        }
    }

    /// Sends and searches whatever is due.
    pub fn tick(&mut self, now: Duration) {
        self.now = self.now.max(now);
        if self.fatal.is_some() {
            return;
        }
        if std::mem::take(&mut self.restarted) {
            self.rate.sent(self.now);
        }
        self.remove_finished();
        self.start_searches();
        while let Want::Now(wish) = self.next_want().1 {
            let sender = self.next_want().0;
            if !wish.request.is_poll() && self.rate.next() > self.now {
                break;
            }
            self.send(sender, *wish);
        }
    }

    /// When [`Bot::tick`] has something to do, if not after an event.
    #[must_use]
    pub fn next_wakeup(&self) -> Option<Duration> {
        if self.fatal.is_some() {
            return None;
        }
        let wants = self.wants().filter_map(|(_, want)| match want {
            Want::Nothing => None,
            Want::At(at) => Some(at),
            Want::Now(wish) if wish.request.is_poll() => Some(self.now),
            Want::Now(_) => Some(self.rate.next()),
        });
        let searches =
            self.tables.values().filter(|table| self.wants_search(table)).map(|table| table.turn.not_before);
        wants.chain(searches.filter(|at| *at > self.now)).chain(self.shutdown).min()
    }

    fn wants(&self) -> impl Iterator<Item = (Sender, Want)> {
        let room = self.lobby.sid();
        let tables = self.tables.iter().map(move |(gid, table)| {
            (Sender::Table(gid.clone()), table.want(self.now, room, &self.settings))
        });
        let started = self.tables.len();
        let lobby = self.lobby.want(self.now, &self.settings, started, self.shutdown.is_some());
        std::iter::once((Sender::Lobby, lobby)).chain(tables)
    }

    /// The most urgent request. While the rate limit holds, only polls may be sent.
    fn next_want(&self) -> (Sender, Want) {
        let limited = self.rate.next() > self.now;
        let possible = self.wants().filter_map(|(sender, want)| match want {
            Want::Now(wish) if !limited || wish.request.is_poll() => Some((sender, wish)),
            _ => None,
        });
        possible
            .min_by_key(|(_, wish)| wish.urgency)
            .map_or((Sender::Lobby, Want::Nothing), |(sender, wish)| (sender, Want::Now(wish)))
    }

    fn send(&mut self, sender: Sender, wish: Wish) {
        let Wish { request, timeout, .. } = wish;
        let poll = request.is_poll();
        if let Sender::Table(gid) = &sender {
            self.before_sending(&gid.clone(), &request);
        } else {
            self.lobby.sending(&request, self.now);
        }
        if !poll {
            self.rate.sent(self.now);
        }
        let id = self.next_id;
        self.next_id += 1;
        let action = request.name();
        let http = self.http_request(&request, timeout, poll);
        self.log(Level::Debug, format!("request {id}: {action}"));
        self.in_flight.insert(id, InFlight { sender, request, sent: self.now });
        self.commands.push_back(Command::Send(id, http));
    }

    fn http_request(&self, request: &Outgoing, timeout: Duration, poll: bool) -> HttpRequest {
        let room = format!("{}/{}", self.settings.url, crate::fake::ROOM);
        let encode = |form: Vec<(&'static str, String)>| {
            form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish()
        };
        let action = request.name();
        let (url, form) = match request {
            Outgoing::Room(request) => (room.clone(), Some(encode(request.form()))),
            Outgoing::Table { url, request } => (url.clone(), Some(encode(request.form()))),
            Outgoing::Page { id } => (format!("{}/opengamewin.cgi?gameid={id}", self.settings.url), None),
        };
        HttpRequest { url, form, referer: room, timeout, action, poll }
    }

    /// Notes what a request is about to do.
    fn before_sending(&mut self, gid: &str, request: &Outgoing) {
        use crate::protocol::TableRequest as T;
        let Some(table) = self.tables.get_mut(gid) else { return };
        let Outgoing::Table { request, .. } = request else {
            table.acting = true;
            return;
        };
        match request {
            T::State { wait: Some(_), .. } => {
                table.polling = true;
                return;
            }
            T::State { .. } => table.fresh_at = None,
            T::Move { turn, .. } => {
                table.turn.sent(self.now, table.deadline);
                let row = JournalRow::Sending { gid: gid.into(), ply: table.ply, turn: turn.clone() };
                self.write(row);
            }
            T::Leave { .. } if table.stage == Stage::Play => {
                table.leaving = Leaving::Unfinished("the opponent did not come".into());
                table.stage = Stage::Leave;
            }
            _ => {}
        }
        if let Some(table) = self.tables.get_mut(gid) {
            table.acting = true;
        }
    }

    /// Writes to the journal. The state, not the journal, keeps turns from being played twice, so the game goes on without it.
    fn write(&mut self, row: JournalRow) {
        if let Err(error) = self.journal.append(row) {
            self.log(Level::Error, format!("the journal cannot be written: {error}"));
        }
    }

    fn log(&mut self, level: Level, text: String) {
        self.commands.push_back(Command::Log(level, text));
    }

    fn log_table(&mut self, gid: &str, level: Level, text: &str) {
        self.log(level, format!("game {gid}: {text}"));
    }

    fn wants_search(&self, table: &TableBot) -> bool {
        table.own_turn()
            && table.turn.search == SearchState::None
            && table.turn.pending.is_none()
            && !table.turn.resign
            && table.fresh_at.is_none()
            && self.shutdown.is_none()
    }

    /// Starts searches, those with the least time first, and ponders where nothing else is to do.
    fn start_searches(&mut self) {
        let running =
            self.tables.values().filter(|table| matches!(table.turn.search, SearchState::Thinking { .. }));
        let mut free = self.settings.max_searches.saturating_sub(running.count());
        let mut waiting: Vec<(Option<Duration>, String)> = self
            .tables
            .values()
            .filter(|table| self.wants_search(table) && table.turn.not_before <= self.now)
            .map(|table| (table.deadline, table.gid.clone()))
            .collect();
        // Correspondence games, which have no deadline here, come last.
        waiting.sort_by_key(|(deadline, _)| deadline.unwrap_or(Duration::MAX));
        let slots = self.settings.max_searches.max(1);
        let share = u32::try_from(waiting.len().div_ceil(slots)).unwrap_or(u32::MAX);
        for (_, gid) in waiting {
            if free == 0 {
                break;
            }
            free -= usize::from(self.start_search(&gid, share));
        }
    }

    fn start_search(&mut self, gid: &str, share: u32) -> bool {
        let now = self.now;
        let Some(table) = self.tables.get_mut(gid) else { return false };
        if table.turn.resume(table.ply, now) {
            // The state of now does not count: the request of the earlier process may still be under way.
            table.fresh_at = table.turn.resend(table.ply, Duration::ZERO, now);
            self.log_table(
                gid,
                Level::Info,
                "a turn was on its way when the bot was interrupted; waiting for it",
            );
            return false;
        }
        let Some(game) = table.game.clone() else { return false };
        let id = self.next_id;
        self.next_id += 1;
        let setup = game.tag().number == 1;
        let left =
            table.deadline.map_or(self.settings.max_turn_time * 2, |deadline| deadline.saturating_sub(now));
        let budget = match &table.clock {
            Some(clock) if table.deadline.is_some() => {
                turn::budget(clock, table.side, setup, left, share, &self.settings)
            }
            _ => surus_play::TimeBudget::fixed(self.settings.max_turn_time),
        };
        let texts: Vec<&str> = table
            .turn
            .refused
            .iter()
            .filter(|(ply, _)| *ply == table.ply)
            .map(|(_, text)| text.as_str())
            .collect();
        let (refused_turns, refused_setups) = turn::refused(&game, &texts);
        table.turn.search = SearchState::Thinking { id, ply: table.ply };
        let search = Search {
            gid: gid.into(),
            id,
            game,
            budget: Some(budget),
            clock: table.clock.filter(|_| table.deadline.is_some()).map(|clock| clock.clock),
            refused_turns,
            refused_setups,
            fallback: table.turn.engine_failures >= 2,
        };
        self.commands.push_back(Command::Think(Box::new(search)));
        true
    }

    /// Searches during the opponent's turn.
    fn ponder(&mut self, gid: &str) {
        let enabled = self.settings.ponder && self.shutdown.is_none();
        let id = self.next_id;
        let Some(table) = self.tables.get_mut(gid).filter(|_| enabled) else { return };
        let playing = table.due() == Some(TurnDue::Opponent) && table.ply >= 2;
        let Some(game) = table.game.clone().filter(|_| playing && table.turn.search == SearchState::None)
        else {
            return;
        };
        self.next_id += 1;
        table.turn.search = SearchState::Pondering { ply: table.ply };
        let search = Search {
            gid: gid.into(),
            id,
            game,
            budget: None,
            clock: None,
            refused_turns: Vec::new(),
            refused_setups: Vec::new(),
            fallback: false,
        };
        self.commands.push_back(Command::Think(Box::new(search)));
    }

    /// Stops a search for another position than the present one.
    fn stop_outdated_search(&mut self, gid: &str) {
        let Some(table) = self.tables.get_mut(gid) else { return };
        let outdated = match table.turn.search {
            SearchState::None => false,
            SearchState::Thinking { ply, .. } => ply != table.ply || !table.own_turn(),
            SearchState::Pondering { ply } => ply != table.ply || table.due() != Some(TurnDue::Opponent),
        };
        if outdated {
            table.turn.search = SearchState::None;
            self.commands.push_back(Command::Stop(gid.into()));
        }
    }

    fn on_answer(
        &mut self,
        gid: &str,
        id: u64,
        result: Result<surus_play::Answer, String>,
        score: Option<surus_rules::Score>,
    ) {
        let (now, settings) = (self.now, &self.settings);
        let Some(table) = self.tables.get_mut(gid) else { return };
        if !matches!(table.turn.search, SearchState::Thinking { id: searched, .. } if searched == id) {
            return;
        }
        table.turn.search = SearchState::None;
        let Some(game) = table.game.clone() else { return };
        let answer = match result {
            Ok(surus_play::Answer::Resign) => {
                table.turn.resign = true;
                self.log_table(gid, Level::Info, "the engine resigns");
                return;
            }
            Ok(answer) => turn::notation(&game, &answer),
            Err(error) => Err(error),
        };
        match answer {
            Ok(text) => {
                table.turn.engine_failures = 0;
                if table.turn.resigns(settings.resign, score) {
                    table.turn.resign = true;
                    self.log_table(gid, Level::Info, "resigning");
                    return;
                }
                table.turn.propose(table.ply, text, now, table.polite_time(settings, now));
            }
            Err(error) => {
                table.turn.engine_failures += 1;
                table.turn.not_before = now + Duration::from_millis(200);
                self.log_table(gid, Level::Warning, &format!("the engine failed: {error}"));
            }
        }
    }

    fn begin_shutdown(&mut self) {
        if self.shutdown.is_some() {
            return;
        }
        self.shutdown = Some(self.now + SHUTDOWN_LIMIT);
        for gid in self.tables.keys().cloned().collect::<Vec<_>>() {
            self.commands.push_back(Command::Stop(gid.clone()));
            let Some(table) = self.tables.get_mut(&gid) else { continue };
            let alone = table.due() == Some(TurnDue::NoOpponent);
            match &table.stage {
                Stage::FindId { .. } | Stage::Page { .. } | Stage::Leave | Stage::Cancel => continue,
                Stage::Play if alone => table.stage = Stage::Cancel,
                Stage::Play => table.stage = Stage::Leave,
                _ => table.stage = Stage::Done,
            }
            table.acting = false;
            table.backoff.reset();
            table.leaving = Leaving::Unfinished("the bot was stopped".into());
        }
    }

    /// Forgets tables that are done.
    fn remove_finished(&mut self) {
        let done: Vec<String> = self
            .tables
            .values()
            .filter(|table| table.stage == Stage::Done)
            .map(|table| table.gid.clone())
            .collect();
        for gid in done {
            let Some(table) = self.tables.remove(&gid) else { continue };
            self.commands.push_back(Command::Release(gid.clone(), table.game.clone().map(Box::new)));
            match table.leaving.clone() {
                Leaving::Unfinished(reason) => {
                    self.log_table(&gid, Level::Warning, &format!("left without a result: {reason}"));
                    self.lobby.left_unfinished(&gid, self.now);
                }
                Leaving::Postal => {
                    self.log_table(&gid, Level::Info, "left until the opponent has played");
                    self.lobby.expects_postal(true);
                }
                Leaving::Finished => self.conclude(&table),
            }
        }
    }

    /// Records a finished game.
    fn conclude(&mut self, table: &TableBot) {
        let from_site = table.page.is_some();
        let seen = || table.state.as_ref().map(crate::record::PageGame::from_state).unwrap_or_default();
        let game = table.page.clone().unwrap_or_else(seen);
        let result = table.result.or(game.result);
        let id = table.permanent_id.clone();
        let text = result.map_or_else(|| "result unknown".into(), |result| result.to_string());
        let known =
            id.as_ref().map_or_else(|| "permanent id unknown".into(), |id| format!("permanent id {id}"));
        self.log_table(&table.gid, Level::Info, &format!("over: {text}, {known}"));
        // If it cannot be stored, it is fetched again later.
        self.lobby.left_unfinished(&table.gid, self.now);
        self.commands.push_back(Command::Finished(Box::new(FinishedGame {
            gid: table.gid.clone(),
            permanent_id: id,
            side: table.side,
            result,
            game,
            from_site,
        })));
    }
}
