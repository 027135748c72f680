//! Putting the tests of a suite to an engine.

use std::time::{Duration, Instant};

use surus_play::{Answer, Engine, EngineError, Job, Limits, Stop, check_limits};
use surus_rules::Turn;

use super::{Points, Test};

/// How the tests are put.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// For each answer.
    pub limits: Limits,
    /// How often each test is put.
    pub cycles: u32,
}

/// One answer of an engine.
#[derive(Clone, PartialEq, Debug)]
pub struct Answered {
    /// Which test, by its place in the list.
    pub test: usize,
    /// In which cycle, from 0.
    pub cycle: u32,
    /// The turn; none if the engine resigned.
    pub turn: Option<Turn>,
    /// What it is worth.
    pub points: Points,
    /// How long it took.
    pub time: Duration,
}

/// Puts every test to the engine, cycle after cycle, and reports each answer as it comes. False from the report ends
/// the run. What the engine can't be limited by is refused before the first test.
pub fn run(
    engine: &mut dyn Engine,
    tests: &[Test],
    settings: &Settings,
    report: &mut dyn FnMut(&Answered) -> bool,
) -> Result<Vec<Answered>, EngineError> {
    check_limits(&engine.id(), &settings.limits)?;
    let mut answers = Vec::new();
    for cycle in 0..settings.cycles {
        for (index, test) in tests.iter().enumerate() {
            let start = Instant::now();
            let turn = ask(engine, test, settings.limits)
                .map_err(|error| EngineError::Failed(format!("test '{}': {error}", test.name)))?;
            let time = start.elapsed();
            let points = match &turn {
                Some(turn) => test.points(turn),
                None => Points { got: 0.0, most: test.condition.most() },
            };
            let answered = Answered { test: index, cycle, turn, points, time };
            let goes_on = report(&answered);
            answers.push(answered);
            if !goes_on {
                return Ok(answers);
            }
        }
    }
    Ok(answers)
}

fn ask(engine: &mut dyn Engine, test: &Test, limits: Limits) -> Result<Option<Turn>, EngineError> {
    engine.new_game();
    let job = Job { stop: Stop::after(limits.time), ..Job::limited(test.game.clone(), limits) };
    match engine.think(&job, &mut |_| {})? {
        Answer::Turn(turn) => Ok(Some(turn)),
        Answer::Resign => Ok(None),
        Answer::Setup(_) => Err(EngineError::Failed("expected a turn, found a setup".into())),
    }
}

/// The sum of some answers.
#[derive(Clone, PartialEq, Debug)]
pub struct Tally {
    /// What the answers have in common: a tag, or the name of a test.
    pub name: String,
    /// How many answers.
    pub answers: usize,
    /// How many of them could not have been better.
    pub solved: usize,
    /// What they got.
    pub points: f64,
    /// What could be had.
    pub most: f64,
}

impl Tally {
    /// Adds up answers under a name.
    pub fn of<'a>(name: &str, answers: impl Iterator<Item = &'a Answered>) -> Self {
        let mut tally = Self { name: name.into(), answers: 0, solved: 0, points: 0.0, most: 0.0 };
        for Answered { points, .. } in answers {
            tally.answers += 1;
            tally.solved += usize::from(points.solved());
            tally.points += points.got;
            tally.most += points.most;
        }
        tally
    }
}

/// The answers by the tags of their tests, in the order in which the tags first occur. A test counts for all its tags.
#[must_use]
pub fn tallies(tests: &[Test], answers: &[Answered]) -> Vec<Tally> {
    let mut tags: Vec<&str> = Vec::new();
    for tag in tests.iter().flat_map(|test| &test.tags) {
        if !tags.contains(&tag.as_str()) {
            tags.push(tag);
        }
    }
    let has = |answer: &Answered, tag: &str| tests[answer.test].tags.iter().any(|known| known == tag);
    tags.iter().map(|tag| Tally::of(tag, answers.iter().filter(|answer| has(answer, tag)))).collect()
}
