//! The manifest of a run, stored as `run.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};
use surus_play::Engine;

use crate::schedule::{Schedule, TournamentFormat};
use crate::spec::EngineSpec;

/// The settings of a run. A run is resumed only with the same settings; the number of games and the comment may change.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// Name and version of the program.
    pub program: String,
    /// Start time in seconds since 1970.
    pub started: u64,
    /// Comment of the user.
    pub comment: String,
    /// Games per pairing.
    pub games: u64,
    /// `round robin`, `gauntlet`, `match` or `sprt`.
    pub format: String,
    /// Description of the openings.
    pub openings: String,
    /// Description of the adjudication.
    pub adjudication: String,
    /// The part of the schedule, as `i/n`.
    pub shard: String,
    /// The process that plays it, or played it last.
    #[serde(default, skip_serializing_if = "Invocation::is_unknown")]
    pub invocation: Invocation,
    /// The engines in order.
    pub engine: Vec<ManifestEngine>,
}

/// A process that plays a run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Invocation {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Its working directory.
    pub directory: String,
    /// Its process ID.
    pub process: u32,
    /// The name of its machine.
    pub host: String,
}

impl Invocation {
    fn is_unknown(&self) -> bool {
        *self == Self::default()
    }
}

/// One engine of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ManifestEngine {
    /// Name in the results.
    pub name: String,
    /// Command line argument that specifies it.
    pub source: String,
    /// Its full id: name, version, revision and parts, as [`surus_play::EngineId`] writes them.
    pub id: String,
    /// Its limits.
    pub pace: String,
    /// All options with their values.
    pub options: BTreeMap<String, String>,
}

impl ManifestEngine {
    /// Describes an engine of a run.
    #[must_use]
    pub fn new(spec: &EngineSpec, engine: &dyn Engine) -> Self {
        let table = engine.options();
        let declared = table.iter().map(|(option, value)| (option.name.into(), value.into()));
        let others = table.others().map(|(name, value)| (name.into(), value.into()));
        Self {
            name: spec.name.clone(),
            source: spec.to_arg(),
            id: engine.id().to_string(),
            pace: spec.limits.to_string(),
            options: declared.chain(others).collect(),
        }
    }
}

/// A setting in which two runs differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Name of the setting.
    pub what: String,
    /// Its value in the saved run, if any.
    pub before: Option<String>,
    /// Its value in the new run, if any.
    pub now: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = |value: &Option<String>| value.as_ref().map_or("none".into(), |text| format!("'{text}'"));
        write!(f, "{} was {} and is now {}", self.what, value(&self.before), value(&self.now))
    }
}

/// The settings in which two runs differ.
#[must_use]
pub fn differences(before: &BTreeMap<String, String>, now: &BTreeMap<String, String>) -> Vec<Difference> {
    let names: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let differs = |name: &&String| before.get(*name) != now.get(*name);
    let difference = |name: &String| Difference {
        what: name.clone(),
        before: before.get(name).cloned(),
        now: now.get(name).cloned(),
    };
    names.into_iter().filter(differs).map(difference).collect()
}

/// Joins differences into one line.
#[must_use]
pub fn join_differences(differences: &[Difference]) -> String {
    differences.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

impl Manifest {
    /// The settings that determine the games and differ in another run.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<Difference> {
        differences(&self.settings(), &other.settings())
    }

    /// The settings that determine the games, by name.
    #[must_use]
    pub fn settings(&self) -> BTreeMap<String, String> {
        let common = [
            ("program", &self.program),
            ("format", &self.format),
            ("openings", &self.openings),
            ("adjudication", &self.adjudication),
            ("shard", &self.shard),
        ];
        let mut settings: BTreeMap<String, String> =
            common.map(|(name, value)| (name.into(), value.clone())).into();
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

    /// The schedule of the complete run.
    #[must_use]
    pub fn schedule(&self) -> Schedule {
        let format =
            if self.format == "gauntlet" { TournamentFormat::Gauntlet } else { TournamentFormat::RoundRobin };
        Schedule { engines: self.engine.len(), format, games_per_pairing: self.games }
    }
}
