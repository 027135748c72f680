//! Answers of the server.

use std::time::Duration;

use surus_rules::Side;

use super::io::{HttpError, HttpReply};
use super::settings::RefusalPolicy;
use super::table::{Leaving, Outgoing, Stage, TableBot};
use super::turn::CONFIRM;
use super::{Bot, Command, InFlight, JournalRow, Level, Sender};
use crate::protocol::{
    Failure, Fields, GameEntry, RoomRequest, Seat, Secret, TableRequest, TableState, TurnDue, check,
    game_entries,
};
use crate::record::PageGame;

/// Failed reservations in a row before the game counts as lost.
const MAX_RESERVATIONS: u32 = 6;

/// An answer that cannot be used.
enum Trouble {
    /// Worth another try.
    Transport(String),
    Server(Failure),
}

impl Bot {
    pub(super) fn on_reply(&mut self, request: &InFlight, result: Result<HttpReply, HttpError>) {
        if let (Outgoing::Page { .. }, Sender::Table(gid)) = (&request.request, &request.sender) {
            let page = result.ok().filter(|reply| reply.status == 200);
            return self.on_page(&gid.clone(), page.and_then(|reply| PageGame::parse(&reply.body)));
        }
        let answer = self.read(result, request.request.is_poll());
        if let Err(Trouble::Server(Failure::SessionExpired)) = &answer {
            self.lobby.log_out();
        }
        match &request.sender {
            Sender::Lobby => self.on_lobby_reply(request, answer),
            Sender::Table(gid) => self.on_table_reply(&gid.clone(), request, answer),
        }
    }

    /// The fields of an answer. An empty one is a failure, except for a poll.
    fn read(&self, result: Result<HttpReply, HttpError>, poll: bool) -> Result<Fields, Trouble> {
        let reply = result.map_err(|error| Trouble::Transport(error.to_string()))?;
        if reply.status != 200 {
            return Err(Trouble::Transport(format!("HTTP status {}", reply.status)));
        }
        let fields = Fields::parse(&reply.body);
        if fields.is_empty() && !poll {
            return Err(Trouble::Transport("an empty answer".into()));
        }
        let room = self.lobby.sid().cloned().unwrap_or_default();
        let mut secrets = vec![&self.settings.password, &room];
        secrets.extend(self.tables.values().flat_map(|table| [&table.sid, &table.auth]));
        check(fields, &secrets).map_err(Trouble::Server)
    }

    fn on_lobby_reply(&mut self, request: &InFlight, answer: Result<Fields, Trouble>) {
        let now = self.now;
        self.lobby.answered();
        let Outgoing::Room(room) = &request.request else { return };
        match (answer, room) {
            (Ok(fields), RoomRequest::Login { .. }) if fields.text("sid").is_some() => {
                self.lobby.backoff.reset();
                self.lobby.log_in(Secret::new(fields.text("sid").unwrap_or_default()));
                self.log(Level::Info, format!("logged in as {}", self.settings.username));
            }
            (Ok(fields), RoomRequest::MyGames { .. }) => {
                self.lobby.backoff.reset();
                self.on_my_games(&game_entries(&fields));
            }
            (Ok(fields), RoomRequest::OpenGames { .. }) => {
                self.lobby.backoff.reset();
                self.on_open_games(&game_entries(&fields));
            }
            (Ok(fields), RoomRequest::NewGame { side, .. }) => {
                self.lobby.opening();
                match game_entries(&fields).first() {
                    Some(entry) => {
                        self.log_table(&entry.gid, Level::Info, "opened, waiting for an opponent");
                        self.take_seat(entry.gid.clone(), entry.side.unwrap_or(*side));
                        self.lobby.listed(now, true);
                    }
                    None => self.lobby.listed(now, false),
                }
            }
            (Ok(_), _) => self.lobby.backoff.fail(now),
            (Err(Trouble::Server(Failure::Other(text))), RoomRequest::Login { .. }) => {
                self.fatal = Some(format!("the gameroom refused the login: {text}"));
            }
            (Err(Trouble::Server(Failure::SessionExpired)), _) => {
                self.log(Level::Warning, "the session has expired, logging in again".into());
            }
            (Err(Trouble::Server(failure)), RoomRequest::NewGame { .. }) => {
                self.log(Level::Error, format!("the game was not opened: {failure}"));
                self.lobby.backoff.fail(now);
                self.lobby.listed(now, true);
            }
            (Err(trouble), request) => {
                if matches!(request, RoomRequest::NewGame { .. }) {
                    // It may have been opened: the next list shows it.
                    self.lobby.maybe_opened();
                }
                self.warn(request.name(), &trouble);
                self.lobby.backoff.fail(now);
            }
        }
    }

    fn warn(&mut self, action: &str, trouble: &Trouble) {
        let text = match trouble {
            Trouble::Transport(text) => text.clone(),
            Trouble::Server(failure) => failure.to_string(),
        };
        self.log(Level::Warning, format!("{action} failed: {text}"));
    }

    fn on_my_games(&mut self, entries: &[GameEntry]) {
        let now = self.now;
        for entry in entries {
            let Some(side) = entry.side else { continue };
            let given = self.lobby.is_given(&entry.gid);
            let known = self.tables.contains_key(&entry.gid);
            // A correspondence game needs a seat only when the bot is to move.
            let due = !entry.postal || entry.turn == Some(side);
            if known || !due || !(given || self.settings.resume) || !self.lobby.may_return(&entry.gid, now) {
                continue;
            }
            if self.tables.len() >= self.settings.max_games {
                continue;
            }
            self.lobby.taken(&entry.gid);
            if self.journal.game(&entry.gid).side.is_none() {
                self.lobby.found_new();
            }
            let opponent = if entry.player.is_empty() { "an opponent" } else { entry.player.as_str() };
            self.log_table(&entry.gid, Level::Info, &format!("taken up as {side} against {opponent}"));
            self.take_seat(entry.gid.clone(), side);
        }
        self.lobby.expects_postal(entries.iter().any(|entry| entry.postal && entry.turn != entry.side));
        // Games of an earlier process that are not listed any more are over.
        let listed = |gid: &str| entries.iter().any(|entry| entry.gid == gid);
        let gone: Vec<(String, Side)> = self
            .journal
            .unfinished()
            .filter(|(gid, _)| {
                !listed(gid) && !self.tables.contains_key(*gid) && self.lobby.may_return(gid, now)
            })
            .filter_map(|(gid, notes)| Some((gid.to_owned(), notes.side?)))
            .collect();
        for (gid, side) in gone {
            self.log_table(&gid, Level::Info, "is not listed any more, looking for its record");
            let mut table = self.new_table(&gid, side);
            table.stage = Stage::Lost;
            // Nothing is known of a seat that was never taken.
            table.lost_seats = 1;
            self.tables.insert(gid, table);
        }
        self.lobby.listed(now, true);
    }

    fn on_open_games(&mut self, entries: &[GameEntry]) {
        let given: Vec<(String, Side)> = entries
            .iter()
            .filter(|entry| self.lobby.is_given(&entry.gid))
            .filter_map(|entry| Some((entry.gid.clone(), entry.side?)))
            .collect();
        let found: Vec<String> = given.iter().map(|(gid, _)| gid.clone()).collect();
        for (gid, side) in given {
            self.log_table(&gid, Level::Info, &format!("joining as {side}"));
            self.take_seat(gid, side);
        }
        for gid in self.lobby.listed_open(&found, self.now) {
            self.log_table(&gid, Level::Error, "is neither open nor a game of this account");
        }
    }

    fn new_table(&self, gid: &str, side: Side) -> TableBot {
        let seed = self.settings.seed ^ gid.parse::<u64>().unwrap_or(0);
        TableBot::new(gid.into(), side, self.journal.game(gid), self.now, seed)
    }

    fn take_seat(&mut self, gid: String, side: Side) {
        if self.tables.contains_key(&gid) {
            return;
        }
        if self.journal.game(&gid).side != Some(side) {
            self.write(JournalRow::Seated { gid: gid.clone(), side });
        }
        let table = self.new_table(&gid, side);
        self.tables.insert(gid, table);
    }

    fn on_page(&mut self, gid: &str, page: Option<PageGame>) {
        let now = self.now;
        if let Some(table) = self.tables.get_mut(gid) {
            table.acting = false;
            table.got_page(page, now);
        }
    }

    fn on_table_reply(&mut self, gid: &str, request: &InFlight, answer: Result<Fields, Trouble>) {
        let now = self.now;
        let poll = request.request.is_poll();
        let Some(table) = self.tables.get_mut(gid) else { return };
        // An answer to a seat that was lost meanwhile.
        let outdated = matches!(&request.request, Outgoing::Table { url, request }
            if table.url != *url && !matches!(request, TableRequest::Sit { .. }))
            || matches!(&request.request, Outgoing::Table { request: TableRequest::State { sid, .. }, .. }
                if *sid != table.sid);
        if poll {
            table.after_poll(request.sent);
        } else {
            table.acting = false;
        }
        if outdated {
            return;
        }
        let fields = match answer {
            Ok(fields) => fields,
            Err(trouble) => return self.on_table_trouble(gid, request, &trouble),
        };
        if !poll {
            table.backoff.reset();
        }
        match &request.request {
            Outgoing::Room(RoomRequest::Reserve { .. }) => match Seat::parse(&fields) {
                Some(seat) => {
                    table.url = seat.url.clone();
                    table.stage = Stage::Sit(seat);
                }
                None => table.backoff.fail(now),
            },
            Outgoing::Room(RoomRequest::FindGameId { .. }) => {
                self.on_found_id(gid, fields.text("gid").map(Into::into));
            }
            Outgoing::Room(RoomRequest::Cancel { .. }) => self.left(gid),
            Outgoing::Table { request: TableRequest::Sit { .. }, .. } => match fields.text("sid") {
                Some(sid) => {
                    table.sid = Secret::new(sid);
                    (table.stage, table.failed_reservations) = (Stage::Play, 0);
                    table.fresh_at = Some(now);
                }
                None => table.unseat(Stage::Reserve),
            },
            Outgoing::Table { request: TableRequest::State { .. }, .. } if fields.is_empty() => {}
            Outgoing::Table { request: TableRequest::State { .. }, .. } => {
                self.on_state(gid, TableState::new(fields), request.sent, poll);
            }
            Outgoing::Table { request: table_request, .. } => {
                let table_request = table_request.clone();
                self.on_ok(gid, &table_request);
            }
            Outgoing::Room(_) | Outgoing::Page { .. } => {}
        }
    }

    fn left(&mut self, gid: &str) {
        if let Some(table) = self.tables.get_mut(gid) {
            table.stage = Stage::Done;
        }
    }

    /// An action was answered with `ok`, which does not prove anything.
    fn on_ok(&mut self, gid: &str, request: &TableRequest) {
        let now = self.now;
        let Some(table) = self.tables.get_mut(gid) else { return };
        match request {
            TableRequest::Move { .. } | TableRequest::Resign { .. } => table.fresh_at = Some(now + CONFIRM),
            TableRequest::Start { .. } => table.fresh_at = Some(now),
            TableRequest::AnswerTakeback { .. } => {
                table.takeback_answered = Some(table.ply);
                table.fresh_at = Some(now);
            }
            TableRequest::Chat { .. } => {
                table.greeted = true;
                self.write(JournalRow::Greeted { gid: gid.into() });
            }
            TableRequest::Leave { .. } => table.stage = Stage::Done,
            _ => {}
        }
    }

    fn on_found_id(&mut self, gid: &str, id: Option<String>) {
        let now = self.now;
        let Some(table) = self.tables.get_mut(gid) else { return };
        let id = id.filter(|id| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()));
        match (&table.stage, id) {
            (Stage::Lost, Some(id)) => {
                table.leaving = Leaving::Finished;
                table.permanent_id = Some(id.clone());
                table.stage = Stage::Page { id, tries: 0 };
            }
            (Stage::Lost, None) if table.failed_reservations >= MAX_RESERVATIONS => {
                table.leaving = Leaving::Unfinished("the seat is lost and cannot be taken again".into());
                table.stage = Stage::Done;
            }
            (Stage::Lost, None) => table.unseat(Stage::Reserve),
            (_, id) => table.found_id(id, now),
        }
    }

    fn on_table_trouble(&mut self, gid: &str, request: &InFlight, trouble: &Trouble) {
        let now = self.now;
        let poll = request.request.is_poll();
        let Some(table) = self.tables.get_mut(gid) else { return };
        match &request.request {
            // A finished game without permanent id yet, or one that still runs.
            Outgoing::Room(RoomRequest::FindGameId { .. }) => match trouble {
                Trouble::Server(_) => return self.on_found_id(gid, None),
                Trouble::Transport(_) => table.backoff.fail(now),
            },
            Outgoing::Room(RoomRequest::Reserve { .. }) => {
                table.backoff.fail(now);
                if let Trouble::Server(failure) = trouble
                    && *failure != Failure::SessionExpired
                {
                    table.failed_reservations += 1;
                    table.stage = Stage::Lost;
                }
            }
            Outgoing::Room(_) if matches!(trouble, Trouble::Server(_)) => table.stage = Stage::Done,
            Outgoing::Table { request: TableRequest::Leave { .. }, .. } => table.stage = Stage::Done,
            Outgoing::Table { request: TableRequest::Sit { .. }, .. } => {
                table.backoff.fail(now);
                table.unseat(Stage::Reserve);
            }
            Outgoing::Table { .. } if matches!(trouble, Trouble::Server(Failure::SeatLost(_))) => {
                table.lost_seats += 1;
                table.unseat(Stage::Lost);
                self.commands.push_back(Command::Stop(gid.into()));
            }
            Outgoing::Table { request: TableRequest::Move { turn, .. }, .. } => {
                let turn = turn.clone();
                return self.on_move_trouble(gid, &turn, trouble);
            }
            Outgoing::Table {
                request: TableRequest::AnswerTakeback { .. } | TableRequest::Chat { .. },
                ..
            } if matches!(trouble, Trouble::Server(_)) => {
                (table.takeback_answered, table.greeted) = (Some(table.ply), true);
            }
            _ if poll => table.poll_at = table.poll_at.max(now + Duration::from_secs(5)),
            _ => {
                table.backoff.fail(now);
                table.fresh_at = table.fresh_at.or(Some(now));
            }
        }
        self.log_trouble(gid, request.request.name(), trouble);
    }

    fn log_trouble(&mut self, gid: &str, action: &str, trouble: &Trouble) {
        let text = match trouble {
            Trouble::Transport(text) => format!("{action} failed: {text}"),
            Trouble::Server(failure) => format!("{action} failed: {failure}"),
        };
        self.log_table(gid, Level::Warning, &text);
    }

    /// The turn was refused, or its fate is unknown.
    fn on_move_trouble(&mut self, gid: &str, turn: &str, trouble: &Trouble) {
        let (now, policy) = (self.now, self.settings.refusals);
        self.log_trouble(gid, "sending a turn", trouble);
        let Some(table) = self.tables.get_mut(gid) else { return };
        let ply = table.ply;
        if !matches!(trouble, Trouble::Server(Failure::BadMove(_))) {
            // It may have been played: the state will show.
            table.fresh_at = Some(table.turn.settled().unwrap_or(now));
            return;
        }
        table.fresh_at = Some(now + CONFIRM);
        let decide = table.turn.refuse(now);
        if decide && policy == RefusalPolicy::Resign {
            table.turn.resign = true;
        } else if decide {
            table.leaving = Leaving::Unfinished("the server refuses turns that the rules allow".into());
            table.stage = Stage::Leave;
        }
        self.write(JournalRow::Refused { gid: gid.into(), ply, turn: turn.into() });
    }

    fn on_state(&mut self, gid: &str, state: TableState, asked: Duration, poll: bool) {
        let now = self.now;
        let Some(table) = self.tables.get_mut(gid) else { return };
        if table.stage != Stage::Play {
            return;
        }
        let before = table.ply;
        let first = table.state.is_none();
        if let Err(problem) = table.accept(state, asked, now, poll) {
            let give_up = table.reject(now);
            if give_up {
                table.leaving = Leaving::Unfinished(problem.clone());
                table.stage = Stage::Leave;
            }
            self.log_table(gid, Level::Warning, &problem);
            return self.stop_outdated_search(gid);
        }
        if table.result.is_some() {
            table.finish(now);
            self.commands.push_back(Command::Stop(gid.into()));
            return;
        }
        if first {
            let text = table.describe();
            self.log_table(gid, Level::Info, &text);
        }
        self.check_pending(gid, asked);
        let Some(table) = self.tables.get(gid) else { return };
        let fresh_turn = table.ply != before;
        if fresh_turn && !first {
            let last = table
                .state
                .as_ref()
                .and_then(|state| state.moves().lines().rfind(|line| line.split_whitespace().count() > 1));
            let last = TableState::printable(last.unwrap_or_default());
            self.log_table(gid, Level::Info, &last);
        }
        self.stop_outdated_search(gid);
        self.leave_postal(gid);
        self.ponder(gid);
    }

    /// Compares the turn that was sent with the state.
    fn check_pending(&mut self, gid: &str, asked: Duration) {
        let now = self.now;
        let Some(table) = self.tables.get_mut(gid) else { return };
        let Some(pending) = table.turn.pending.clone() else { return };
        if table.ply == pending.ply {
            if table.own_turn() {
                table.fresh_at = table.turn.resend(pending.ply, asked, now).or(table.fresh_at);
            }
            return;
        }
        table.turn.pending = None;
        table.fresh_at = None;
        let line = table.state.as_ref().and_then(|state| {
            let mut lines = state.moves().lines().filter(|line| line.split_whitespace().count() > 1);
            lines.nth(pending.ply).map(ToOwned::to_owned)
        });
        let played = line.as_deref().and_then(|line| line.split_once(' ')).is_some_and(|(_, turn)| {
            let mut words: Vec<&str> = turn.split_whitespace().collect();
            let mut sent: Vec<&str> = pending.text.split_whitespace().collect();
            words.sort_unstable();
            sent.sort_unstable();
            words == sent
        });
        if played {
            self.write(JournalRow::Played { gid: gid.into(), ply: pending.ply });
        } else {
            self.log_table(gid, Level::Warning, "the game has another turn than the one that was sent");
        }
    }

    /// A correspondence game is left until the bot is to move again.
    fn leave_postal(&mut self, gid: &str) {
        let Some(table) = self.tables.get_mut(gid) else { return };
        let postal = table.state.as_ref().is_some_and(TableState::postal);
        if postal && table.due() == Some(TurnDue::Opponent) && table.turn.pending.is_none() {
            table.leaving = Leaving::Postal;
            table.stage = Stage::Leave;
        }
    }
}
