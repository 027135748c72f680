//! A finished game as a line of the official archive, and as a minimal PGN game.

use std::time::{SystemTime, UNIX_EPOCH};

use surus_rules::{Ending, Reason, Side};

use crate::bout::Bout;

/// The columns of the official archive under their modern names.
pub(crate) const COLUMNS: [&str; 29] = [
    "id",
    "gplayerid",
    "splayerid",
    "gusername",
    "susername",
    "gtitle",
    "stitle",
    "gcountry",
    "scountry",
    "grating",
    "srating",
    "gratingk",
    "sratingk",
    "gtype",
    "stype",
    "event",
    "site",
    "timecontrol",
    "postal",
    "startts",
    "endts",
    "result",
    "termination",
    "plycount",
    "mode",
    "rated",
    "corrupt",
    "movelist",
    "events",
];

/// What counts of a finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The number in the schedule.
    pub id: u64,
    /// Gold's name and silver's.
    pub names: [String; 2],
    /// The full ids of both engines.
    pub engines: [String; 2],
    /// Nobody if the game was cut.
    pub winner: Option<Side>,
    /// What ended it.
    pub reason: Reason,
    /// The number of its last turn.
    pub turns: u32,
}

impl Entry {
    /// What Ordo and BayesElo read: who, and the result.
    pub(crate) fn pgn(&self) -> String {
        let [gold, silver] = &self.names;
        let result = match self.winner {
            Some(Side::Gold) => "1-0",
            Some(Side::Silver) => "0-1",
            None => "1/2-1/2",
        };
        format!(
            "[Event \"Surus\"]\n[Round \"{}\"]\n[White \"{gold}\"]\n[Black \"{silver}\"]\n[Result \"{result}\"]\n\
             [ResultCode \"{}\"]\n[PlyCount \"{}\"]\n\n{result}\n\n",
            self.id,
            self.reason.letter(),
            self.turns
        )
    }
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// What a game was, beside itself.
#[derive(Clone, Debug)]
pub(crate) struct About<'a> {
    pub(crate) id: u64,
    pub(crate) names: [&'a str; 2],
    pub(crate) engines: [&'a str; 2],
    pub(crate) paces: [String; 2],
    pub(crate) event: &'a str,
    pub(crate) started: u64,
}

/// The entry of a game, and its line with all that is known of it.
pub(crate) fn line(about: &About<'_>, bout: &Bout) -> (Entry, String) {
    let Ending { winner, reason } = bout.ending();
    let last = bout.game.entries().last().map_or(bout.game.tag(), |entry| entry.tag);
    let names = about.names.map(ToString::to_string);
    let engines = about.engines.map(ToString::to_string);
    let entry = Entry { id: about.id, names, engines, winner, reason, turns: last.number };
    let pace =
        if about.paces[0] == about.paces[1] { about.paces[0].clone() } else { about.paces.join(" against ") };
    let record: Vec<String> = bout.game.to_string().lines().map(str::trim_end).map(Into::into).collect();
    let mut fields = [const { String::new() }; 29];
    let mut set = |name: &str, value: String| {
        if let Some(place) = COLUMNS.iter().position(|column| *column == name) {
            // Tabs and line ends are the file's own.
            fields[place] = value.replace(['\t', '\n', '\r'], " ");
        }
    };
    let columns: [(&str, String); 19] = [
        ("id", about.id.to_string()),
        ("gplayerid", "0".into()),
        ("splayerid", "0".into()),
        ("gusername", about.names[0].into()),
        ("susername", about.names[1].into()),
        ("gtype", "b".into()),
        ("stype", "b".into()),
        ("event", about.event.into()),
        ("site", "Surus".into()),
        ("timecontrol", pace),
        ("postal", "0".into()),
        ("startts", about.started.to_string()),
        ("endts", now().to_string()),
        ("result", winner.map_or('d', Side::letter).into()),
        ("termination", reason.letter().into()),
        ("plycount", last.number.to_string()),
        ("mode", "Surus".into()),
        ("movelist", record.join("\\n")),
        ("events", events(bout).join("\\n")),
    ];
    for (name, value) in columns {
        set(name, value);
    }
    for name in ["rated", "corrupt"] {
        set(name, "0".into());
    }
    (entry, fields.join("\t"))
}

/// The log: where the game began if not with its setups, every turn's clocks and what the engine thought, the fault.
fn events(bout: &Bout) -> Vec<String> {
    let mut lines = Vec::new();
    let (start, tag) = bout.game.origin();
    if !start.occupied().is_empty() {
        lines.push(format!("begins {tag} [{}]", start.compact()));
    }
    let played = bout.game.entries();
    let first = played.len().saturating_sub(bout.notes.len());
    let mut total = 0.0;
    for (entry, note) in played[first..].iter().zip(&bout.notes) {
        let used = note.used.as_secs_f64();
        total += used;
        let [gold, silver] = note.reserves;
        let mut line =
            format!("after {}, move used:{used:.3} gresv:{gold} sresv:{silver} game:{total:.3}", entry.tag);
        for (name, value) in [
            ("score", note.score.map(|score| score.to_string().replace(' ', "-"))),
            ("depth", note.depth.map(|depth| depth.to_string())),
            ("nodes", note.nodes.map(|nodes| nodes.to_string())),
        ] {
            if let Some(value) = value {
                line += &format!(" {name}:{value}");
            }
        }
        lines.push(line);
    }
    lines.extend(bout.fault.as_ref().map(|fault| format!("fault: {fault}")));
    lines
}
