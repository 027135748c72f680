//! `ats.cfg`: the configuration of a directory of tests.

use std::time::Duration;

use super::error::{SuiteError, SuiteErrorKind, quoted};
use super::ini::{IniEntry, parse_entries};

/// The `[global]` section; some values have their line number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Config {
    /// The name of the file.
    pub file: String,
    /// The engine to test.
    pub engine: Option<(usize, String)>,
    /// Names of tests, or a number of tests; empty for all.
    pub tests: Vec<String>,
    /// Time per test.
    pub time_per_test: Option<(usize, Duration)>,
    /// Number of times that each test is run.
    pub cycles: Option<u32>,
    /// File that receives all results.
    pub log: Option<String>,
}

impl Config {
    /// Parses the text of an `ats.cfg`.
    pub fn parse(file: &str, text: &str) -> Result<Self, SuiteError> {
        let entries = parse_entries(text).map_err(|(line, problem)| problem.at(file, line))?;
        let mut config = Self { file: file.into(), ..Self::default() };
        let mut keys: Vec<&str> = Vec::new();
        for entry in &entries {
            if keys.contains(&entry.key.as_str()) {
                return Err(SuiteErrorKind::DuplicateKey(entry.key.clone()).at(file, entry.line));
            }
            keys.push(&entry.key);
            config.set(entry).map_err(|problem| problem.at(file, entry.line))?;
        }
        Ok(config)
    }

    fn set(&mut self, entry: &IniEntry) -> Result<(), SuiteErrorKind> {
        let value = entry.single_line();
        let invalid = |key, expected| SuiteErrorKind::Value { key, expected, found: quoted(&value) };
        let unknown =
            |kind, found: &str, expected| SuiteErrorKind::Unknown { kind, found: found.into(), expected };
        if entry.section != "global" {
            return Err(unknown("section", &entry.section, "global"));
        }
        match entry.key.as_str() {
            "engine" if value.is_empty() => return Err(invalid("engine", "the name of an engine")),
            "engine" => self.engine = Some((entry.line, value)),
            "tests" => {
                let words = value.split([',', ' ']).map(str::trim).filter(|word| !word.is_empty());
                self.tests = words.filter(|word| !word.eq_ignore_ascii_case("all")).map(Into::into).collect();
            }
            "time_per_test" => {
                let seconds = value.parse().ok().filter(|seconds| *seconds > 0.0);
                let time = seconds.and_then(|seconds: f64| Duration::try_from_secs_f64(seconds).ok());
                let time = time.ok_or_else(|| invalid("time_per_test", "seconds, above 0"))?;
                self.time_per_test = Some((entry.line, time));
            }
            "cycles" => {
                let cycles = value.parse().ok().filter(|&cycles: &u32| cycles > 0);
                self.cycles = Some(cycles.ok_or_else(|| invalid("cycles", "an integer above 0"))?);
            }
            "log" => self.log = Some(value).filter(|value| !value.is_empty()),
            key => return Err(unknown("key", key, "engine, tests, time_per_test, cycles, log")),
        }
        Ok(())
    }
}
