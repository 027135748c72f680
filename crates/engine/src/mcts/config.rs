//! Loading of configurations: single keys, presets and files.

use std::fmt;

use surus_play::{OptionError, OptionSet, TypedOptions};

use super::params::{AKIMOT, Config, GENERAL};

/// The options of `mcts` with their values.
pub(crate) type Options = TypedOptions<Config>;

/// An error in a configuration file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    #[error("line {line}: {problem}")]
    Line { line: usize, problem: String },
    #[error("can't be read: {0}")]
    File(String),
}

/// Sets a key. A preset sets all keys after the general ones, a file those that it contains.
pub(crate) fn set(options: &mut Options, name: &str, value: &str) -> Result<(), OptionError> {
    let mut changed = options.clone();
    changed.set(name, value)?;
    match name.to_ascii_lowercase().as_str() {
        "preset" => {
            for spec in &Config::SPECS[GENERAL..] {
                let document = AKIMOT.iter().find(|(key, _)| *key == spec.name).map(|(_, value)| *value);
                changed.set(spec.name, document.filter(|_| value == "akimot").unwrap_or(spec.default))?;
            }
        }
        "config" if !value.is_empty() => {
            let wrong = |error: ConfigError| OptionError::InvalidValue {
                name: "config".into(),
                value: value.into(),
                expected: format!("a file of keys, but {error}"),
            };
            let text = std::fs::read_to_string(value)
                .map_err(|error| wrong(ConfigError::File(error.to_string())))?;
            apply_file(&mut changed, &text).map_err(wrong)?;
        }
        _ => {}
    }
    *options = changed;
    Ok(())
}

/// Applies key = value lines; `#` starts a comment, and values may be quoted.
pub(crate) fn apply_file(options: &mut Options, text: &str) -> Result<(), ConfigError> {
    let mut changed = options.clone();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let wrong =
            |problem: &dyn fmt::Display| ConfigError::Line { line: number, problem: problem.to_string() };
        let Some((name, value)) = line.split_once('=') else {
            return Err(wrong(&format!("expected key = value, found '{line}'")));
        };
        let (name, value) = (name.trim(), value.trim().trim_matches(['"', '\'']));
        if name.eq_ignore_ascii_case("config") {
            // --print-config prints the key `config` too, but a file cannot load another.
            continue;
        }
        set(&mut changed, name, value).map_err(|error| wrong(&error))?;
    }
    *options = changed;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcts::params::{ParallelMode, TreePolicy};

    #[test]
    fn every_default_and_every_value_of_the_document_is_one_that_its_key_takes() {
        let mut table = Options::default();
        for spec in Config::SPECS {
            if spec.name != "config" {
                table.set(spec.name, spec.default).unwrap();
            }
        }
        for (key, value) in AKIMOT {
            table.set(key, value).unwrap();
        }
        assert_eq!(AKIMOT.len() + GENERAL, Config::SPECS.len());
    }

    #[test]
    fn the_document_s_values_are_a_preset() {
        let mut table = Options::default();
        set(&mut table, "preset", "akimot").unwrap();
        let config = &*table;
        assert_eq!(
            (config.c, config.virtual_visits, config.maturity, config.maturity_adds_depth),
            (0.2, 5, 5, true)
        );
        assert_eq!(
            (config.playout_candidates, config.playout_min_pieces, config.playout_max_pieces),
            (3, 2, 3)
        );
        assert_eq!(
            (config.child_cache_visits, config.child_cache_size, config.advisor_probability),
            (50, 5, 0.2)
        );
        assert_eq!(
            (config.tree_policy, config.parallel, config.solver),
            (TreePolicy::Ucb1, ParallelMode::Island, false)
        );
        set(&mut table, "preset", "best").unwrap();
        assert_eq!(table.table().iter().filter(|(spec, value)| spec.default != *value).count(), 0);
    }

    #[test]
    fn a_wrong_line_is_told_with_its_number_and_the_nearest_key_and_changes_nothing() {
        let mut table = Options::default();
        let before = (*table).clone();
        for (text, message) in [
            (
                "# good\nc = 0.3\nvirtual_visit = 3\n",
                "line 3: unknown option 'virtual_visit': expected perhaps 'virtual_visits'",
            ),
            ("c = much", "line 1: invalid value 'much' for option 'c': expected a number from 0 to 100"),
            ("\ncache", "line 2: expected key = value, found 'cache'"),
        ] {
            assert_eq!(apply_file(&mut table, text).unwrap_err().to_string(), message);
            assert_eq!(*table, before);
        }
        apply_file(&mut table, "c = 0.3 # more\ntree_policy = \"puct\"\n").unwrap();
        assert_eq!((table.c, table.tree_policy), (0.3, TreePolicy::Puct));
        let error = set(&mut table, "zzzzzz", "1").unwrap_err().to_string();
        assert_eq!(
            error,
            format!("unknown option 'zzzzzz': expected one of its {} options", Config::SPECS.len())
        );
    }
}
