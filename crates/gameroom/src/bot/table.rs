//! One seat: from the reservation to the record of the finished game.

use std::time::Duration;

use surus_rules::{Game, Side};

use super::backoff::Backoff;
use super::journal::GameNotes;
use super::settings::BotSettings;
use super::turn::{OwnTurn, SearchState};
use crate::protocol::{
    Role, RoomRequest, RoomResult, Seat, Secret, TableRequest, TableState, TurnClock, TurnDue,
};

/// How often to ask for an opponent who is named but away, and for how long.
const AWAY_POLL: Duration = Duration::from_secs(10);
const AWAY_LIMIT: Duration = Duration::from_secs(300);

/// The longest poll; the server closes longer ones.
const MAX_WAIT: Duration = Duration::from_secs(300);

/// The least time between two polls of a table, so that polls that are answered at once do not follow each other.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// The pauses before the permanent id of a finished game is asked for.
const FIND_ID_PAUSES: [u64; 6] = [2, 3, 5, 8, 13, 20];

/// Tries to get the page of a finished game.
const PAGE_TRIES: u32 = 4;

/// States in a row that contradict themselves before the game is left to its owner.
const MAX_BAD_STATES: u32 = 25;

/// A step of the way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    Reserve,
    Sit(Seat),
    Play,
    /// The seat is lost: either the game has ended, or the seat has to be taken again.
    Lost,
    FindId {
        tries: usize,
    },
    Page {
        id: String,
        tries: u32,
    },
    Leave,
    Cancel,
    Done,
}

/// Why a seat was left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Leaving {
    /// The game is over.
    Finished,
    /// The game goes on without the bot, for this reason.
    Unfinished(String),
    /// It is the opponent's turn in a correspondence game.
    Postal,
}

/// A request of a table, with the importance that orders waiting requests; small is urgent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Wish {
    pub(super) urgency: u8,
    pub(super) request: Outgoing,
    pub(super) timeout: Duration,
}

/// A request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Outgoing {
    Room(RoomRequest),
    Table { url: String, request: TableRequest },
    Page { id: String },
}

impl Outgoing {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Room(request) => request.name(),
            Self::Table { request, .. } => request.name(),
            Self::Page { .. } => "page",
        }
    }

    pub(super) fn is_poll(&self) -> bool {
        matches!(self, Self::Table { request: TableRequest::State { wait: Some(_), .. }, .. })
    }
}

/// When a table wants to act.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Want {
    /// Not before an answer arrives.
    Nothing,
    /// At this time.
    At(Duration),
    Now(Box<Wish>),
}

/// A seat.
#[derive(Clone, Debug)]
pub(super) struct TableBot {
    pub(super) gid: String,
    pub(super) side: Side,
    pub(super) stage: Stage,
    pub(super) leaving: Leaving,
    pub(super) url: String,
    pub(super) sid: Secret,
    pub(super) auth: Secret,
    /// The last state that made sense, and the number of lines in its moves.
    pub(super) state: Option<TableState>,
    pub(super) game: Option<Game>,
    pub(super) ply: usize,
    pub(super) clock: Option<TurnClock>,
    /// When the server would flag the bot, by the bot's clock.
    pub(super) deadline: Option<Duration>,
    /// When the turn in progress was first seen.
    pub(super) turn_seen: Duration,
    pub(super) polling: bool,
    pub(super) acting: bool,
    /// When to ask for the state at once, without waiting for a change.
    pub(super) fresh_at: Option<Duration>,
    pub(super) poll_at: Duration,
    pub(super) backoff: Backoff,
    pub(super) bad_states: u32,
    pub(super) turn: OwnTurn,
    pub(super) greeted: bool,
    pub(super) away_since: Option<Duration>,
    /// The request for a takeback that was answered, as number of lines.
    pub(super) takeback_answered: Option<usize>,
    pub(super) result: Option<RoomResult>,
    pub(super) permanent_id: Option<String>,
    pub(super) page: Option<crate::record::PageGame>,
    pub(super) failed_reservations: u32,
    pub(super) lost_seats: u32,
}

impl TableBot {
    pub(super) fn new(gid: String, side: Side, notes: GameNotes, now: Duration, seed: u64) -> Self {
        Self {
            gid,
            side,
            stage: Stage::Reserve,
            leaving: Leaving::Finished,
            url: String::new(),
            sid: Secret::default(),
            auth: Secret::default(),
            state: None,
            game: None,
            ply: 0,
            clock: None,
            deadline: None,
            turn_seen: now,
            polling: false,
            acting: false,
            fresh_at: None,
            poll_at: now,
            backoff: Backoff::new(seed),
            bad_states: 0,
            greeted: notes.greeted,
            turn: OwnTurn::new(notes),
            away_since: None,
            takeback_answered: None,
            result: None,
            permanent_id: None,
            page: None,
            failed_reservations: 0,
            lost_seats: 0,
        }
    }

    /// What the player has to do, if the last state made sense.
    pub(super) fn due(&self) -> Option<TurnDue> {
        self.state.as_ref().map(|state| state.due(self.side))
    }

    pub(super) fn own_turn(&self) -> bool {
        self.stage == Stage::Play && self.due() == Some(TurnDue::Own)
    }

    /// Forgets the seat.
    pub(super) fn unseat(&mut self, stage: Stage) {
        self.stage = stage;
        (self.state, self.game, self.deadline, self.fresh_at) = (None, None, None, None);
        self.turn.search = SearchState::None;
        self.turn.unconfirmed();
    }

    /// What to send next.
    pub(super) fn want(&self, now: Duration, room: Option<&Secret>, settings: &BotSettings) -> Want {
        let retry = self.backoff.until();
        if let (Stage::Play, false) = (&self.stage, self.acting) {
            // Failures of other requests do not delay the poll, which has its own pause.
            return earlier(self.want_play(now, settings), self.want_poll(now));
        }
        if self.acting {
            return if self.stage == Stage::Play { self.want_poll(now) } else { Want::Nothing };
        }
        if retry > now {
            return Want::At(retry);
        }
        let room_request = |build: &dyn Fn(Secret) -> RoomRequest| {
            room.map_or(Want::Nothing, |sid| wish(2, Outgoing::Room(build(sid.clone())), settings))
        };
        match &self.stage {
            Stage::Reserve => room_request(&|sid| RoomRequest::Reserve {
                sid,
                gid: self.gid.clone(),
                role: Role::Player(self.side),
            }),
            Stage::Sit(seat) => {
                let request = TableRequest::Sit { tid: seat.tid.clone(), grid: seat.grid.clone() };
                wish(2, Outgoing::Table { url: seat.url.clone(), request }, settings)
            }
            Stage::Lost => wish(2, self.find_id(), settings),
            Stage::FindId { .. } => wish(5, self.find_id(), settings),
            Stage::Page { id, .. } => wish(6, Outgoing::Page { id: id.clone() }, settings),
            Stage::Leave => wish(4, self.act(|sid, auth| TableRequest::Leave { sid, auth }), settings),
            Stage::Cancel => room_request(&|sid| RoomRequest::Cancel { sid, gid: self.gid.clone() }),
            Stage::Play | Stage::Done => Want::Nothing,
        }
    }

    fn find_id(&self) -> Outgoing {
        Outgoing::Room(RoomRequest::FindGameId { gid: self.gid.clone() })
    }

    fn act(&self, build: impl FnOnce(Secret, Secret) -> TableRequest) -> Outgoing {
        let request = build(self.sid.clone(), self.auth.clone());
        Outgoing::Table { url: self.url.clone(), request }
    }

    fn want_play(&self, now: Duration, settings: &BotSettings) -> Want {
        let retry = self.backoff.until();
        if retry > now {
            return Want::At(retry);
        }
        if self.fresh_at.is_some_and(|at| at <= now) || self.state.is_none() && self.bad_states == 0 {
            let request = self.state_request(None);
            return wish(1, Outgoing::Table { url: self.url.clone(), request }, settings);
        }
        let fresh = self.fresh_at.map_or(Want::Nothing, Want::At);
        let Some(state) = &self.state else { return fresh };
        let action = match self.due() {
            Some(TurnDue::Start) if self.fresh_at.is_none() => {
                wish(1, self.act(|sid, auth| TableRequest::Start { sid, auth }), settings)
            }
            Some(TurnDue::Own) if self.takeback_asked(state) && self.turn.pending.is_none() => {
                let accept = settings.takebacks == super::settings::TakebackPolicy::Unrated && !state.rated();
                let answer = |sid, auth| TableRequest::AnswerTakeback { sid, auth, accept };
                wish(3, self.act(answer), settings)
            }
            Some(TurnDue::Own) => self.want_move(now, settings),
            Some(TurnDue::OpponentAway) => {
                let since = self.away_since.unwrap_or(now);
                if since + AWAY_LIMIT <= now {
                    Want::Now(Box::new(self.leave(settings)))
                } else {
                    Want::Nothing
                }
            }
            _ => Want::Nothing,
        };
        let greet = !self.greeted
            && !settings.greeting.is_empty()
            && state.opponent(self.side).is_some()
            && self.game.as_ref().is_some_and(|game| game.tag().number <= 1)
            && matches!(self.due(), Some(TurnDue::Own | TurnDue::Opponent));
        let chat = if greet {
            let text = settings.greeting.clone();
            wish(4, self.act(|sid, auth| TableRequest::Chat { sid, auth, text }), settings)
        } else {
            Want::Nothing
        };
        earlier(earlier(action, chat), fresh)
    }

    fn leave(&self, settings: &BotSettings) -> Wish {
        let request = self.act(|sid, auth| TableRequest::Leave { sid, auth });
        Wish { urgency: 4, request, timeout: timeout(settings) }
    }

    /// The turn, when it is ready and polite to send it.
    fn want_move(&self, now: Duration, settings: &BotSettings) -> Want {
        if self.turn.resign {
            return wish(0, self.act(|sid, auth| TableRequest::Resign { sid, auth }), settings);
        }
        let Some(pending) = self.turn.ready(self.ply) else { return Want::Nothing };
        if pending.send_at > now {
            return Want::At(pending.send_at);
        }
        let turn = pending.text.clone();
        wish(0, self.act(|sid, auth| TableRequest::Move { sid, auth, turn }), settings)
    }

    fn takeback_asked(&self, state: &TableState) -> bool {
        state.takeback().is_some_and(|takeback| takeback.side != self.side)
            && self.takeback_answered != Some(self.ply)
    }

    /// A poll, which also keeps the seat from counting as away.
    fn want_poll(&self, now: Duration) -> Want {
        if self.polling || self.state.is_none() {
            return Want::Nothing;
        }
        if self.poll_at > now {
            return Want::At(self.poll_at);
        }
        let wait = self.wait();
        let request = self.state_request(Some(wait));
        let slack = Duration::from_secs(20).min(wait.max(Duration::from_secs(5)));
        let request = Outgoing::Table { url: self.url.clone(), request };
        Want::Now(Box::new(Wish { urgency: 3, request, timeout: wait + slack }))
    }

    /// How long a poll may be held. A broken connection is noticed only after that, so it is a fraction of the bot's time.
    fn wait(&self) -> Duration {
        if self.due() == Some(TurnDue::OpponentAway) {
            return AWAY_POLL;
        }
        let times = self.state.as_ref().and_then(TableState::times);
        let available =
            times.map_or(MAX_WAIT, |times| times.control.per_turn + times.reserves[self.side as usize]);
        (available / 4).clamp(Duration::from_secs(5), MAX_WAIT)
    }

    fn state_request(&self, wait: Option<Duration>) -> TableRequest {
        let last_change = self.state.as_ref().map(|state| state.last_change().to_owned());
        TableRequest::State { sid: self.sid.clone(), last_change: last_change.unwrap_or_default(), wait }
    }

    /// Takes over a state that made sense, or says why it does not.
    pub(super) fn accept(
        &mut self,
        state: TableState,
        sent: Duration,
        now: Duration,
        poll: bool,
    ) -> Result<(), String> {
        if let Some(auth) = state.auth() {
            self.auth = auth;
        }
        if let Some(result) = state.result() {
            (self.result, self.permanent_id) = (Some(result), state.finished_id().map(Into::into));
            self.state = Some(state);
            return Ok(());
        }
        let game = state.game().map_err(|error| error.to_string())?;
        let lines = state.moves().lines().filter(|line| line.split_whitespace().count() > 1).count();
        let number: u32 = state.fields().number("plycount").unwrap_or(0);
        if lines < self.ply || lines == 0 && number > 1 {
            return Err(format!("contradictory state: {lines} turns, but there were more before"));
        }
        if lines > self.ply || self.game.is_none() {
            // The clock of another turn.
            self.deadline = None;
            self.turn_seen = now;
        }
        self.away_since = match state.due(self.side) {
            TurnDue::OpponentAway => self.away_since.or(Some(now)),
            _ => None,
        };
        if state.due(self.side) == TurnDue::Own {
            self.clock = state.turn_clock(self.side, game.tag().number == 1);
            // The state of a poll was written just before it arrived, another one not before it was asked for.
            let written = if poll { now.saturating_sub(Duration::from_secs(1)) } else { sent };
            let estimate = self.clock.filter(|_| !state.postal()).map(|clock| written + clock.left);
            self.deadline = [self.deadline, estimate].into_iter().flatten().min();
        }
        (self.state, self.game, self.ply, self.bad_states) = (Some(state), Some(game), lines, 0);
        Ok(())
    }

    /// When it is polite to send a turn, if the clock permits it. Setups may come at once.
    pub(super) fn polite_time(&self, settings: &BotSettings, now: Duration) -> Duration {
        let setup = self.game.as_ref().is_some_and(|game| game.tag().number == 1);
        let polite = if setup { now } else { self.turn_seen + settings.min_turn_time };
        let latest =
            self.deadline.map_or(polite, |deadline| deadline.saturating_sub(settings.min_time_left * 2));
        polite.min(latest)
    }

    /// One line about a game that was taken up.
    pub(super) fn describe(&self) -> String {
        let Some(state) = &self.state else { return String::new() };
        let opponent = state.opponent(self.side).unwrap_or("no opponent yet");
        let rated = if state.rated() { "rated" } else { "unrated" };
        let control = TableState::printable(state.fields().get("timecontrol").unwrap_or_default());
        format!("seated as {} against {opponent}, {control}, {rated}", self.side)
    }

    /// Counts a state that made no sense; true when the game has to be left to its owner.
    pub(super) fn reject(&mut self, now: Duration) -> bool {
        self.bad_states += 1;
        let pause = Duration::from_secs(2).saturating_mul(self.bad_states).min(Duration::from_secs(30));
        (self.fresh_at, self.poll_at) = (Some(now + pause), now + pause);
        self.bad_states >= MAX_BAD_STATES
    }

    pub(super) fn after_poll(&mut self, sent: Duration) {
        self.polling = false;
        self.poll_at = sent + POLL_INTERVAL;
    }

    /// The game is over: ask for its permanent id, unless it is known.
    pub(super) fn finish(&mut self, now: Duration) {
        self.leaving = Leaving::Finished;
        self.turn.search = SearchState::None;
        match self.permanent_id.clone() {
            Some(id) => self.stage = Stage::Page { id, tries: 0 },
            None => {
                self.stage = Stage::FindId { tries: 0 };
                self.backoff.wait(now, Duration::from_secs(FIND_ID_PAUSES[0]));
            }
        }
    }

    /// The permanent id is known, or will not be.
    pub(super) fn found_id(&mut self, id: Option<String>, now: Duration) {
        let Stage::FindId { tries } = self.stage else { return };
        if let Some(id) = id {
            self.permanent_id = Some(id.clone());
            self.stage = Stage::Page { id, tries: 0 };
            self.backoff.reset();
            return;
        }
        match FIND_ID_PAUSES.get(tries + 1) {
            Some(&pause) => {
                self.stage = Stage::FindId { tries: tries + 1 };
                self.backoff.wait(now, Duration::from_secs(pause));
            }
            None => self.stage = Stage::Leave,
        }
    }

    /// The page of the game was read, or not.
    pub(super) fn got_page(&mut self, page: Option<crate::record::PageGame>, now: Duration) {
        let Stage::Page { tries, .. } = &mut self.stage else { return };
        *tries += 1;
        if page.is_none() && *tries < PAGE_TRIES {
            let pause = Duration::from_secs(5 * u64::from(*tries));
            self.backoff.wait(now, pause);
            return;
        }
        self.page = page;
        self.backoff.reset();
        // Without a seat, there is nothing to leave.
        self.stage = if self.sid.is_empty() { Stage::Done } else { Stage::Leave };
    }
}

pub(super) const fn timeout(settings: &BotSettings) -> Duration {
    // Long enough for a slow server, short enough for a quick game.
    let _ = settings;
    Duration::from_secs(10)
}

fn wish(urgency: u8, request: Outgoing, settings: &BotSettings) -> Want {
    Want::Now(Box::new(Wish { urgency, request, timeout: timeout(settings) }))
}

/// The one that comes first; of two that are possible now, the more urgent.
fn earlier(a: Want, b: Want) -> Want {
    match (a, b) {
        (Want::Nothing, other) | (other, Want::Nothing) => other,
        (Want::Now(a), Want::Now(b)) => Want::Now(if a.urgency <= b.urgency { a } else { b }),
        (now @ Want::Now(_), Want::At(_)) | (Want::At(_), now @ Want::Now(_)) => now,
        (Want::At(a), Want::At(b)) => Want::At(a.min(b)),
    }
}
