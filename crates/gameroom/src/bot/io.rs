//! What the bot exchanges with the outside: requests, searches, log lines.

use std::time::Duration;

use surus_play::{Answer, TimeBudget};
use surus_rules::{Clock, Game, Score, Setup, Side, Turn};

use crate::protocol::RoomResult;
use crate::record::PageGame;

/// Identifies a request.
pub type RequestId = u64;

/// A request to be sent.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpRequest {
    /// The URL.
    pub url: String,
    /// The form to post; without one it is a GET request.
    pub form: Option<String>,
    /// The page from which the request claims to come, which the server demands.
    pub referer: String,
    /// The time after which it has failed.
    pub timeout: Duration,
    /// The action, for logs.
    pub action: &'static str,
    /// Whether the server may hold it; such requests do not count for the rate limit.
    pub poll: bool,
}

impl std::fmt::Debug for HttpRequest {
    /// Without the form, which has passwords and session ids.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpRequest").field("action", &self.action).finish_non_exhaustive()
    }
}

/// An answer.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpReply {
    /// HTTP status.
    pub status: u16,
    /// The body.
    pub body: String,
}

impl std::fmt::Debug for HttpReply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpReply").field("status", &self.status).finish_non_exhaustive()
    }
}

/// A request without an answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HttpError {
    /// No answer in time.
    #[error("no answer in time")]
    Timeout,
    /// The connection failed.
    #[error("{0}")]
    Connection(String),
}

/// A turn to be found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Search {
    /// The id of the running game.
    pub gid: String,
    /// The number of the search; answers to earlier ones are ignored.
    pub id: u64,
    /// The game.
    pub game: Game,
    /// The time for it; none when pondering.
    pub budget: Option<TimeBudget>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Turns that the server refused in this position.
    pub refused_turns: Vec<Turn>,
    /// Setups that the server refused.
    pub refused_setups: Vec<Setup>,
    /// The engine has failed twice: answer with any sensible turn.
    pub fallback: bool,
}

/// A finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct FinishedGame {
    /// The id it had while it ran.
    pub gid: String,
    /// The permanent id, if the server has sent it.
    pub permanent_id: Option<String>,
    /// The bot's side.
    pub side: Side,
    /// The result, if it is known.
    pub result: Option<RoomResult>,
    /// The game as the site has it, or as it was last seen.
    pub game: PageGame,
    /// Whether `game` is the site's own record.
    pub from_site: bool,
}

impl FinishedGame {
    /// The permanent id and the letters of the result, with a question mark for what is unknown.
    #[must_use]
    pub fn summary(&self) -> String {
        let code = self.result.map_or_else(|| "?".into(), |result| result.code());
        format!("{} {code}", self.permanent_id.as_deref().unwrap_or("?"))
    }

    /// The event after its record was stored.
    #[must_use]
    pub fn stored(&self) -> Event {
        Event::Stored { gid: self.gid.clone(), value: self.summary() }
    }
}

/// Something has happened.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A request was answered or failed.
    Reply {
        /// The request.
        id: RequestId,
        /// Its answer.
        result: Result<HttpReply, HttpError>,
    },
    /// A search ended.
    Answer {
        /// The game.
        gid: String,
        /// The search.
        id: u64,
        /// The turn, or what went wrong.
        result: Result<Answer, String>,
        /// The last reported score.
        score: Option<Score>,
    },
    /// The record of a finished game was stored.
    Stored {
        /// The game.
        gid: String,
        /// See [`FinishedGame::summary`].
        value: String,
    },
    /// The program is asked to end.
    Shutdown,
}

/// Importance of a log line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Every request.
    Debug,
    /// What the owner wants to know.
    Info,
    /// Faults that the bot copes with.
    Warning,
    /// Faults that cost a game or end the program.
    Error,
}

/// Something is to be done.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// Send a request; the answer becomes an [`Event::Reply`].
    Send(RequestId, HttpRequest),
    /// Search; the answer becomes an [`Event::Answer`]. Without a budget, ponder until stopped, without an answer.
    Think(Box<Search>),
    /// Stop the search of a game; its answer is ignored.
    Stop(String),
    /// Free the engine of a game, which is over or was left.
    Release(String, Option<Box<Game>>),
    /// Keep the record of a finished game; if that succeeds, the answer is an [`Event::Stored`].
    Finished(Box<FinishedGame>),
    /// Write to the log.
    Log(Level, String),
}
