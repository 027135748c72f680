//! The room: login, lists of games, new games.

use std::collections::BTreeMap;
use std::time::Duration;

use surus_rules::Side;

use super::backoff::Backoff;
use super::settings::BotSettings;
use super::table::{Outgoing, Want, Wish, timeout};
use crate::protocol::{RoomRequest, Secret};

/// The pause between two lists of the same kind, and the one after a failure.
const LIST_PAUSE: Duration = Duration::from_secs(30);
const RETRY_LIST_PAUSE: Duration = Duration::from_secs(20);

/// The pause while a correspondence game waits for the opponent.
const POSTAL_LIST_PAUSE: Duration = Duration::from_secs(300);

/// A table that was left without a result is not taken again for this long.
const RETURN_PAUSE: Duration = Duration::from_secs(600);

/// Lists of open games without a given one before it counts as gone.
const JOIN_TRIES: u32 = 3;

/// The state of the room.
#[derive(Debug)]
pub(super) struct Lobby {
    sid: Option<Secret>,
    waiting: bool,
    pub(super) backoff: Backoff,
    /// When to list the account's games; they are always listed before a game is opened.
    list_at: Duration,
    /// When to list the open games of others.
    open_list_at: Duration,
    /// Whether the list is newer than the last request to open a game.
    listed: bool,
    opened: u32,
    /// Whether a game may have been opened although its answer was lost.
    uncertain: bool,
    /// Given games, with the number of lists that lacked them.
    join: BTreeMap<String, u32>,
    /// Whether the own games have been listed at least once, so that given games are looked for among open ones.
    resumed: bool,
    left: BTreeMap<String, Duration>,
    /// Whether a correspondence game waits for the opponent.
    postal: bool,
}

impl Lobby {
    pub(super) fn new(settings: &BotSettings) -> Self {
        Self {
            sid: None,
            waiting: false,
            backoff: Backoff::new(settings.seed),
            list_at: Duration::ZERO,
            open_list_at: Duration::ZERO,
            listed: false,
            opened: 0,
            uncertain: false,
            join: settings.join.iter().map(|gid| (gid.clone(), 0)).collect(),
            resumed: false,
            left: BTreeMap::new(),
            postal: false,
        }
    }

    pub(super) const fn sid(&self) -> Option<&Secret> {
        self.sid.as_ref()
    }

    pub(super) fn log_in(&mut self, sid: Secret) {
        self.sid = Some(sid);
    }

    pub(super) fn log_out(&mut self) {
        self.sid = None;
    }

    fn games_left_to_open(&self, settings: &BotSettings) -> bool {
        settings.open.as_ref().is_some_and(|open| open.count.is_none_or(|count| self.opened < count))
    }

    /// Whether no game will begin any more.
    pub(super) fn is_done(&self, settings: &BotSettings) -> bool {
        let waiting = self.postal && settings.resume;
        let opening = !self.join.is_empty() || self.games_left_to_open(settings) || !self.listed;
        self.resumed && !waiting && !opening
    }

    pub(super) fn sending(&mut self, request: &Outgoing, now: Duration) {
        self.waiting = true;
        match request {
            Outgoing::Room(RoomRequest::MyGames { .. }) => self.list_at = now + RETRY_LIST_PAUSE,
            Outgoing::Room(RoomRequest::OpenGames { .. }) => self.open_list_at = now + RETRY_LIST_PAUSE,
            _ => {}
        }
    }

    pub(super) fn answered(&mut self) {
        self.waiting = false;
    }

    pub(super) fn left_unfinished(&mut self, gid: &str, now: Duration) {
        self.left.insert(gid.into(), now + RETURN_PAUSE);
    }

    /// While a correspondence game waits, the bot does not end, and lists its games at long intervals.
    pub(super) fn expects_postal(&mut self, expects: bool) {
        self.postal = expects;
    }

    pub(super) fn may_return(&self, gid: &str, now: Duration) -> bool {
        self.left.get(gid).is_none_or(|until| *until <= now)
    }

    /// The games of the account were listed.
    pub(super) fn listed(&mut self, now: Duration, complete: bool) {
        let pause = if self.postal { POSTAL_LIST_PAUSE } else { LIST_PAUSE };
        self.list_at = if complete { now + pause } else { self.list_at };
        self.listed = complete;
        self.resumed |= complete;
        self.uncertain &= !complete;
    }

    /// Counts a list of open games without some given ones; returns those that are given up.
    pub(super) fn listed_open(&mut self, found: &[String], now: Duration) -> Vec<String> {
        self.open_list_at = now + LIST_PAUSE;
        self.join.retain(|gid, _| !found.contains(gid));
        self.join.values_mut().for_each(|tries| *tries += 1);
        let gone: Vec<String> =
            self.join.iter().filter(|(_, tries)| **tries >= JOIN_TRIES).map(|(gid, _)| gid.clone()).collect();
        self.join.retain(|_, tries| *tries < JOIN_TRIES);
        gone
    }

    pub(super) fn is_given(&self, gid: &str) -> bool {
        self.join.contains_key(gid)
    }

    pub(super) fn taken(&mut self, gid: &str) {
        self.join.remove(gid);
    }

    /// A game is being opened; the list shows whether it was.
    pub(super) fn opening(&mut self) {
        self.opened += 1;
        self.listed = false;
    }

    /// The answer to a request for a game was lost.
    pub(super) fn maybe_opened(&mut self) {
        (self.uncertain, self.listed) = (true, false);
    }

    /// A game is listed that was not known before: the one whose answer was lost.
    pub(super) fn found_new(&mut self) {
        if std::mem::take(&mut self.uncertain) {
            self.opened += 1;
        }
    }

    pub(super) fn want(&self, now: Duration, settings: &BotSettings, tables: usize, ending: bool) -> Want {
        if self.waiting || self.backoff.until() > now {
            return if self.waiting { Want::Nothing } else { Want::At(self.backoff.until()) };
        }
        let wish = |urgency, request| {
            let request = Outgoing::Room(request);
            Want::Now(Box::new(Wish { urgency, request, timeout: timeout(settings) }))
        };
        let Some(sid) = self.sid.clone() else {
            let (username, password) = (settings.username.clone(), settings.password.clone());
            return wish(1, RoomRequest::Login { username, password });
        };
        if ending {
            return Want::Nothing;
        }
        let free = tables < settings.max_games;
        if self.listed
            && free
            && self.join.is_empty()
            && self.games_left_to_open(settings)
            && let Some(open) = &settings.open
        {
            let alternating = if self.opened.is_multiple_of(2) { Side::Gold } else { Side::Silver };
            let side = open.side.unwrap_or(alternating);
            let (time_control, rated) = (open.time_control.clone(), open.rated);
            return wish(5, RoomRequest::NewGame { sid, side, time_control, rated });
        }
        if !free || !settings.resume && self.is_done(settings) {
            return Want::Nothing;
        }
        // Given games are looked for after the own ones.
        if self.listed && !self.join.is_empty() && self.open_list_at <= now {
            return wish(5, RoomRequest::OpenGames { sid });
        }
        if self.list_at > now { Want::At(self.list_at) } else { wish(5, RoomRequest::MyGames { sid }) }
    }
}
