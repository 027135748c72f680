//! Requests to the room.

use std::time::Duration;

use surus_rules::{Side, TimeControl};

use super::faults::Fault;
use super::table::{Reservation, Table};
use super::{FakeServer, WireReply, answer, error};
use crate::protocol::{Fields, Role, RoomRequest, Secret, side_letter};

/// A login.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Session {
    pub(super) user: String,
}

const EXPIRED: &str = "Session id is invalid or expired.";

impl FakeServer {
    /// The account of a session of the room or a table.
    pub(super) fn user_of(&self, sid: &str) -> Option<&str> {
        let room = self.sessions.get(sid).map(|session| session.user.as_str());
        room.or_else(|| {
            self.tables.values().find_map(|table| table.seat_of(sid).map(|seat| table.player_at(seat)))
        })
    }

    pub(super) fn room_request(&mut self, form: &Fields, fault: Fault) -> WireReply {
        let request = match RoomRequest::parse(form) {
            Ok(request) => request,
            Err(problem) => return error(&problem.to_string()),
        };
        if fault == Fault::ExpiredSession {
            form.get("sid").and_then(|sid| self.sessions.remove(sid));
        }
        match request {
            RoomRequest::Login { username, password } => self.login(username, &password),
            RoomRequest::FindGameId { gid } => self.find_game_id(&gid),
            RoomRequest::NewGame { sid, side, time_control, rated } => {
                self.with_user(&sid, |server, user| server.new_game(user, side, &time_control, rated))
            }
            RoomRequest::MyGames { sid } => self.with_user(&sid, |server, user| server.my_games(&user)),
            RoomRequest::OpenGames { sid } => self.with_user(&sid, |server, user| server.open_games(&user)),
            RoomRequest::Reserve { sid, gid, role } => {
                self.with_user(&sid, |server, user| server.reserve(&user, &gid, role))
            }
            RoomRequest::Cancel { sid, gid } => {
                self.with_user(&sid, |server, user| server.cancel(&user, &gid))
            }
            RoomRequest::Logout { sid } => self.with_user(&sid, |server, user| {
                server.sessions.retain(|_, session| session.user != user);
                answer(&[("ok", 1)].into_iter().collect())
            }),
        }
    }

    fn with_user(&mut self, sid: &Secret, act: impl FnOnce(&mut Self, String) -> WireReply) -> WireReply {
        match self.sessions.get(sid.expose()) {
            Some(session) => {
                let user = session.user.clone();
                act(self, user)
            }
            None => error(EXPIRED),
        }
    }

    fn login(&mut self, user: String, password: &Secret) -> WireReply {
        let known =
            self.config.accounts.iter().any(|(name, known)| *name == user && known == password.expose());
        if !known {
            return error("Invalid username or password.");
        }
        let sid = self.secret("room");
        self.sessions.insert(sid.clone(), Session { user });
        answer(&[("sid", sid)].into_iter().collect())
    }

    fn new_game(&mut self, user: String, side: Side, time_control: &str, rated: bool) -> WireReply {
        let control: TimeControl = match time_control.parse() {
            Ok(control) => control,
            Err(_) => return error("Invalid time control."),
        };
        self.next_id += 1 + self.rng.next_u64() % 5;
        let gid = self.next_id;
        let mut table = Table::new(gid, control, time_control, rated, self.now);
        table.seats[side as usize].player = user;
        table.plan = self.config.opponents.clone().map(|habits| habits.plan(&mut self.rng, self.now));
        self.tables.insert(gid, table);
        let block: Fields =
            [("gid", gid.to_string()), ("side", side_letter(side).to_string())].into_iter().collect();
        let mut list = Fields::default();
        list.push_block(format!("{gid}:{}", side_letter(side)), &block);
        // A client of another author takes the first line for the game, so there is no end mark here.
        WireReply::text(list.to_string())
    }

    fn my_games(&self, user: &str) -> WireReply {
        let mut list = Fields::default();
        for table in self.tables.values().filter(|table| table.result.is_none()) {
            for side in Side::BOTH.into_iter().filter(|&side| table.seats[side as usize].player == user) {
                let mut block = self.list_entry(table, side);
                block.push("turn", side_letter(table.game.side()));
                block.push("turnts", super::EPOCH + table.turn_started.as_secs());
                list.push_block(format!("{}:{}", table.gid, side_letter(side)), &block);
            }
        }
        list.push("num", list.iter().count());
        answer(&list)
    }

    fn open_games(&self, user: &str) -> WireReply {
        let mut list = Fields::default();
        for table in self.tables.values().filter(|table| table.result.is_none() && !table.cancelled) {
            let free = Side::BOTH.into_iter().find(|&side| table.seats[side as usize].player.is_empty());
            let Some(side) = free.filter(|side| table.seats[side.other() as usize].player != user) else {
                continue;
            };
            list.push_block(format!("{}:{}", table.gid, side_letter(side)), &self.list_entry(table, side));
        }
        list.push("num", list.iter().count());
        answer(&list)
    }

    fn list_entry(&self, table: &Table, side: Side) -> Fields {
        [
            ("gid", table.gid.to_string()),
            ("side", side_letter(side).to_string()),
            ("player", table.seats[side.other() as usize].player.clone()),
            ("timecontrol", table.time_control.clone()),
            ("postal", u8::from(table.postal()).to_string()),
            ("rated", u8::from(table.rated).to_string()),
        ]
        .into_iter()
        .collect()
    }

    fn reserve(&mut self, user: &str, gid: &str, role: Role) -> WireReply {
        let (tid, grid) = (self.secret("tid"), self.secret("grid"));
        let url = self.config.url.clone();
        let table = gid.parse().ok().and_then(|gid: u64| self.tables.get_mut(&gid));
        let Some(table) = table.filter(|table| table.result.is_none() && !table.cancelled) else {
            return error("No such game.");
        };
        if let Role::Player(side) = role {
            let seat = &table.seats[side as usize];
            let other = &table.seats[side.other() as usize];
            let person = !other.player.is_empty() && !other.player.starts_with("bot_");
            if seat.player.is_empty() && user.starts_with("bot_") && person {
                return error("Bots are not allowed to join the open games of people.");
            }
            if !seat.player.is_empty() && seat.player != user {
                return error("The seat is taken.");
            }
        }
        table.reservations.push(Reservation {
            tid: tid.clone(),
            grid: grid.clone(),
            user: user.into(),
            role,
        });
        let seat =
            [("base", format!("{url}/table")), ("cgi", "game.cgi".into()), ("tid", tid), ("grid", grid)];
        answer(&seat.into_iter().collect())
    }

    fn cancel(&mut self, user: &str, gid: &str) -> WireReply {
        let table = gid.parse().ok().and_then(|gid: u64| self.tables.get_mut(&gid));
        let Some(table) = table.filter(|table| table.seats.iter().any(|seat| seat.player == user)) else {
            return error("No such game.");
        };
        if table.seats.iter().all(|seat| !seat.player.is_empty()) {
            return error("The game has an opponent and can not be cancelled.");
        }
        table.cancel();
        self.tables.retain(|_, table| !table.cancelled);
        answer(&[("ok", 1)].into_iter().collect())
    }

    /// The permanent id is known only some seconds after the end.
    fn find_game_id(&mut self, gid: &str) -> WireReply {
        let table = gid.parse().ok().and_then(|gid: u64| self.tables.get(&gid));
        match table {
            Some(Table { finished: Some((id, at)), .. }) if *at + Duration::from_secs(6) <= self.now => {
                answer(&[("gid", id)].into_iter().collect())
            }
            _ => error("Game not found."),
        }
    }
}
