//! The loop that plays one game between engines.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use surus_play::{Answer, Info, Job, Limits, StopToken};
use surus_rules::{Game, GameResult, IllegalTurn, Phase, Score, Side, Termination};

use crate::adjudication::{Adjudication, ResignTracker};
use crate::fault::{Fault, FaultKind};
use crate::limits::{EngineLimits, GameClocks};
use crate::observer::{Decision, Observer, Players};

/// Statistics of a turn.
#[derive(Clone, PartialEq, Debug)]
pub struct TurnStats {
    /// Time used.
    pub elapsed: Duration,
    /// Reserves after the turn in seconds, gold's first.
    pub reserves: [u64; 2],
    /// Last score that the engine reported.
    pub score: Option<Score>,
    /// Last reported depth in steps.
    pub depth: Option<u32>,
    /// Last reported node count.
    pub nodes: Option<u64>,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct MatchGame {
    /// The game with its result.
    pub game: Game,
    /// Statistics of every turn played.
    pub turns: Vec<TurnStats>,
    /// Why the loser forfeited, if it did.
    pub forfeit_reason: Option<Fault>,
}

impl MatchGame {
    /// The result; a game that ended without one counts as abandoned.
    #[must_use]
    pub fn ending(&self) -> GameResult {
        self.game.result().unwrap_or(GameResult { winner: None, reason: Termination::Abandoned })
    }

    /// Ends the game with a forfeit of `loser`.
    pub(crate) fn forfeit(&mut self, loser: Side, fault: Fault) {
        self.game.end(GameResult::win(loser.other(), fault.kind.reason()));
        self.forfeit_reason = Some(fault);
    }
}

/// Options of a game.
#[derive(Clone, Debug)]
pub struct GameOptions {
    /// When to adjudicate the game.
    pub adjudication: Adjudication,
    /// Time after which an untimed engine forfeits.
    pub stall_timeout: Duration,
    /// Stops the game; it then has no result.
    pub stop: StopToken,
}

/// Plays a game from an opening to its end. A fault of an engine, even a panic, ends only this game. Returns `None` if the
/// game was stopped or aborted by the observer.
pub fn play_game(
    mut players: Players<'_>,
    limits: [EngineLimits; 2],
    opening: Game,
    options: &GameOptions,
    observer: &mut dyn Observer,
) -> Option<MatchGame> {
    let match_game = run_game(&mut players, limits, opening, options, observer)?;
    // The result stands, so a panic is ignored.
    players.for_each(|engine| drop(catch_unwind(AssertUnwindSafe(|| engine.game_over(&match_game.game)))));
    observer.on_end(&match_game);
    Some(match_game)
}

fn run_game(
    players: &mut Players<'_>,
    limits: [EngineLimits; 2],
    opening: Game,
    options: &GameOptions,
    observer: &mut dyn Observer,
) -> Option<MatchGame> {
    players.for_each(|engine| engine.new_game());
    let mut match_game = MatchGame { game: opening, turns: Vec::new(), forfeit_reason: None };
    let mut time = GameClocks::new(limits);
    let mut resign_tracker = ResignTracker::default();
    loop {
        let (side, setup) = match match_game.game.phase() {
            Phase::Over(_) => return Some(match_game),
            Phase::Setup(side) => (side, true),
            Phase::Play(side) => (side, false),
        };
        if observer.on_turn(&match_game.game).is_break() {
            return None;
        }
        let request = TurnRequest { game: &match_game.game, time: &time, side, setup, options };
        let search = request.decide(players, observer)?;
        let charged = time.record_turn(side, search.elapsed, setup);
        let played = match (search.outcome, charged) {
            (_, Err(error)) => Err(Fault { kind: FaultKind::OutOfTime, detail: error.to_string() }),
            (Err(fault), Ok(())) => Err(fault),
            (Ok(NextAction::End(ending)), Ok(())) => {
                match_game.game.end(ending);
                return Some(match_game);
            }
            (Ok(NextAction::Play(answer)), Ok(())) => apply(&mut match_game.game, &answer),
        };
        if let Err(fault) = played {
            match_game.forfeit(side, fault);
            return Some(match_game);
        }
        if match_game.game.result().is_none_or(|ending| ending.reason != Termination::Resignation) {
            match_game.turns.push(TurnStats {
                elapsed: search.elapsed,
                reserves: Side::BOTH.map(|side| time.reserve(side)),
                score: search.info.score,
                depth: search.info.depth,
                nodes: search.info.nodes,
            });
        }
        if let Some(ending) =
            resign_tracker.update(&options.adjudication, side, search.info.score, &match_game.game)
        {
            match_game.game.end(ending);
        }
    }
}

/// A request for a turn of one side.
struct TurnRequest<'a> {
    game: &'a Game,
    time: &'a GameClocks,
    side: Side,
    setup: bool,
    options: &'a GameOptions,
}

/// The outcome of one search.
struct SearchOutcome<T> {
    outcome: Result<T, Fault>,
    elapsed: Duration,
    /// The last reported value of each field.
    info: Info,
}

/// The observer's decision.
enum NextAction {
    Play(Answer),
    End(GameResult),
}

impl TurnRequest<'_> {
    /// Searches until the observer accepts the answer. Returns `None` if the game was stopped or aborted.
    fn decide(
        &self,
        players: &mut Players<'_>,
        observer: &mut dyn Observer,
    ) -> Option<SearchOutcome<NextAction>> {
        let mut limits = self.time.limits(self.side, self.setup);
        let mut total = Duration::ZERO;
        loop {
            let SearchOutcome { outcome, elapsed: used, info } = self.think(players, limits, observer);
            total += used;
            if self.options.stop.should_stop() {
                return None;
            }
            let outcome = match outcome.map(|answer| observer.on_answer(self.game, answer)) {
                Ok(Decision::Play(answer)) => Ok(NextAction::Play(answer)),
                Ok(Decision::End(ending)) => Ok(NextAction::End(ending)),
                Ok(Decision::Abort) => return None,
                Ok(Decision::Retry(new_limits)) => {
                    limits = new_limits;
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
        let deadline = self.time.deadline(self.side, self.setup).unwrap_or(self.options.stall_timeout);
        let stop = self.options.stop.with_deadline(limits.time, deadline);
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
        let engine = players.engine(self.side);
        let start = Instant::now();
        // A panic of an engine in this process forfeits the game and does not end the tournament.
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
