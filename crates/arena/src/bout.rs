//! One game between two engines.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use surus_play::{Answer, Engine, EngineError, Info, Job, Stop};
use surus_rules::{Ending, Game, IllegalTurn, Phase, Reason, Score, Side};

use crate::pace::{Pace, Timekeeper};

/// When a game is cut short; by default never.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Adjudication {
    /// Both engines see the same side ahead by so many hundredths of a rabbit, for so many turns in a row: it wins.
    pub score: Option<(i32, u32)>,
    /// After so many turns of both sides together nobody wins.
    pub length: Option<u32>,
}

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
    pub fault: Option<String>,
}

impl Bout {
    /// How it ended. A game without a winner was cut.
    #[must_use]
    pub fn ending(&self) -> Ending {
        self.game.ending().unwrap_or(Ending { winner: None, reason: Reason::Abandoned })
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
    pub stop: Stop,
}

/// Plays a game from an opening to its end. Nothing that an engine does ends more than this game. Nothing comes
/// back if the game was ended from outside.
pub fn play(
    engines: [&mut dyn Engine; 2],
    paces: [Pace; 2],
    opening: Game,
    conditions: &Conditions,
) -> Option<Bout> {
    let [gold, silver] = engines;
    let bout = play_out([&mut *gold, &mut *silver], paces, opening, conditions)?;
    for engine in [gold, silver] {
        // The game is played: a panic can't change it any more.
        let _ = catch_unwind(AssertUnwindSafe(|| engine.game_over(&bout.game)));
    }
    Some(bout)
}

fn play_out(
    engines: [&mut dyn Engine; 2],
    paces: [Pace; 2],
    opening: Game,
    conditions: &Conditions,
) -> Option<Bout> {
    let [gold, silver] = engines;
    gold.new_game();
    silver.new_game();
    let mut bout = Bout { game: opening, notes: Vec::new(), fault: None };
    let mut time = Timekeeper::new(paces);
    let mut agreement = Agreement::default();
    loop {
        let (side, setup) = match bout.game.phase() {
            Phase::Over(_) => return Some(bout),
            Phase::Setup(side) => (side, true),
            Phase::Play(side) => (side, false),
        };
        let engine: &mut dyn Engine = if side == Side::Gold { gold } else { silver };
        let thought = think(engine, &bout.game, &time, (side, setup), conditions);
        if conditions.stop.requested() {
            return None;
        }
        let note = |time: &Timekeeper| TurnNote {
            used: thought.used,
            reserves: Side::BOTH.map(|side| time.reserve(side)),
            score: thought.info.score,
            depth: thought.info.depth,
            nodes: thought.info.nodes,
        };
        let booked = time.charge(side, thought.used, setup);
        let lost = match (thought.answer, booked) {
            (_, Err(error)) => Some((Reason::Time, error.to_string())),
            (Err((reason, fault)), Ok(())) => Some((reason, fault)),
            (Ok(answer), Ok(())) => apply(&mut bout.game, &answer).err(),
        };
        if let Some((reason, fault)) = lost {
            bout.game.end(Ending::win(side.other(), reason));
            bout.fault = Some(fault);
            return Some(bout);
        }
        if bout.game.ending().is_none_or(|ending| ending.reason != Reason::Resignation) {
            bout.notes.push(note(&time));
        }
        if let Some(ending) =
            agreement.verdict(&conditions.adjudication, side, thought.info.score, &bout.game)
        {
            bout.game.end(ending);
        }
    }
}

/// What came of asking an engine.
struct Thought {
    answer: Result<Answer, (Reason, String)>,
    used: Duration,
    /// The last of everything it reported.
    info: Info,
}

fn think(
    engine: &mut dyn Engine,
    game: &Game,
    time: &Timekeeper,
    (side, setup): (Side, bool),
    conditions: &Conditions,
) -> Thought {
    let limits = time.limits(side, setup);
    let latest = time.latest(side, setup).unwrap_or(conditions.stall);
    let stop = conditions.stop.with_deadline(limits.time, latest);
    let job = Job { clock: time.clock(side).copied(), stop, ..Job::limited(game.clone(), limits) };
    let mut info = Info::default();
    let mut report = |new: Info| {
        if new.line == 0 {
            info.score = new.score.or(info.score);
            info.depth = new.depth.or(info.depth);
            info.nodes = new.nodes.or(info.nodes);
        }
    };
    let start = Instant::now();
    // An engine in this process that panics loses its game, not the tournament.
    let answer = catch_unwind(AssertUnwindSafe(|| engine.think(&job, &mut report)));
    let used = start.elapsed();
    let answer = match answer {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(error)) => Err((reason_of(&error), error.to_string())),
        Err(_) => Err((Reason::Forfeit, "the engine panicked".into())),
    };
    Thought { answer, used, info }
}

/// Which code of the archive tells of a failure.
const fn reason_of(error: &EngineError) -> Reason {
    match error {
        EngineError::Nonsense(_) => Reason::Illegal,
        EngineError::Stalled(_) => Reason::Time,
        _ => Reason::Forfeit,
    }
}

fn apply(game: &mut Game, answer: &Answer) -> Result<(), (Reason, String)> {
    let illegal =
        |text: String, error: IllegalTurn| (Reason::Illegal, format!("illegal turn '{text}': {error}"));
    match answer {
        Answer::Turn(turn) => game.play(turn).map_err(|error| illegal(turn.to_string(), error)),
        Answer::Setup(setup) => game.play_setup(*setup).map_err(|error| illegal(setup.to_string(), error)),
        Answer::Resign => {
            game.end(Ending::win(game.side().other(), Reason::Resignation));
            Ok(())
        }
    }
}

/// For how long both engines have seen the same side far ahead.
#[derive(Default)]
struct Agreement {
    leader: Option<Side>,
    turns: u32,
}

impl Agreement {
    fn verdict(
        &mut self,
        rules: &Adjudication,
        mover: Side,
        score: Option<Score>,
        game: &Game,
    ) -> Option<Ending> {
        if game.ending().is_some() {
            return None;
        }
        if let Some((least, hold)) = rules.score {
            let leader = match score {
                Some(score) if score >= Score::Centirabbits(least) => Some(mover),
                Some(score) if score <= Score::Centirabbits(-least) => Some(mover.other()),
                _ => None,
            };
            self.turns = if leader.is_some() && leader == self.leader {
                self.turns + 1
            } else {
                u32::from(leader.is_some())
            };
            self.leader = leader;
            if let Some(leader) = leader.filter(|_| hold.max(2) <= self.turns) {
                return Some(Ending::win(leader, Reason::Score));
            }
        }
        let over = rules.length.is_some_and(|most| most as usize <= game.entries().len());
        over.then_some(Ending { winner: None, reason: Reason::Score })
    }
}
