//! What a run was asked for, as it stands in `run.toml`.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use surus_play::Engine;

use crate::schedule::{Schedule, TournamentFormat};
use crate::spec::EngineSpec;

/// The settings of a run. A run is resumed only with the same settings; the number of games and the comment may change.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The program and its version.
    pub program: String,
    /// When it began, in seconds since 1970.
    pub started: u64,
    /// What it was run for.
    pub comment: String,
    /// How many games each two engines play.
    pub games: u64,
    /// round robin, gauntlet, match or sprt.
    pub format: String,
    /// Where games begin.
    pub openings: String,
    /// When games are cut.
    pub adjudication: String,
    /// Which part of the whole, as i/n.
    pub shard: String,
    /// The engines in order.
    pub engine: Vec<ManifestEngine>,
}

/// One engine of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ManifestEngine {
    /// What it is called in the results.
    pub name: String,
    /// How it was asked for.
    pub source: String,
    /// Its full id: name, version, revision and parts, as [`surus_play::EngineId`] writes them.
    pub id: String,
    /// What it was held to.
    pub pace: String,
    /// All options with their values.
    pub options: BTreeMap<String, String>,
}

impl ManifestEngine {
    /// Describes an engine that was made for a run.
    #[must_use]
    pub fn new(spec: &EngineSpec, engine: &dyn Engine) -> Self {
        let table = engine.options();
        let known = table.iter().map(|(option, value)| (option.name.into(), value.into()));
        let others = table.others().map(|(name, value)| (name.into(), value.into()));
        Self {
            name: spec.name.clone(),
            source: spec.to_arg(),
            id: engine.id().to_string(),
            pace: spec.pace.to_string(),
            options: known.chain(others).collect(),
        }
    }
}

/// A setting in which two runs differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Which setting.
    pub what: String,
    /// Its value in the run on disk; none if it has no such setting.
    pub before: Option<String>,
    /// Its value in the run that was asked for.
    pub now: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = |value: &Option<String>| value.as_ref().map_or("none".into(), |text| format!("'{text}'"));
        write!(f, "{} was {} and is now {}", self.what, value(&self.before), value(&self.now))
    }
}

/// Differences in one line.
pub(crate) fn listed(differences: &[Difference]) -> String {
    differences.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

impl Manifest {
    /// The settings that another run does not share, as far as they decide its games.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<Difference> {
        let (mut before, mut now) = (self.settings(), other.settings());
        let names: Vec<String> = before.keys().chain(now.keys()).cloned().collect();
        let mut found: Vec<Difference> = Vec::new();
        for what in names {
            let (before, now) = (before.remove(&what), now.remove(&what));
            if before != now {
                found.push(Difference { what, before, now });
            }
        }
        found
    }

    fn settings(&self) -> BTreeMap<String, String> {
        let plain = [
            ("program", &self.program),
            ("format", &self.format),
            ("openings", &self.openings),
            ("adjudication", &self.adjudication),
            ("shard", &self.shard),
        ];
        let mut settings: BTreeMap<String, String> =
            plain.map(|(name, value)| (name.into(), value.clone())).into();
        for (number, engine) in (1..).zip(&self.engine) {
            let label = format!("engine {number}");
            settings.extend([
                (format!("{label} name"), engine.name.clone()),
                (format!("{label} source"), engine.source.clone()),
                (format!("{label} id"), engine.id.clone()),
                (format!("{label} pace"), engine.pace.clone()),
            ]);
            let options = engine.options.iter();
            settings.extend(options.map(|(key, value)| (format!("{label} option '{key}'"), value.clone())));
        }
        settings
    }

    /// The schedule of its games.
    #[must_use]
    pub fn schedule(&self) -> Schedule {
        let format =
            if self.format == "gauntlet" { TournamentFormat::Gauntlet } else { TournamentFormat::RoundRobin };
        Schedule { engines: self.engine.len(), format, games_per_pairing: self.games }
    }
}
