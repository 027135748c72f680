//! The tables of the phase experiment: matches in a TOML file.

use std::path::Path;

use serde::Deserialize;

use crate::config::MatchSide;
use crate::error::LabError;

/// All matches.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseConfig {
    /// Seed of the openings.
    pub seed: u64,
    /// Games of more turns are drawn.
    pub max_turns: u32,
    /// The evaluations whose cost is compared, the plain one first.
    #[serde(default)]
    pub costs: Vec<EvaluationCost>,
    /// The tables, in the order of the page.
    #[serde(default, rename = "table")]
    pub tables: Vec<MatchTable>,
}

/// An evaluation whose cost is measured.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluationCost {
    /// Its name on the page.
    pub title: String,
    /// The engine whose options it has.
    pub engine: String,
}

/// A table of matches.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchTable {
    /// Its heading.
    pub title: String,
    /// What it compares.
    pub intro: String,
    /// What follows from it. It is printed only if the verdicts of the rows are those of `remark_if`.
    #[serde(default)]
    pub remark: String,
    /// The verdicts on which the remark is based, one for each row.
    #[serde(default)]
    pub remark_if: Vec<Verdict>,
    /// The matches.
    #[serde(rename = "row")]
    pub rows: Vec<MatchRow>,
}

/// Whether the 95 % interval of a match is above or below one half.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It is above.
    Stronger,
    /// It is below.
    Weaker,
    /// It contains one half.
    Open,
}

/// A match.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchRow {
    /// What is played.
    pub title: String,
    /// The published figure; empty if there is none.
    #[serde(default)]
    pub published: String,
    /// Number of games.
    pub games: u64,
    /// Seed of the openings, if not that of the experiment: values that were fitted to some openings are tested on others.
    #[serde(default)]
    pub seed: Option<u64>,
    /// The engine that is measured.
    pub engine: MatchSide,
    /// Its opponent.
    pub opponent: MatchSide,
}

impl PhaseConfig {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, LabError> {
        let text = std::fs::read_to_string(path).map_err(LabError::file(path))?;
        let invalid = |problem: String| LabError::Config { name: path.display().to_string(), problem };
        let config: Self = toml::from_str(&text).map_err(|error| invalid(error.to_string()))?;
        for table in config.tables.iter().filter(|table| !table.remark.is_empty()) {
            let (found, expected) = (table.remark_if.len(), table.rows.len());
            if found != expected {
                return Err(invalid(format!(
                    "remark_if of the table '{}' has {found} verdicts: expected {expected}, one for each row",
                    table.title
                )));
            }
        }
        Ok(config)
    }

    /// All matches in the order of the page.
    pub fn rows(&self) -> impl Iterator<Item = &MatchRow> {
        self.tables.iter().flat_map(|table| &table.rows)
    }

    /// The same with few, short and shallow games, to see that everything works.
    #[must_use]
    pub fn smoke_test(mut self, games: u64) -> Self {
        self.max_turns = self.max_turns.min(20);
        for row in self.tables.iter_mut().flat_map(|table| &mut table.rows) {
            row.games = row.games.min(games);
            for side in [&mut row.engine, &mut row.opponent] {
                if side.time.is_empty() {
                    side.nodes = "300".into();
                } else {
                    side.time = "0.002".into();
                }
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_the_experiment_is_valid_and_its_engines_exist() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/lab/phase.toml");
        let config = PhaseConfig::read(Path::new(file)).unwrap();
        let mut registry = surus_play::Registry::default();
        registry.add("fairylike", "", || Box::new(surus_engine::Fairylike::default()));
        registry.add("alphabeta", "", || Box::new(surus_engine::AlphaBeta::default()));
        let sides = config.rows().flat_map(|row| [&row.engine.name, &row.opponent.name]);
        for name in sides.chain(config.costs.iter().map(|cost| &cost.engine)) {
            assert!(registry.make(name).is_ok(), "{name}");
        }
        // Table 1 of [Phase] has four rows.
        assert_eq!(config.rows().filter(|row| row.published.contains(" games")).count(), 4);
        let quick = config.smoke_test(2);
        assert!(quick.rows().all(|row| row.games <= 2));
    }

    #[test]
    fn mistakes_are_named_with_their_file() {
        let path = std::env::temp_dir().join(format!("surus-phase-config-{}.toml", std::process::id()));
        std::fs::write(&path, "seed = 1\nmax_turn = 3\n").unwrap();
        let error = PhaseConfig::read(&path).unwrap_err().to_string();
        assert!(error.starts_with(&path.display().to_string()) && error.contains("max_turn"), "{error}");
        let table = "[[table]]\ntitle = 'T'\nintro = ''\nremark = 'It gains.'\nrow = []\n";
        for (verdicts, message) in
            [("['stronger']", "has 1 verdicts: expected 0"), ("['better']", "unknown variant `better`")]
        {
            let text = format!("seed = 1\nmax_turns = 3\n{table}remark_if = {verdicts}\n");
            std::fs::write(&path, text).unwrap();
            let error = PhaseConfig::read(&path).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
        std::fs::remove_file(&path).unwrap();
    }
}
