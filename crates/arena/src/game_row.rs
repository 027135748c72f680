//! A finished game as a row of the official archive and as a minimal PGN game.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub(crate) use surus_record::COLUMNS;
use surus_record::{EventLog, GameRow, PgnGame, Player, PlayerKind, TurnEvent};
use surus_rules::{Diagram, GameResult, Position, Side, Termination};

use crate::match_game::MatchGame;

/// The result of a finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameEntry {
    /// Its number in the schedule.
    pub id: u64,
    /// Gold's name and silver's.
    pub players: [String; 2],
    /// The full ids of both engines.
    pub engines: [String; 2],
    /// `None` if the game was adjudicated without a winner.
    pub winner: Option<Side>,
    /// How it ended.
    pub termination: Termination,
    /// Number of its last turn.
    pub turns: u32,
}

impl GameEntry {
    /// The PGN tags and result that Ordo and BayesElo read.
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

/// Metadata of a game.
#[derive(Clone, Debug)]
pub(crate) struct GameInfo<'a> {
    pub(crate) id: u64,
    pub(crate) players: [&'a str; 2],
    pub(crate) engines: [&'a str; 2],
    pub(crate) limits: [String; 2],
    pub(crate) event: &'a str,
    pub(crate) started: u64,
}

/// The entry of a game and its row.
pub(crate) fn format_row(info: &GameInfo<'_>, match_game: &MatchGame) -> (GameEntry, String) {
    let GameResult { winner, reason } = match_game.ending();
    let last = match_game.game.entries().last().map_or(match_game.game.tag(), |entry| entry.tag);
    let names = info.players.map(ToString::to_string);
    let engines = info.engines.map(ToString::to_string);
    let entry =
        GameEntry { id: info.id, players: names, engines, winner, termination: reason, turns: last.number };
    let time_control =
        if info.limits[0] == info.limits[1] { info.limits[0].clone() } else { info.limits.join(" against ") };
    let bot = |name: &str| Player { name: name.into(), kind: Some(PlayerKind::Bot), ..Player::default() };
    let row = GameRow {
        id: info.id,
        players: info.players.map(bot),
        event: info.event.into(),
        site: "Surus".into(),
        time_control,
        started: info.started,
        ended: now(),
        winner,
        reason,
        turns: last.number,
        mode: "Surus".into(),
        record: match_game.game.to_string(),
        events: events(match_game).to_string(),
        ..GameRow::default()
    };
    (entry, row.to_string())
}

/// The event log: a start position without setups, clocks and search results of each turn, and the fault.
fn events(match_game: &MatchGame) -> EventLog {
    let (start, tag) = match_game.game.origin();
    let start = Some(start).filter(|board| !board.occupied().is_empty());
    let position = start.and_then(|board| Position::new(*board, tag.side).ok());
    let played = match_game.game.entries();
    let first = played.len().saturating_sub(match_game.turns.len());
    let mut total = Duration::ZERO;
    let turn = |(entry, stats): (&surus_rules::HistoryEntry, &crate::match_game::TurnStats)| {
        total += stats.elapsed;
        TurnEvent {
            tag: entry.tag,
            used: stats.elapsed,
            reserves: stats.reserves.map(|seconds| Some(Duration::from_secs(seconds))),
            game: Some(total),
            score: stats.score,
            depth: stats.depth,
            nodes: stats.nodes,
        }
    };
    EventLog {
        start: position.map(|position| Diagram { number: tag.number, position }),
        turns: played[first..].iter().zip(&match_game.turns).map(turn).collect(),
        fault: match_game.forfeit_reason.as_ref().map(ToString::to_string),
    }
}
