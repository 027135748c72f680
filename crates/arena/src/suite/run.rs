//! Runs an engine on the tests of a suite.

use std::time::{Duration, Instant};

use surus_play::{Answer, Engine, EngineError, Job, Limits, StopToken, check_limits};
use surus_rules::Turn;

use super::{Points, Test, points};

/// Options of a run.
#[derive(Clone, Debug)]
pub struct SuiteOptions {
    /// Limits of each search.
    pub limits: Limits,
    /// Number of times that each test is run.
    pub cycles: u32,
    /// Stops the run and drops the current search.
    pub stop: StopToken,
}

/// The result of one test.
#[derive(Clone, PartialEq, Debug)]
pub struct TestResult {
    /// Index of the test.
    pub test: usize,
    /// Cycle, counted from 0.
    pub cycle: u32,
    /// The turn of the engine, or the reason why there is none.
    pub turn: Result<Turn, NoTurn>,
    /// Score of the turn.
    pub points: Points,
    /// Time used.
    pub time: Duration,
}

/// The reason why an engine returned no turn.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoTurn {
    /// The engine resigned.
    #[error("resigned")]
    Resigned,
    /// The engine returned a setup.
    #[error("returned a setup")]
    SetUp,
    /// The engine failed.
    #[error(transparent)]
    Failed(#[from] EngineError),
}

/// Runs every test in every cycle and reports each result. Unsupported limits are rejected before the first test. The
/// option `seed`, if there is one, is increased in each cycle: random choices depend only on seed and position, so that the
/// results would repeat otherwise. An external engine that fails gets no points and is restarted for the next test.
pub fn run(
    engine: &mut dyn Engine,
    tests: &[Test],
    options: &SuiteOptions,
    report: &mut dyn FnMut(&TestResult),
) -> Result<Vec<TestResult>, EngineError> {
    check_limits(&engine.id(), &options.limits)?;
    let mut results = Vec::new();
    let seed = engine.options().get_str("seed").and_then(|seed| seed.parse::<i64>().ok());
    for cycle in 0..options.cycles {
        if let Some(seed) = seed {
            let next = seed.saturating_add(i64::from(cycle)).to_string();
            engine.set_option("seed", &next).map_err(|error| EngineError::Failed(error.to_string()))?;
        }
        for (index, test) in tests.iter().enumerate() {
            let start = Instant::now();
            let answer = search(engine, test, options);
            let time = start.elapsed();
            if options.stop.stop_requested() {
                return Ok(results);
            }
            let no_points = Points { earned: 0.0, max: test.condition.max_points() };
            let (turn, points) = match answer {
                Ok(Answer::Turn(turn)) => (Ok(turn), points(test, &turn)),
                Ok(Answer::Resign) => (Err(NoTurn::Resigned), no_points),
                Ok(Answer::Setup(_)) => (Err(NoTurn::SetUp), no_points),
                Err(error) => {
                    engine.restart()?;
                    (Err(error.into()), no_points)
                }
            };
            let result = TestResult { test: index, cycle, turn, points, time };
            report(&result);
            results.push(result);
        }
    }
    Ok(results)
}

fn search(engine: &mut dyn Engine, test: &Test, options: &SuiteOptions) -> Result<Answer, EngineError> {
    engine.new_game();
    let limits = options.limits;
    let stop = options.stop.with_deadline(limits.time, Duration::MAX);
    engine.think(&Job { stop, ..Job::limited(test.game.clone(), limits) }, &mut |_| {})
}

/// Totals of several results.
#[derive(Clone, PartialEq, Debug)]
pub struct TagSummary {
    /// The common tag, or the name of a test.
    pub name: String,
    /// Number of results.
    pub answers: usize,
    /// Number of results with the maximum score.
    pub solved: usize,
    /// Sum of the points.
    pub points: f64,
    /// Sum of the maximum points.
    pub max_points: f64,
}

impl TagSummary {
    /// Adds up results under a name.
    pub fn of<'a>(name: &str, results: impl Iterator<Item = &'a TestResult>) -> Self {
        let mut summary = Self { name: name.into(), answers: 0, solved: 0, points: 0.0, max_points: 0.0 };
        for TestResult { points, .. } in results {
            summary.answers += 1;
            summary.solved += usize::from(points.solved());
            summary.points += points.earned;
            summary.max_points += points.max;
        }
        summary
    }
}

/// Summarises results by tag, in the order of first occurrence. A test counts for each of its tags.
#[must_use]
pub fn summarize_by_tag(tests: &[Test], answers: &[TestResult]) -> Vec<TagSummary> {
    let mut tags: Vec<&str> = Vec::new();
    for tag in tests.iter().flat_map(|test| &test.tags) {
        if !tags.contains(&tag.as_str()) {
            tags.push(tag);
        }
    }
    let has = |answer: &TestResult, tag: &str| tests[answer.test].tags.iter().any(|other| other == tag);
    tags.iter().map(|tag| TagSummary::of(tag, answers.iter().filter(|answer| has(answer, tag)))).collect()
}
