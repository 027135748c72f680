//! Reads suites from files and directories.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use surus_record::ats::{self, SuiteError, SuiteErrorKind};

use super::{Config, Test};

/// The tests of some files and directories, with a configuration.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Suite {
    /// In the order of the file names.
    pub tests: Vec<Test>,
    /// The first configuration found.
    pub config: Option<Config>,
    /// Tests that cannot be read.
    pub unreadable: Vec<SuiteError>,
}

/// A word of a configuration that matches no test.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown test '{0}': expected names of tests or files, their numbers (3 4, 1-3), or how many to run")]
pub struct UnknownTest(pub String);

/// Reads files and directories. A test that cannot be read is listed in the suite; it is an error if there is no other.
pub fn load(paths: &[PathBuf]) -> Result<Suite, SuiteError> {
    let mut suite = Suite::default();
    for path in paths {
        if path.is_dir() {
            suite.directory(path)?;
        } else if !suite.file(path)? {
            return Err(SuiteErrorKind::NoTests.at(&path.to_string_lossy(), 0));
        }
    }
    if suite.tests.is_empty() {
        if !suite.unreadable.is_empty() {
            return Err(suite.unreadable.swap_remove(0));
        }
        let names: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
        return Err(SuiteErrorKind::NoTests.at(&names.join(", "), 0));
    }
    suite.check_unique_names()?;
    Ok(suite)
}

fn read(path: &Path) -> Result<String, SuiteError> {
    let fail =
        |error: std::io::Error| SuiteErrorKind::Unreadable(error.to_string()).at(&path.to_string_lossy(), 0);
    // Old files are not always UTF-8, but only their comments may contain non-ASCII characters.
    std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).map_err(fail)
}

impl Suite {
    /// Reads a directory recursively in the order of names. Files that are no tests are skipped, such as a README.
    fn directory(&mut self, path: &Path) -> Result<(), SuiteError> {
        let fail = |error: std::io::Error| {
            SuiteErrorKind::Unreadable(error.to_string()).at(&path.to_string_lossy(), 0)
        };
        let entries = std::fs::read_dir(path).map_err(fail)?.collect::<Result<Vec<_>, _>>().map_err(fail)?;
        let mut paths: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            // Other programs store .cfg files next to tests; one with another name is read only if given explicitly.
            let is_other_config =
                path.extension().is_some_and(|extension| extension == "cfg") && !path.ends_with("ats.cfg");
            if path.is_dir() {
                self.directory(&path)?;
            } else if !is_other_config {
                self.file(&path)?;
            }
        }
        Ok(())
    }

    /// Reads one file; returns false if it is not a file of a suite.
    fn file(&mut self, path: &Path) -> Result<bool, SuiteError> {
        let name = path.to_string_lossy();
        let Some(extension) = path.extension().map_or(Some(""), |extension| extension.to_str()) else {
            return Ok(false);
        };
        match extension.to_ascii_lowercase().as_str() {
            "toml" => self.add(read(path).and_then(|text| ats::parse_toml(&name, &text))),
            "cfg" => {
                let config = Config::parse(&name, &read(path)?)?;
                self.config.get_or_insert(config);
            }
            "ats" => self.add(read(path).and_then(|text| Ok(vec![ats::parse(&name, &text)?]))),
            "" | "txt" | "test" => match read(path) {
                Ok(text) if !ats::looks_like_ats(&text) => return Ok(false),
                text => self.add(text.and_then(|text| Ok(vec![ats::parse(&name, &text)?]))),
            },
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn add(&mut self, tests: Result<Vec<Test>, SuiteError>) {
        match tests {
            Ok(tests) => self.tests.extend(tests),
            Err(error) => self.unreadable.push(error),
        }
    }

    fn check_unique_names(&self) -> Result<(), SuiteError> {
        for (index, test) in self.tests.iter().enumerate() {
            if let Some(other) = self.tests[..index].iter().find(|other| other.name == test.name) {
                let other = format!("{}:{}", other.file, other.line);
                return Err(SuiteErrorKind::DuplicateName { name: test.name.clone(), other }
                    .at(&test.file, test.line));
            }
        }
        Ok(())
    }

    /// All tags, in the order of their first test.
    #[must_use]
    pub fn tags(&self) -> Vec<&str> {
        let mut tags: Vec<&str> = Vec::new();
        for tag in self.tests.iter().flat_map(|test| &test.tags) {
            if !tags.contains(&tag.as_str()) {
                tags.push(tag);
            }
        }
        tags
    }

    /// Keeps the tests that a configuration selects: by name, by file, by their numbers from 1 (`3 4`, `1-3`), or the first
    /// `n` if the only word is a number. A word that is the name of a test is not a number.
    pub fn select(&mut self, words: &[String]) -> Result<(), UnknownTest> {
        let matches = |test: &Test, word: &str| test.name == word || ats::stem(&test.file) == word;
        let is_name = |word: &str| self.tests.iter().any(|test| matches(test, word));
        if let [word] = words
            && !is_name(word)
            && let Ok(count) = word.parse()
        {
            self.tests.truncate(count);
            return Ok(());
        }
        let mut numbers = Vec::new();
        for word in words.iter().filter(|word| !is_name(word)) {
            let range = numbers_of(word).filter(|range| *range.end() <= self.tests.len());
            numbers.push(range.ok_or_else(|| UnknownTest(word.clone()))?);
        }
        let mut number = 0;
        self.tests.retain(|test| {
            number += 1;
            let by_number = numbers.iter().any(|range| range.contains(&number));
            words.is_empty() || by_number || words.iter().any(|word| matches(test, word))
        });
        Ok(())
    }
}

/// Reads `3` or `1-3`.
fn numbers_of(word: &str) -> Option<RangeInclusive<usize>> {
    let (first, last) = word.split_once('-').unwrap_or((word, word));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (1 <= first && first <= last).then_some(first..=last)
}
