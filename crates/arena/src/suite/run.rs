//! Putting the tests of a suite to an engine.

use std::time::{Duration, Instant};

use surus_play::{Answer, Engine, EngineError, Job, Limits, StopToken, check_limits};
use surus_rules::Turn;

use super::{Points, Test, points};

/// How the tests are put.
#[derive(Clone, Debug)]
pub struct SuiteOptions {
    /// For each answer.
    pub limits: Limits,
    /// How often each test is put.
    pub cycles: u32,
    /// Ends the run; the answer under way is dropped.
    pub stop: StopToken,
}

/// One answer of an engine.
#[derive(Clone, PartialEq, Debug)]
pub struct TestResult {
    /// Which test, by its place in the list.
    pub test: usize,
    /// In which cycle, from 0.
    pub cycle: u32,
    /// The turn, or what the engine did instead of naming one.
    pub turn: Result<Turn, NoTurn>,
    /// What it is worth.
    pub points: Points,
    /// How long it took.
    pub time: Duration,
}

/// What an engine did instead of naming a turn.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoTurn {
    /// It gave the game up.
    #[error("it resigns")]
    Resigned,
    /// It placed pieces where a turn was to be played.
    #[error("it sets up")]
    SetUp,
    /// It failed.
    #[error(transparent)]
    Failed(#[from] EngineError),
}

/// Puts every test to the engine, cycle after cycle, and reports each answer as it comes. What the engine can't be
/// limited by is refused before the first test. An engine with a `seed` gets the next one in each cycle: its chance
/// depends on seed and position alone, and would give the same answers again. An outside program that fails gets nothing for its test and is
/// started again for the next.
pub fn run(
    engine: &mut dyn Engine,
    tests: &[Test],
    settings: &SuiteOptions,
    report: &mut dyn FnMut(&TestResult),
) -> Result<Vec<TestResult>, EngineError> {
    check_limits(&engine.id(), &settings.limits)?;
    let mut answers = Vec::new();
    let seed = engine.options().get_str("seed").and_then(|seed| seed.parse::<i64>().ok());
    for cycle in 0..settings.cycles {
        if let Some(seed) = seed {
            let next = seed.saturating_add(i64::from(cycle)).to_string();
            engine.set_option("seed", &next).map_err(|error| EngineError::Failed(error.to_string()))?;
        }
        for (index, test) in tests.iter().enumerate() {
            let start = Instant::now();
            let answer = ask(engine, test, settings);
            let time = start.elapsed();
            if settings.stop.stop_requested() {
                return Ok(answers);
            }
            let nothing = Points { got: 0.0, most: test.condition.most() };
            let (turn, got) = match answer {
                Ok(Answer::Turn(turn)) => (Ok(turn), points(test, &turn)),
                Ok(Answer::Resign) => (Err(NoTurn::Resigned), nothing),
                Ok(Answer::Setup(_)) => (Err(NoTurn::SetUp), nothing),
                Err(error) => {
                    engine.restart()?;
                    (Err(error.into()), nothing)
                }
            };
            let answered = TestResult { test: index, cycle, turn, points: got, time };
            report(&answered);
            answers.push(answered);
        }
    }
    Ok(answers)
}

fn ask(engine: &mut dyn Engine, test: &Test, settings: &SuiteOptions) -> Result<Answer, EngineError> {
    engine.new_game();
    let limits = settings.limits;
    let stop = settings.stop.with_deadline(limits.time, Duration::MAX);
    engine.think(&Job { stop, ..Job::limited(test.game.clone(), limits) }, &mut |_| {})
}

/// The sum of some answers.
#[derive(Clone, PartialEq, Debug)]
pub struct TagSummary {
    /// What the answers have in common: a tag, or the name of a test.
    pub name: String,
    /// How many answers.
    pub answers: usize,
    /// How many of them could not have been better.
    pub solved: usize,
    /// What they got.
    pub points: f64,
    /// What could be had.
    pub max_points: f64,
}

impl TagSummary {
    /// Adds up answers under a name.
    pub fn of<'a>(name: &str, answers: impl Iterator<Item = &'a TestResult>) -> Self {
        let mut tally = Self { name: name.into(), answers: 0, solved: 0, points: 0.0, max_points: 0.0 };
        for TestResult { points, .. } in answers {
            tally.answers += 1;
            tally.solved += usize::from(points.solved());
            tally.points += points.got;
            tally.max_points += points.most;
        }
        tally
    }
}

/// The answers by the tags of their tests, in the order in which the tags first occur. A test counts for all its tags.
#[must_use]
pub fn summarize_by_tag(tests: &[Test], answers: &[TestResult]) -> Vec<TagSummary> {
    let mut tags: Vec<&str> = Vec::new();
    for tag in tests.iter().flat_map(|test| &test.tags) {
        if !tags.contains(&tag.as_str()) {
            tags.push(tag);
        }
    }
    let has = |answer: &TestResult, tag: &str| tests[answer.test].tags.iter().any(|known| known == tag);
    tags.iter().map(|tag| TagSummary::of(tag, answers.iter().filter(|answer| has(answer, tag)))).collect()
}
