//! The game loop of everything that plays games.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use surus_play::{Answer, Info, Job, Limits, StopToken};
use surus_rules::{Game, GameResult, IllegalTurn, Phase, Score, Side, Termination};

use crate::adjudication::{Adjudication, ResignTracker};
use crate::fault::{Fault, FaultKind};
use crate::limits::{EngineLimits, GameClocks};
use crate::observer::{Decision, Observer, Players};

/// What is noted of a turn.
#[derive(Clone, PartialEq, Debug)]
pub struct TurnStats {
    /// How long it took.
    pub elapsed: Duration,
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
pub struct MatchGame {
    /// With its ending.
    pub game: Game,
    /// A note for every turn played.
    pub turns: Vec<TurnStats>,
    /// What the loser did wrong, if it was not beaten by the rules.
    pub forfeit_reason: Option<Fault>,
}

impl MatchGame {
    /// How it ended. A game without a winner was cut.
    #[must_use]
    pub fn ending(&self) -> GameResult {
        self.game.result().unwrap_or(GameResult { winner: None, reason: Termination::Abandoned })
    }

    /// A game that a side loses by a fault.
    pub(crate) fn forfeit(&mut self, loser: Side, fault: Fault) {
        self.game.end(GameResult::win(loser.other(), fault.kind.reason()));
        self.forfeit_reason = Some(fault);
    }
}

/// The rules of a match.
#[derive(Clone, Debug)]
pub struct GameOptions {
    /// When to cut games.
    pub adjudication: Adjudication,
    /// An engine that is held to no time and says nothing for so long has failed.
    pub stall_timeout: Duration,
    /// Ends the game from outside; it then has no result.
    pub stop: StopToken,
}

/// Plays a game from an opening to its end. Nothing that an engine does ends more than this game. Returns `None` if the
/// game was stopped from outside or dropped by the observer.
pub fn play_game(
    mut players: Players<'_>,
    paces: [EngineLimits; 2],
    opening: Game,
    conditions: &GameOptions,
    observer: &mut dyn Observer,
) -> Option<MatchGame> {
    let bout = run_game(&mut players, paces, opening, conditions, observer)?;
    // The game is played: a panic can't change it any more.
    players.for_each(|engine| drop(catch_unwind(AssertUnwindSafe(|| engine.game_over(&bout.game)))));
    observer.on_end(&bout);
    Some(bout)
}

fn run_game(
    players: &mut Players<'_>,
    paces: [EngineLimits; 2],
    opening: Game,
    conditions: &GameOptions,
    observer: &mut dyn Observer,
) -> Option<MatchGame> {
    players.for_each(|engine| engine.new_game());
    let mut bout = MatchGame { game: opening, turns: Vec::new(), forfeit_reason: None };
    let mut time = GameClocks::new(paces);
    let mut agreement = ResignTracker::default();
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
        let booked = time.record_turn(side, thought.elapsed, setup);
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
            bout.turns.push(TurnStats {
                elapsed: thought.elapsed,
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
    time: &'a GameClocks,
    side: Side,
    setup: bool,
    conditions: &'a GameOptions,
}

/// What came of asking an engine.
struct SearchOutcome<T> {
    outcome: Result<T, Fault>,
    elapsed: Duration,
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
    fn decide(&self, players: &mut Players<'_>, observer: &mut dyn Observer) -> Option<SearchOutcome<Next>> {
        let mut limits = self.time.limits(self.side, self.setup);
        let mut total = Duration::ZERO;
        loop {
            let SearchOutcome { outcome, elapsed: used, info } = self.think(players, limits, observer);
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
            return Some(SearchOutcome { outcome, elapsed: total, info });
        }
    }

    fn think(
        &self,
        players: &mut Players<'_>,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> SearchOutcome<Answer> {
        let latest = self.time.deadline(self.side, self.setup).unwrap_or(self.conditions.stall_timeout);
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
        SearchOutcome { outcome, elapsed: used, info }
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
