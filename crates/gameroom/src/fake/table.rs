//! A table: one game with its clocks.

use std::time::Duration;

use surus_rules::{
    Clock, Game, GameResult, Handicap, PlayedTurn, Rules, Side, Termination, TimeControl, TurnTag,
};

use super::opponent::Plan;
use crate::protocol::{Role, RoomResult, side_letter};

/// The server flags a player this long after the time is up.
const FLAG_GRACE: Duration = Duration::from_secs(1);

/// After a refused turn, legal ones are ignored for this long.
const IGNORE_AFTER_REFUSAL: Duration = Duration::from_secs(4);

/// Games with more time per turn are played by correspondence.
const POSTAL: Duration = Duration::from_secs(3600);

/// A seat of a player.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct TableSeat {
    pub(super) player: String,
    pub(super) sid: Option<String>,
    pub(super) auth: String,
    pub(super) present: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Reservation {
    pub(super) tid: String,
    pub(super) grid: String,
    pub(super) user: String,
    pub(super) role: Role,
}

/// A turn that was sent and not yet processed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LateMove {
    pub(super) at: Duration,
    pub(super) side: Side,
    pub(super) text: String,
}

/// A turn that a client sent, and what became of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedMove {
    /// When it was processed.
    pub at: Duration,
    /// Who sent it.
    pub side: Side,
    /// The number of turns and takebacks before it.
    pub ply: usize,
    /// The text.
    pub text: String,
    /// Whether it was played, or why not.
    pub outcome: Result<(), String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Table {
    pub(super) gid: u64,
    pub(super) time_control: String,
    pub(super) rated: bool,
    pub(super) seats: [TableSeat; 2],
    pub(super) viewers: Vec<String>,
    pub(super) reservations: Vec<Reservation>,
    pub(super) game: Game,
    /// The turns and takebacks so far, without the label of the turn that is due.
    lines: Vec<String>,
    pub(super) clock: Clock,
    /// Seconds used for the last turn of each side.
    pub(super) used: [u64; 2],
    pub(super) times_used: Vec<u64>,
    pub(super) created: Duration,
    pub(super) started: Option<Duration>,
    pub(super) turn_started: Duration,
    pub(super) change: u64,
    pub(super) result: Option<RoomResult>,
    /// Permanent id and end.
    pub(super) finished: Option<(u64, Duration)>,
    pub(super) takeback: Option<(Side, TurnTag)>,
    pub(super) chat: Vec<String>,
    pub(super) ignore_until: Duration,
    pub(super) late: Vec<LateMove>,
    pub(super) requests: Vec<PlayedMove>,
    pub(super) cancelled: bool,
    pub(super) plan: Option<Plan>,
}

impl Table {
    pub(super) fn new(gid: u64, control: TimeControl, text: &str, rated: bool, now: Duration) -> Self {
        Self {
            gid,
            time_control: text.into(),
            rated,
            seats: Default::default(),
            viewers: Vec::new(),
            reservations: Vec::new(),
            game: Game::new(Rules::Official, Handicap::None),
            lines: Vec::new(),
            clock: Clock::new(control),
            used: [0; 2],
            times_used: Vec::new(),
            created: now,
            started: None,
            turn_started: now,
            change: 1,
            result: None,
            finished: None,
            takeback: None,
            chat: Vec::new(),
            ignore_until: Duration::ZERO,
            late: Vec::new(),
            requests: Vec::new(),
            cancelled: false,
            plan: None,
        }
    }

    pub(super) fn postal(&self) -> bool {
        let control = self.clock.control();
        control.per_turn > POSTAL || self.time_control == "0/0/0/0/0"
    }

    /// The seat of a session.
    pub(super) fn seat_of(&self, sid: &str) -> Option<Role> {
        let player =
            Side::BOTH.into_iter().find(|&side| self.seats[side as usize].sid.as_deref() == Some(sid));
        player
            .map(Role::Player)
            .or_else(|| self.viewers.iter().any(|viewer| viewer == sid).then_some(Role::Viewer))
    }

    pub(super) fn player_at(&self, role: Role) -> &str {
        match role {
            Role::Player(side) => &self.seats[side as usize].player,
            Role::Viewer => "viewer",
        }
    }

    /// The moves, with the label of the turn that is due at the end.
    pub(super) fn moves(&self) -> String {
        let label = format!("{} ", old_tag(self.game.tag()));
        self.lines.iter().cloned().chain([label]).collect::<Vec<_>>().join("\n")
    }

    pub(super) fn setup(&self) -> bool {
        self.game.tag().number == 1
    }

    pub(super) fn changed(&mut self) {
        self.change += 1;
    }

    pub(super) fn running(&self) -> bool {
        self.started.is_some() && self.result.is_none()
    }

    pub(super) fn start(&mut self, now: Duration) {
        if self.started.is_none() {
            self.started = Some(now);
            self.turn_started = now;
            self.changed();
        }
    }

    /// Whole seconds of the turn in progress.
    pub(super) fn seconds_used(&self, now: Duration) -> u64 {
        if self.running() { now.saturating_sub(self.turn_started).as_secs() } else { 0 }
    }

    /// When the side to move loses on time.
    pub(super) fn flag_at(&self) -> Option<Duration> {
        let unlimited = self.time_control == "0/0/0/0/0";
        let allowed = self.clock.available(self.game.side(), self.setup());
        (self.running() && !unlimited).then_some(self.turn_started + allowed + FLAG_GRACE)
    }

    /// Plays a turn that a client sent.
    pub(super) fn submit(&mut self, side: Side, text: &str, now: Duration) -> Result<(), String> {
        let ply = self.lines.len();
        let outcome = self.try_play(side, text, now);
        self.requests.push(PlayedMove { at: now, side, ply, text: text.into(), outcome: outcome.clone() });
        outcome
    }

    fn try_play(&mut self, side: Side, text: &str, now: Duration) -> Result<(), String> {
        if self.result.is_some() {
            return Err("The game is over.".into());
        }
        if self.game.side() != side {
            return Err("It is not your turn.".into());
        }
        if self.started.is_none() && !self.postal() {
            return Err("The game has not started.".into());
        }
        let mut game = self.game.clone();
        game.play_text(text).map_err(|error| format!("Bad Move: {error}"))?;
        let Some(entry) = game.entries().last() else { return Err("Bad Move: empty".into()) };
        let notation = match &entry.played {
            PlayedTurn::Setup(setup) => setup.to_string(),
            PlayedTurn::Turn(turn) => self.game.turn_start().notation(turn).to_string(),
        };
        // The captures must be part of the turn.
        let captures = |text: &str| text.split_whitespace().filter(|token| token.ends_with('x')).count();
        if captures(&notation) != captures(text) {
            return Err(format!("Bad Move: captures missing, expected {notation}"));
        }
        self.play(game, &notation, now);
        Ok(())
    }

    /// Replaces the game by one with one more turn.
    pub(super) fn play(&mut self, game: Game, notation: &str, now: Duration) {
        let (side, setup, tag) = (self.game.side(), self.setup(), self.game.tag());
        self.start(now);
        let used = self.seconds_used(now);
        // The flag falls with a grace, so a turn can be a second late.
        let _ = self.clock.charge(side, Duration::from_secs(used), setup);
        self.used[side as usize] = used;
        self.times_used.push(used);
        self.lines.push(format!("{} {notation}", old_tag(tag)));
        self.game = game;
        self.turn_started = now;
        self.takeback = None;
        self.changed();
        if let Some(result) = self.game.result() {
            self.end(result, now);
        }
    }

    /// Takes back the last turn.
    pub(super) fn undo(&mut self, now: Duration) {
        let label = old_tag(self.game.tag());
        if self.game.undo_turn().is_some() {
            self.lines.push(format!("{label} takeback"));
            self.turn_started = now;
        }
        self.takeback = None;
        self.changed();
    }

    pub(super) fn end(&mut self, result: GameResult, now: Duration) {
        if self.result.is_none() {
            self.result = Some(result.into());
            // Permanent ids have nothing to do with running ones.
            self.finished = Some((700_000 + self.gid, now));
            self.game.end(result);
            self.changed();
        }
    }

    pub(super) fn refuse_until(&mut self, now: Duration) {
        self.ignore_until = now + IGNORE_AFTER_REFUSAL;
    }

    pub(super) fn lose(&mut self, loser: Side, reason: Termination, now: Duration) {
        self.end(GameResult::win(loser.other(), reason), now);
    }

    pub(super) fn cancel(&mut self) {
        self.cancelled = true;
        self.changed();
    }
}

/// A tag with the letters of the gameroom.
pub(super) fn old_tag(tag: TurnTag) -> String {
    format!("{}{}", tag.number, side_letter(tag.side))
}
