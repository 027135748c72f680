//! Output of `surus suite`: tables, or one JSON object.

use std::io::{self, Write};

use anyhow::Result;
use serde::Serialize;
use surus_arena::suite::{SuiteOptions, TagSummary, Test, TestResult, TestValidation, summarize_by_tag};

/// The results of an engine.
#[derive(Serialize)]
pub(crate) struct SuiteReport {
    engine: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    cycles: u32,
    tests: Vec<TestRow>,
    tags: Vec<SummaryRow>,
    total: SummaryRow,
}

/// A sum: `solved` counts full points.
#[derive(Serialize)]
struct SummaryRow {
    name: String,
    attempts: usize,
    solved: usize,
    points: f64,
    max_points: f64,
}

#[derive(Serialize)]
struct TestRow {
    #[serde(flatten)]
    row: SummaryRow,
    file: String,
    line: usize,
    tags: Vec<String>,
    seconds: f64,
    turns: Vec<Option<String>>,
    /// Errors of the engine.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<String>,
}

impl From<TagSummary> for SummaryRow {
    fn from(summary: TagSummary) -> Self {
        let TagSummary { name, answers: attempts, solved, points, max_points } = summary;
        Self { name, attempts, solved, points, max_points }
    }
}

impl SummaryRow {
    fn print(&self, out: &mut impl Write, width: usize) -> io::Result<()> {
        let Self { name, attempts, solved, points, max_points } = self;
        let percent = if *attempts == 0 { 0.0 } else { 100.0 * *solved as f64 / *attempts as f64 };
        writeln!(
            out,
            "{name:<width$} {attempts:>7} {solved:>7} {percent:>6.1} % {points:>9.2} of {max_points:.0}"
        )
    }
}

/// The turn in the notation of the test's position.
fn notation(test: &Test, answer: &TestResult) -> Option<String> {
    answer.turn.as_ref().ok().map(|turn| test.game.position().board().notation(turn))
}

impl SuiteReport {
    pub(crate) fn new(engine: &str, settings: &SuiteOptions, tests: &[Test], answers: &[TestResult]) -> Self {
        let row = |(index, test): (usize, &Test)| {
            let own: Vec<&TestResult> = answers.iter().filter(|answer| answer.test == index).collect();
            TestRow {
                row: TagSummary::of(&test.name, own.iter().copied()).into(),
                file: test.file.clone(),
                line: test.line,
                tags: test.tags.clone(),
                seconds: own.iter().map(|answer| answer.time.as_secs_f64()).sum(),
                turns: own.iter().map(|answer| notation(test, answer)).collect(),
                failures: own
                    .iter()
                    .filter_map(|answer| answer.turn.as_ref().err())
                    .map(ToString::to_string)
                    .collect(),
            }
        };
        Self {
            engine: engine.into(),
            time: settings.limits.time.map(|time| time.hard.as_secs_f64()),
            nodes: settings.limits.nodes,
            depth: settings.limits.depth,
            cycles: settings.cycles,
            tests: tests.iter().enumerate().map(row).collect(),
            tags: summarize_by_tag(tests, answers).into_iter().map(SummaryRow::from).collect(),
            total: TagSummary::of("all", answers.iter()).into(),
        }
    }

    pub(crate) fn print(&self) -> Result<()> {
        let mut out = io::stdout().lock();
        let names =
            self.tests.iter().map(|test| &test.row).chain(&self.tags).map(|row| row.name.chars().count());
        let width = names.max().unwrap_or(0).max(4);
        let head = |what| format!("{what:<width$}    runs  solved     rate    points");
        writeln!(out, "{}", head("test"))?;
        for test in &self.tests {
            test.row.print(&mut out, width)?;
            for failure in &test.failures {
                writeln!(out, "    {failure}")?;
            }
        }
        writeln!(out, "\n{}", head("tag"))?;
        for row in &self.tags {
            row.print(&mut out, width)?;
        }
        self.total.print(&mut out, width)?;
        Ok(())
    }
}

/// A line of the log: cycle, test, points, seconds, turn.
pub(crate) fn log_line(test: &Test, answer: &TestResult) -> String {
    let turn = answer.turn.as_ref().map(|turn| test.game.position().board().notation(turn));
    let turn = turn.unwrap_or_else(ToString::to_string);
    let (points, seconds) = (answer.points, answer.time.as_secs_f64());
    format!("{}\t{}\t{}/{}\t{seconds:.3}\t{turn}", answer.cycle + 1, test.name, points.earned, points.max)
}

/// The result of validating the tests.
#[derive(Serialize)]
pub(crate) struct CheckReport {
    tests: Vec<CheckRow>,
    tags: Vec<TagCount>,
    /// The number of tests with problems.
    pub(crate) problems: usize,
}

#[derive(Serialize)]
struct CheckRow {
    name: String,
    file: String,
    line: usize,
    turns: usize,
    solutions: usize,
    problems: Vec<String>,
}

#[derive(Serialize)]
struct TagCount {
    name: String,
    tests: usize,
}

impl CheckReport {
    pub(crate) fn new(tests: &[Test], checked: &[TestValidation]) -> Self {
        let row = |checked: &TestValidation| {
            let Test { name, file, line, .. } = tests[checked.test].clone();
            let TestValidation { turns, solutions: solving, problems, .. } = checked.clone();
            CheckRow { name, file, line, turns, solutions: solving, problems }
        };
        let tags = summarize_by_tag(tests, &[]).into_iter().map(|tag| {
            let tests = tests.iter().filter(|test| test.tags.contains(&tag.name)).count();
            TagCount { name: tag.name, tests }
        });
        Self {
            tests: checked.iter().map(row).collect(),
            tags: tags.collect(),
            problems: checked.iter().filter(|checked| !checked.problems.is_empty()).count(),
        }
    }

    pub(crate) fn print(&self) -> Result<()> {
        let mut out = io::stdout().lock();
        let width = self.tests.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(4);
        writeln!(out, "{:<width$}   turns  solving    rate", "test")?;
        for CheckRow { name, file, line, turns, solutions: solving, problems } in &self.tests {
            let share = 100.0 * *solving as f64 / (*turns).max(1) as f64;
            writeln!(out, "{name:<width$} {turns:>7} {solving:>8} {share:>6.2} %")?;
            for problem in problems {
                writeln!(out, "    {file}:{line}: {problem}")?;
            }
        }
        let tags: Vec<String> = self.tags.iter().map(|tag| format!("{} {}", tag.tests, tag.name)).collect();
        writeln!(out, "\n{} tests: {}", self.tests.len(), tags.join(", "))?;
        writeln!(out, "tests with problems: {}", self.problems)?;
        Ok(())
    }
}
