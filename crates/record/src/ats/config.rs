//! `ats.cfg`: how a directory of tests wants to be run.

use std::time::Duration;

use super::error::{Problem, SuiteError, quoted};
use super::ini::{Entry, entries};

/// What the `[global]` section says, each with its line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Config {
    /// The file it was read from.
    pub file: String,
    /// Who is to answer.
    pub engine: Option<(usize, String)>,
    /// Which tests: names, or how many. Empty for all.
    pub tests: Vec<String>,
    /// The time for each test.
    pub time_per_test: Option<(usize, Duration)>,
    /// How often each test is put.
    pub cycles: Option<u32>,
    /// Where to write down every answer.
    pub log: Option<String>,
}

impl Config {
    /// Reads the text of an `ats.cfg`.
    pub fn parse(file: &str, text: &str) -> Result<Self, SuiteError> {
        let entries = entries(text).map_err(|(line, problem)| problem.at(file, line))?;
        let mut config = Self { file: file.into(), ..Self::default() };
        let mut known: Vec<&str> = Vec::new();
        for entry in &entries {
            if known.contains(&entry.key.as_str()) {
                return Err(Problem::Twice(entry.key.clone()).at(file, entry.line));
            }
            known.push(&entry.key);
            config.take(entry).map_err(|problem| problem.at(file, entry.line))?;
        }
        Ok(config)
    }

    fn take(&mut self, entry: &Entry) -> Result<(), Problem> {
        let value = entry.flat();
        let wrong = |key, expected| Problem::Value { key, expected, found: quoted(&value) };
        let unknown = |what, found: &str, expected| Problem::Unknown { what, found: found.into(), expected };
        if entry.section != "global" {
            return Err(unknown("section", &entry.section, "global"));
        }
        match entry.key.as_str() {
            "engine" if value.is_empty() => return Err(wrong("engine", "the name of an engine")),
            "engine" => self.engine = Some((entry.line, value)),
            "tests" => {
                let words = value.split([',', ' ']).map(str::trim).filter(|word| !word.is_empty());
                self.tests = words.filter(|word| !word.eq_ignore_ascii_case("all")).map(Into::into).collect();
            }
            "time_per_test" => {
                let seconds = value.parse().ok().filter(|seconds| 0.0 < *seconds);
                let time = seconds.and_then(|seconds: f64| Duration::try_from_secs_f64(seconds).ok());
                let time = time.ok_or_else(|| wrong("time_per_test", "seconds, above 0"))?;
                self.time_per_test = Some((entry.line, time));
            }
            "cycles" => {
                let cycles = value.parse().ok().filter(|&cycles: &u32| 0 < cycles);
                self.cycles = Some(cycles.ok_or_else(|| wrong("cycles", "an integer above 0"))?);
            }
            "log" => self.log = Some(value).filter(|value| !value.is_empty()),
            key => return Err(unknown("key", key, "engine, tests, time_per_test, cycles, log")),
        }
        Ok(())
    }
}
