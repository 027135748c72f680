//! Requests to a table.

use std::time::Duration;

use surus_rules::Termination;

use super::faults::Fault;
use super::table::{LateMove, Table, old_tag};
use super::{FakeServer, Held, Outcome, WireReply, answer, error};
use crate::protocol::{Fields, Role, Secret, TableRequest, side_letter};

const UNKNOWN_SEAT: &str = "Gameserver: Invalid Session Id";

fn ok() -> WireReply {
    answer(&[("ok", 1)].into_iter().collect())
}

impl FakeServer {
    pub(super) fn table_request(&mut self, form: &Fields, fault: Fault) -> Outcome {
        let request = match TableRequest::parse(form) {
            Ok(request) => request,
            Err(problem) => return Outcome::Reply(error(&problem.to_string())),
        };
        if let TableRequest::Sit { tid, grid } = &request {
            return Outcome::Reply(self.sit(tid, grid));
        }
        let sid = form.get("sid").unwrap_or_default().to_owned();
        let Some(gid) =
            self.tables.values().find(|table| table.seat_of(&sid).is_some()).map(|table| table.gid)
        else {
            return Outcome::Reply(error(UNKNOWN_SEAT));
        };
        if fault == Fault::LostSeat {
            self.forget_seat(gid, &sid);
            return Outcome::Reply(error(UNKNOWN_SEAT));
        }
        match request {
            TableRequest::State { last_change, wait, .. } => {
                self.state_request(gid, &sid, last_change, wait, fault)
            }
            _ => self.action(gid, &sid, form, &request, fault),
        }
    }

    fn sit(&mut self, tid: &Secret, grid: &Secret) -> WireReply {
        let found = self.tables.values().find_map(|table| {
            let index = table
                .reservations
                .iter()
                .position(|seat| seat.tid == tid.expose() && seat.grid == grid.expose())?;
            Some((table.gid, index))
        });
        let (sid, auth) = (self.secret("table"), self.secret("auth"));
        let Some((table, index)) =
            found.and_then(|(gid, index)| self.tables.get_mut(&gid).map(|table| (table, index)))
        else {
            return error("Gameserver: No Game Data");
        };
        let reservation = table.reservations.remove(index);
        match reservation.role {
            Role::Viewer => table.viewers.push(sid.clone()),
            Role::Player(side) => {
                let seat = &mut table.seats[side as usize];
                if !seat.player.is_empty() && seat.player != reservation.user {
                    return error("The seat is taken.");
                }
                seat.player = reservation.user;
                seat.present = true;
                (seat.sid, seat.auth) = (Some(sid.clone()), auth);
            }
        }
        table.changed();
        answer(&[("sid", sid)].into_iter().collect())
    }

    fn forget_seat(&mut self, gid: u64, sid: &str) {
        let Some(table) = self.tables.get_mut(&gid) else { return };
        table.viewers.retain(|viewer| viewer != sid);
        for seat in &mut table.seats {
            if seat.sid.as_deref() == Some(sid) {
                (seat.sid, seat.present) = (None, false);
            }
        }
    }

    fn state_request(
        &mut self,
        gid: u64,
        sid: &str,
        last_change: String,
        wait: Option<Duration>,
        fault: Fault,
    ) -> Outcome {
        let Some(table) = self.tables.get_mut(&gid) else { return Outcome::Reply(error(UNKNOWN_SEAT)) };
        if let Some(Role::Player(side)) = table.seat_of(sid) {
            table.seats[side as usize].present = true;
        }
        let unchanged = table.change.to_string() == last_change;
        if let Some(wait) = wait.filter(|_| unchanged) {
            let id = self.next_id;
            self.next_id += 1;
            let until = self.now + wait;
            self.held.push(Held { id, gid, sid: sid.into(), until, last_change });
            return Outcome::Hold(id);
        }
        let text = if fault == Fault::GarbledState {
            self.garbled_state(gid, sid)
        } else {
            self.state_text(gid, sid)
        };
        Outcome::Reply(WireReply::text(text))
    }

    fn action(
        &mut self,
        gid: u64,
        sid: &str,
        form: &Fields,
        request: &TableRequest,
        fault: Fault,
    ) -> Outcome {
        let (now, delay) = (self.now, Duration::from_millis(500 + self.below(3000)));
        let illegal_turn_loses = self.config.illegal_turn_loses;
        let Some(table) = self.tables.get_mut(&gid) else { return Outcome::Reply(error(UNKNOWN_SEAT)) };
        let Some(Role::Player(side)) = table.seat_of(sid) else {
            return Outcome::Reply(error("Gameserver: Viewers can not do that."));
        };
        if form.get("auth") != Some(table.seats[side as usize].auth.as_str()) {
            return Outcome::Reply(error("Gameserver: Invalid authorization."));
        }
        Outcome::Reply(match request {
            TableRequest::Start { .. } => {
                let ready = table.seats.iter().all(|seat| !seat.player.is_empty());
                if !ready || table.game.side() != side {
                    return Outcome::Reply(error("Gameserver: You can not start the game."));
                }
                table.start(now);
                ok()
            }
            TableRequest::Move { turn, .. } => match fault {
                Fault::LateMove => {
                    table.late.push(LateMove { at: now + delay, side, text: turn.clone() });
                    return Outcome::Drop;
                }
                Fault::IgnoredMove => ok(),
                Fault::RefusedMove => {
                    table.refuse_until(now);
                    error("Gameserver: Bad Move: refused for no reason")
                }
                _ => submit(table, side, turn, now, illegal_turn_loses),
            },
            TableRequest::Resign { .. } => {
                if table.result.is_none() {
                    table.lose(side, Termination::Resignation, now);
                }
                ok()
            }
            TableRequest::Leave { .. } => {
                table.seats[side as usize].present = false;
                table.changed();
                if table.seats.iter().any(|seat| seat.player.is_empty()) && !table.postal() {
                    table.cancel();
                }
                ok()
            }
            TableRequest::Chat { text, .. } => {
                let line = format!("{} {}: {text}", side_letter(side), old_tag(table.game.tag()));
                table.chat.push(line);
                table.changed();
                ok()
            }
            TableRequest::AskTakeback { .. } => {
                if !table.rated && table.running() {
                    table.takeback = Some((side, table.game.tag()));
                    table.changed();
                }
                ok()
            }
            TableRequest::AnswerTakeback { accept, .. } => {
                match table.takeback.filter(|(asks, _)| *asks != side) {
                    Some(_) if *accept => table.undo(now),
                    Some(_) => {
                        table.takeback = None;
                        table.changed();
                    }
                    None => {}
                }
                ok()
            }
            TableRequest::Sit { .. } | TableRequest::State { .. } => error(UNKNOWN_SEAT),
        })
    }
}

fn submit(
    table: &mut Table,
    side: surus_rules::Side,
    turn: &str,
    now: Duration,
    illegal_turn_loses: bool,
) -> WireReply {
    if now < table.ignore_until {
        return ok();
    }
    match table.submit(side, turn, now) {
        Ok(()) => ok(),
        Err(reason) => {
            if reason.starts_with("Bad Move") {
                table.refuse_until(now);
                if illegal_turn_loses {
                    table.lose(side, Termination::Illegal, now);
                }
            }
            error(&format!("Gameserver: {reason}"))
        }
    }
}
