//! The text of a table's state.

use std::time::Duration;

use surus_rules::{GameLimit, Side};

use super::table::{Table, old_tag};
use super::{EPOCH, FakeServer};
use crate::protocol::{Fields, Role, side_letter};

/// The length of the padding before a state.
const PADDING: usize = 64;

impl FakeServer {
    pub(super) fn state_text(&self, gid: u64, sid: &str) -> String {
        let Some((table, role)) = self.tables.get(&gid).and_then(|table| Some((table, table.seat_of(sid)?)))
        else {
            return "error=Gameserver: Invalid Session Id\n--END--\n".into();
        };
        self.text(&self.state_fields(table, role))
    }

    fn text(&self, fields: &Fields) -> String {
        format!("&junkvar={}\n{fields}--END--\n", "x".repeat(PADDING))
    }

    /// A state that is not possible, in one of several ways.
    pub(super) fn garbled_state(&mut self, gid: u64, sid: &str) -> String {
        let kind = self.below(4);
        let Some((table, role)) = self.tables.get(&gid).and_then(|table| Some((table, table.seat_of(sid)?)))
        else {
            return String::new();
        };
        let fields = self.state_fields(table, role);
        let garbled: Fields = fields
            .iter()
            .filter_map(|(key, value)| {
                let value = match (key, kind) {
                    ("turn", 0) => if value == "w" { "b" } else { "w" }.to_owned(),
                    ("moves", 1) => return None,
                    ("moves", 2) => format!("{value}Ea1n xx"),
                    ("moves", 3) => value.lines().skip(1).collect::<Vec<_>>().join("\n"),
                    _ => value.to_owned(),
                };
                Some((key.to_owned(), value))
            })
            .collect();
        self.text(&garbled)
    }

    fn state_fields(&self, table: &Table, role: Role) -> Fields {
        let mut fields = Fields::default();
        let control = table.clock.control();
        let turn = table.game.side();
        fields.push("lastchange", table.change);
        if let Role::Player(side) = role {
            fields.push("auth", &table.seats[side as usize].auth);
        }
        fields.push("turn", if table.result.is_some() { String::new() } else { side_letter(turn).into() });
        for side in Side::BOTH {
            let (seat, letter) = (&table.seats[side as usize], side_letter(side));
            fields.push(format!("{letter}player"), player(&seat.player));
            fields.push(format!("{letter}rating"), 1500);
            fields.push(format!("{letter}present"), u8::from(seat.present));
            let running = table.running() && side == turn;
            let used = if running { table.seconds_used(self.now) } else { table.used[side as usize] };
            fields.push(format!("{letter}used"), used);
            fields.push(format!("tc{letter}reserve2"), table.clock.reserve(side).as_secs());
            let start = if running { EPOCH + table.turn_started.as_secs() } else { 0 };
            fields.push(format!("{letter}startmove"), start);
        }
        let flag = |flag: bool| u8::from(flag);
        fields.push("rated", flag(table.rated));
        fields.push("postal", flag(table.postal()));
        fields
            .push("starttime", table.started.map_or(String::new(), |at| (EPOCH + at.as_secs()).to_string()));
        let named = table.seats.iter().all(|seat| !seat.player.is_empty());
        fields.push("canstart", flag(named && table.started.is_none()));
        fields.push("plycount", table.game.tag().number);
        fields.push("position", table.game.diagram());
        fields.push("moves", table.moves());
        if matches!(role, Role::Player(_)) {
            fields.push("chat", table.chat.join("\n"));
        }
        fields.push("result", table.result.map_or(String::new(), |result| result.code()));
        let takeback = table.takeback.map(|(side, tag)| format!("{} {}", side_letter(side), old_tag(tag)));
        fields.push("takeback", takeback.unwrap_or_default());
        fields.push("timeonserver", self.unix());
        fields.push("timecontrol", &table.time_control);
        let seconds = |time: Duration| time.as_secs();
        fields.push("tcmove", seconds(table.clock.per_turn(table.setup())));
        fields.push("tcmoveorig", seconds(control.per_turn));
        fields.push("tcreserve", seconds(control.reserve));
        fields.push("tcpercent", control.percent);
        fields.push("tcmax", seconds(control.reserve_limit));
        let (total, turns) = match control.game_limit {
            GameLimit::None => (0, 0),
            GameLimit::Time(limit) => (limit.as_secs(), 0),
            GameLimit::Turns(turns) => (0, turns),
        };
        fields.push("tctotal", total);
        fields.push("tcturns", turns);
        fields.push("tcturntime", seconds(control.turn_limit));
        fields
    }
}

/// Players are listed with an asterisk; an empty seat is empty.
fn player(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!("* {name}") }
}
