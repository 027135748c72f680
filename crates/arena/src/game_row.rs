//! A finished game as a line of the official archive, and as a minimal PGN game.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub(crate) use surus_record::COLUMNS;
use surus_record::{EventLog, GameRow, PgnGame, Player, PlayerKind, TurnEvent};
use surus_rules::{Diagram, GameResult, Position, Side, Termination};

use crate::match_game::MatchGame;

/// What counts of a finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameEntry {
    /// The number in the schedule.
    pub id: u64,
    /// Gold's name and silver's.
    pub players: [String; 2],
    /// The full ids of both engines.
    pub engines: [String; 2],
    /// Nobody if the game was cut.
    pub winner: Option<Side>,
    /// What ended it.
    pub termination: Termination,
    /// The number of its last turn.
    pub turns: u32,
}

impl GameEntry {
    /// What Ordo and BayesElo read: who, and the result.
    pub(crate) fn pgn(&self) -> String {
        let Self { id: round, winner, termination: reason, turns, .. } = *self;
        let names = [self.players[0].as_str(), self.players[1].as_str()];
        PgnGame { event: "Surus", round, names, winner, reason, turns }.to_string()
    }
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// What a game was, beside itself.
#[derive(Clone, Debug)]
pub(crate) struct GameInfo<'a> {
    pub(crate) id: u64,
    pub(crate) players: [&'a str; 2],
    pub(crate) engines: [&'a str; 2],
    pub(crate) paces: [String; 2],
    pub(crate) event: &'a str,
    pub(crate) started: u64,
}

/// The entry of a game, and its line with all that is known of it.
pub(crate) fn format_row(about: &GameInfo<'_>, bout: &MatchGame) -> (GameEntry, String) {
    let GameResult { winner, reason } = bout.ending();
    let last = bout.game.entries().last().map_or(bout.game.tag(), |entry| entry.tag);
    let names = about.players.map(ToString::to_string);
    let engines = about.engines.map(ToString::to_string);
    let entry =
        GameEntry { id: about.id, players: names, engines, winner, termination: reason, turns: last.number };
    let pace =
        if about.paces[0] == about.paces[1] { about.paces[0].clone() } else { about.paces.join(" against ") };
    let bot = |name: &str| Player { name: name.into(), kind: Some(PlayerKind::Bot), ..Player::default() };
    let row = GameRow {
        id: about.id,
        players: about.players.map(bot),
        event: about.event.into(),
        site: "Surus".into(),
        time_control: pace,
        started: about.started,
        ended: now(),
        winner,
        reason,
        turns: last.number,
        mode: "Surus".into(),
        record: bout.game.to_string(),
        events: events(bout).to_string(),
        ..GameRow::default()
    };
    (entry, row.to_string())
}

/// Where the game began if not with its setups, every turn's clocks and what the engine reported, the fault.
fn events(bout: &MatchGame) -> EventLog {
    let (start, tag) = bout.game.origin();
    let start = Some(start).filter(|board| !board.occupied().is_empty());
    let position = start.and_then(|board| Position::new(*board, tag.side).ok());
    let played = bout.game.entries();
    let first = played.len().saturating_sub(bout.turns.len());
    let mut total = Duration::ZERO;
    let turn = |(entry, note): (&surus_rules::HistoryEntry, &crate::match_game::TurnStats)| {
        total += note.elapsed;
        TurnEvent {
            tag: entry.tag,
            used: note.elapsed,
            reserves: note.reserves.map(|seconds| Some(Duration::from_secs(seconds))),
            game: Some(total),
            score: note.score,
            depth: note.depth,
            nodes: note.nodes,
        }
    };
    EventLog {
        start: position.map(|position| Diagram { number: tag.number, position }),
        turns: played[first..].iter().zip(&bout.turns).map(turn).collect(),
        fault: bout.forfeit_reason.as_ref().map(ToString::to_string),
    }
}
