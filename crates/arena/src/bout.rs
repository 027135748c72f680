//! The game loop of everything that plays games.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use surus_play::{Answer, Info, Job, Limits, StopToken};
use surus_rules::{Game, GameResult, IllegalTurn, Phase, Score, Side, Termination};

use crate::adjudication::{Adjudication, Agreement};
use crate::fault::{Fault, FaultKind};
use crate::observer::{Decision, Observer, Players};
use crate::pace::{Pace, Timekeeper};

/// What is noted of a turn.
#[derive(Clone, PartialEq, Debug)]
pub struct TurnNote {
    /// How long it took.
    pub used: Duration,
    /// The reserves after it in seconds, gold's first.
    pub reserves: [u64; 2],
    /// What the engine said last about its position.
    pub score: Option<Score>,
    /// How deep it looked, in steps.
    pub depth: Option<u32>,
    /// How many positions it looked at.
    pub nodes: Option<u64>,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Bout {
    /// With its ending.
    pub game: Game,
    /// A note for every turn played.
    pub notes: Vec<TurnNote>,
    /// What the loser did wrong, if it was not beaten by the rules.
    pub fault: Option<Fault>,
}

impl Bout {
    /// How it ended. A game without a winner was cut.
    #[must_use]
    pub fn ending(&self) -> GameResult {
        self.game.result().unwrap_or(GameResult { winner: None, reason: Termination::Abandoned })
    }

    /// A game that a side loses by a fault.
    pub(crate) fn forfeit(&mut self, loser: Side, fault: Fault) {
        self.game.end(GameResult::win(loser.other(), fault.kind.reason()));
        self.fault = Some(fault);
    }
}

/// The rules of a match.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// When to cut games.
    pub adjudication: Adjudication,
    /// An engine that is held to no time and says nothing for so long has failed.
    pub stall: Duration,
    /// Ends the game from outside; it then has no result.
    pub stop: StopToken,
}

/// Plays a game from an opening to its end. Nothing that an engine does ends more than this game. Returns `None` if the
/// game was stopped from outside or dropped by the observer.
pub fn play(
    mut players: Players<'_>,
    paces: [Pace; 2],
    opening: Game,
    conditions: &Conditions,
    observer: &mut dyn Observer,
) -> Option<Bout> {
    let bout = play_out(&mut players, paces, opening, conditions, observer)?;
    // The game is played: a panic can't change it any more.
    players.for_each(|engine| drop(catch_unwind(AssertUnwindSafe(|| engine.game_over(&bout.game)))));
    observer.on_end(&bout);
    Some(bout)
}

fn play_out(
    players: &mut Players<'_>,
    paces: [Pace; 2],
    opening: Game,
    conditions: &Conditions,
    observer: &mut dyn Observer,
) -> Option<Bout> {
    players.for_each(|engine| engine.new_game());
    let mut bout = Bout { game: opening, notes: Vec::new(), fault: None };
    let mut time = Timekeeper::new(paces);
    let mut agreement = Agreement::default();
    loop {
        let (side, setup) = match bout.game.phase() {
            Phase::Over(_) => return Some(bout),
            Phase::Setup(side) => (side, true),
            Phase::Play(side) => (side, false),
        };
        if observer.on_turn(&bout.game).is_break() {
            return None;
        }
        let asked = Asked { game: &bout.game, time: &time, side, setup, conditions };
        let thought = asked.decide(players, observer)?;
        let booked = time.charge(side, thought.used, setup);
        let played = match (thought.outcome, booked) {
            (_, Err(error)) => Err(Fault { kind: FaultKind::OutOfTime, detail: error.to_string() }),
            (Err(fault), Ok(())) => Err(fault),
            (Ok(Next::End(ending)), Ok(())) => {
                bout.game.end(ending);
                return Some(bout);
            }
            (Ok(Next::Play(answer)), Ok(())) => apply(&mut bout.game, &answer),
        };
        if let Err(fault) = played {
            bout.forfeit(side, fault);
            return Some(bout);
        }
        if bout.game.result().is_none_or(|ending| ending.reason != Termination::Resignation) {
            bout.notes.push(TurnNote {
                used: thought.used,
                reserves: Side::BOTH.map(|side| time.reserve(side)),
                score: thought.info.score,
                depth: thought.info.depth,
                nodes: thought.info.nodes,
            });
        }
        if let Some(ending) =
            agreement.verdict(&conditions.adjudication, side, thought.info.score, &bout.game)
        {
            bout.game.end(ending);
        }
    }
}

/// A turn that a side is asked for.
struct Asked<'a> {
    game: &'a Game,
    time: &'a Timekeeper,
    side: Side,
    setup: bool,
    conditions: &'a Conditions,
}

/// What came of asking an engine.
struct Thought<T> {
    outcome: Result<T, Fault>,
    used: Duration,
    /// The last of everything it reported.
    info: Info,
}

/// How the game goes on.
enum Next {
    Play(Answer),
    End(GameResult),
}

impl Asked<'_> {
    /// Asks until the observer is content. Returns `None` if the game was stopped or dropped.
    fn decide(&self, players: &mut Players<'_>, observer: &mut dyn Observer) -> Option<Thought<Next>> {
        let mut limits = self.time.limits(self.side, self.setup);
        let mut total = Duration::ZERO;
        loop {
            let Thought { outcome, used, info } = self.think(players, limits, observer);
            total += used;
            if self.conditions.stop.should_stop() {
                return None;
            }
            let outcome = match outcome.map(|answer| observer.on_answer(self.game, answer)) {
                Ok(Decision::Play(answer)) => Ok(Next::Play(answer)),
                Ok(Decision::End(ending)) => Ok(Next::End(ending)),
                Ok(Decision::Abort) => return None,
                Ok(Decision::Retry(other)) => {
                    limits = other;
                    continue;
                }
                Err(fault) => Err(fault),
            };
            return Some(Thought { outcome, used: total, info });
        }
    }

    fn think(
        &self,
        players: &mut Players<'_>,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> Thought<Answer> {
        let latest = self.time.latest(self.side, self.setup).unwrap_or(self.conditions.stall);
        let stop = self.conditions.stop.with_deadline(limits.time, latest);
        let clock = self.time.clock(self.side).copied();
        let job = Job { clock, stop, ..Job::limited(self.game.clone(), limits) };
        let mut info = Info::default();
        let mut report = |new: Info| {
            if new.pv_index == 0 {
                info.score = new.score.or(info.score);
                info.depth = new.depth.or(info.depth);
                info.nodes = new.nodes.or(info.nodes);
            }
            observer.on_info(&new);
        };
        let engine = players.of(self.side);
        let start = Instant::now();
        // An engine in this process that panics loses its game, not the tournament.
        let answer = catch_unwind(AssertUnwindSafe(|| engine.think(&job, &mut report)));
        let used = start.elapsed();
        let panicked = || Fault { kind: FaultKind::Panicked, detail: "the engine panicked".into() };
        let outcome =
            answer.map_or_else(|_| Err(panicked()), |answer| answer.map_err(|error| Fault::from(&error)));
        Thought { outcome, used, info }
    }
}

fn apply(game: &mut Game, answer: &Answer) -> Result<(), Fault> {
    let illegal = |text: String, error: IllegalTurn| Fault {
        kind: FaultKind::IllegalTurn,
        detail: format!("illegal turn '{text}': {error}"),
    };
    match answer {
        Answer::Turn(turn) => game.play(turn).map_err(|error| illegal(turn.to_string(), error)),
        Answer::Setup(setup) => game.play_setup(*setup).map_err(|error| illegal(setup.to_string(), error)),
        Answer::Resign => {
            game.end(GameResult::win(game.side().other(), Termination::Resignation));
            Ok(())
        }
    }
}
