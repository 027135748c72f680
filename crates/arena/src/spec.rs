//! Specifications of engines: on the command line, in a TOML file, or in the ini file of `roundrobin`.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use surus_play::{Engine, EngineError, Registry};
use surus_protocol::{AeiEngine, EngineProcessOptions, GetMoveEngine, SideLetters};
use surus_record::ini::Ini;

use crate::limits::{EngineLimits, LimitsError};

/// The kind and command line of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineSource {
    /// A built-in engine, `name[:key=value,…]`.
    Builtin(String),
    /// The command line of an AEI engine.
    Aei(String),
    /// The command line of a getMove engine.
    GetMove(String),
}

/// The specification of an engine.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineSpec {
    /// Name in the results.
    pub name: String,
    /// Its kind and command line.
    pub source: EngineSource,
    /// Options to set, after those in the name.
    pub options: Vec<(String, String)>,
    /// Its own limits.
    pub limits: EngineLimits,
}

/// An engine file that cannot be parsed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpecError {
    /// The file is invalid.
    #[error("{0}")]
    File(String),
    /// An engine of the file is invalid.
    #[error("engine '{name}': {problem}")]
    Engine {
        /// The name of the engine.
        name: String,
        /// The cause.
        problem: EngineProblem,
    },
    /// The common limits.
    #[error(transparent)]
    Limits(#[from] LimitsError),
    /// Too few engines.
    #[error("found {0} engines: expected at least 2")]
    TooFew(usize),
}

/// An error in the specification of one engine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EngineProblem {
    /// No source, or several.
    #[error("expected exactly one of engine, cmd and getmove")]
    SourceText,
    /// The ini file has no section for it.
    #[error("no section with this name")]
    NoSection,
    /// The section has no command line.
    #[error("missing cmdline in its section")]
    NoCommand,
    /// Its limits.
    #[error(transparent)]
    Limits(#[from] LimitsError),
}

impl EngineSpec {
    /// Parses `name[:key=value,…]`, `cmd=COMMAND LINE` or `getmove=COMMAND LINE`.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let source = if let Some(command) = text.strip_prefix("cmd=") {
            EngineSource::Aei(command.into())
        } else if let Some(command) = text.strip_prefix("getmove=") {
            EngineSource::GetMove(command.into())
        } else {
            EngineSource::Builtin(text.into())
        };
        let name = match &source {
            EngineSource::Builtin(text) => text.clone(),
            EngineSource::Aei(command) | EngineSource::GetMove(command) => {
                let program = command.split_whitespace().next().unwrap_or_default();
                program.trim_matches(['\'', '"']).rsplit('/').next().unwrap_or_default().into()
            }
        };
        Self { name, source, options: Vec::new(), limits: EngineLimits::default() }
    }

    /// The command line argument for this engine, without options and limits.
    #[must_use]
    pub fn to_arg(&self) -> String {
        match &self.source {
            EngineSource::Builtin(text) => text.clone(),
            EngineSource::Aei(command) => format!("cmd={command}"),
            EngineSource::GetMove(command) => format!("getmove={command}"),
        }
    }

    /// Creates the engine and sets its options.
    pub fn instantiate(&self, registry: &Registry) -> Result<Box<dyn Engine>, EngineError> {
        self.instantiate_logged(registry, None)
    }

    /// Creates the engine and sets its options. The messages and the standard error of an external engine are appended to
    /// files with this name and the extensions `log` and `err`.
    pub fn instantiate_logged(
        &self,
        registry: &Registry,
        log: Option<&Path>,
    ) -> Result<Box<dyn Engine>, EngineError> {
        let failed = |error: &dyn std::fmt::Display| EngineError::Failed(error.to_string());
        let process_options = EngineProcessOptions {
            guard: registry.guard().cloned(),
            transcript: log.map(|log| with_extension(log, "log")),
            stderr: log.map(|log| with_extension(log, "err")),
            ..EngineProcessOptions::default()
        };
        match &self.source {
            EngineSource::Builtin(text) => {
                let mut engine = registry.make(text).map_err(|error| failed(&error))?;
                for (key, value) in &self.options {
                    engine.set_option(key, value).map_err(|error| failed(&error))?;
                }
                Ok(engine)
            }
            EngineSource::Aei(command) => {
                Ok(Box::new(AeiEngine::start(command, &self.options, process_options)?))
            }
            EngineSource::GetMove(command) => {
                let directory = tempfile::Builder::new().prefix("surus-getmove-").tempdir();
                let directory = directory.map_err(|error| failed(&error))?.keep();
                Ok(Box::new(GetMoveEngine::new(command, directory, SideLetters::default(), process_options)))
            }
        }
    }
}

/// Appends an extension to a name that may contain dots.
fn with_extension(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

/// Numbers the engines that have the same name.
pub fn make_names_unique(specs: &mut [EngineSpec]) {
    for index in 1..specs.len() {
        let (before, rest) = specs.split_at_mut(index);
        let spec = &mut rest[0];
        let base = spec.name.clone();
        let mut number = 2;
        while before.iter().any(|other| other.name == spec.name) {
            spec.name = format!("{base} #{number}");
            number += 1;
        }
    }
}

/// A file of engines with their common limits.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineConfigFile {
    /// The engines in order.
    pub engines: Vec<EngineSpec>,
    /// Limits of engines without their own.
    pub limits: EngineLimits,
    /// Games per pairing, if given.
    pub games: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TomlFile {
    games: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u32>,
    time: Option<f64>,
    tc: Option<String>,
    #[serde(default)]
    options: toml::Table,
    #[serde(default)]
    engine: Vec<TomlEngine>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TomlEngine {
    name: Option<String>,
    engine: Option<String>,
    cmd: Option<String>,
    getmove: Option<String>,
    nodes: Option<u64>,
    depth: Option<u32>,
    time: Option<f64>,
    tc: Option<String>,
    #[serde(default)]
    options: toml::Table,
}

fn pairs(table: &toml::Table) -> Vec<(String, String)> {
    let text = |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), Into::into);
    table.iter().map(|(key, value)| (key.clone(), text(value))).collect()
}

impl EngineConfigFile {
    /// Parses the TOML format, or the ini file of `roundrobin`.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let file = if text.lines().any(|line| line.trim() == "[global]") {
            from_ini(text)?
        } else {
            from_toml(text)?
        };
        if file.engines.len() < 2 {
            return Err(SpecError::TooFew(file.engines.len()));
        }
        Ok(file)
    }
}

fn from_toml(text: &str) -> Result<EngineConfigFile, SpecError> {
    let file: TomlFile = toml::from_str(text).map_err(|error| SpecError::File(error.to_string()))?;
    let common = EngineLimits::parse(file.depth, file.nodes, file.time, file.tc.as_deref())?;
    let mut engines = Vec::new();
    for (index, entry) in file.engine.iter().enumerate() {
        let name = entry.name.clone().unwrap_or_else(|| format!("number {}", index + 1));
        let fail = |problem: EngineProblem| SpecError::Engine { name: name.clone(), problem };
        let arg = match (&entry.engine, &entry.cmd, &entry.getmove) {
            (Some(engine), None, None) => engine.clone(),
            (None, Some(command), None) => format!("cmd={command}"),
            (None, None, Some(command)) => format!("getmove={command}"),
            _ => return Err(fail(EngineProblem::SourceText)),
        };
        let mut spec = EngineSpec::parse(&arg);
        spec.name = entry.name.clone().unwrap_or(spec.name);
        spec.options = pairs(&file.options).into_iter().chain(pairs(&entry.options)).collect();
        spec.limits = EngineLimits::parse(entry.depth, entry.nodes, entry.time, entry.tc.as_deref())
            .map_err(|error| fail(error.into()))?;
        engines.push(spec);
    }
    Ok(EngineConfigFile { engines, limits: common, games: file.games })
}

/// Parses the ini file of `roundrobin` from the `aei` package: `[global]` with `bots`, `rounds` and `timecontrol`, and a
/// section for each bot with `cmdline` and options that start with `bot_`.
fn from_ini(text: &str) -> Result<EngineConfigFile, SpecError> {
    let ini = Ini::parse(text).map_err(|error| SpecError::File(error.to_string()))?;
    let bots = ini.get("global", "bots").ok_or_else(|| SpecError::File("[global] has no bots".into()))?;
    let mut engines = Vec::new();
    for bot in bots.split([' ', ',']).filter(|bot| !bot.is_empty()) {
        let fail = |problem: EngineProblem| SpecError::Engine { name: bot.into(), problem };
        if !ini.has(bot) {
            return Err(fail(EngineProblem::NoSection));
        }
        let command = ini.get(bot, "cmdline").ok_or_else(|| fail(EngineProblem::NoCommand))?;
        let mut spec = EngineSpec { name: bot.into(), ..EngineSpec::parse(&format!("cmd={command}")) };
        let option =
            |(key, value): (&str, &str)| Some((key.strip_prefix("bot_")?.to_owned(), value.to_owned()));
        spec.options = ini.keys("global").chain(ini.keys(bot)).filter_map(option).collect();
        spec.limits = EngineLimits::parse(None, None, None, ini.get(bot, "timecontrol"))
            .map_err(|error| fail(error.into()))?;
        engines.push(spec);
    }
    let common = EngineLimits::parse(None, None, None, ini.get("global", "timecontrol"))?;
    // A round is one game per pairing.
    let rounds = |text: &str| {
        text.parse().map_err(|_| SpecError::File(format!("[global] rounds = {text}: expected a number")))
    };
    let games = ini.get("global", "rounds").map(rounds).transpose()?;
    Ok(EngineConfigFile { engines, limits: common, games })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_three_forms_and_makes_names_unique() {
        let mut specs: Vec<EngineSpec> =
            ["greedy:seed=1", "cmd=/usr/bin/simple_engine -x", "greedy:seed=1", "getmove=./bot_old/getMove"]
                .map(EngineSpec::parse)
                .into();
        make_names_unique(&mut specs);
        let names: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
        assert_eq!(names, ["greedy:seed=1", "simple_engine", "greedy:seed=1 #2", "getMove"]);
        assert_eq!(specs[1].source, EngineSource::Aei("/usr/bin/simple_engine -x".into()));
        assert_eq!(specs[3].to_arg(), "getmove=./bot_old/getMove");
    }

    #[test]
    fn parses_a_toml_file() {
        let file = EngineConfigFile::parse(
            "games = 10\nnodes = 1000\noptions = { hash = 16 }\n\
             [[engine]]\nengine = 'greedy'\n[[engine]]\nname = 'other'\ncmd = 'x aei'\nnodes = 500\noptions = { a = 'b' }\n",
        )
        .unwrap();
        assert_eq!((file.games, file.limits.nodes), (Some(10), Some(1000)));
        assert_eq!(file.engines[1].limits.or_default(file.limits).nodes, Some(500));
        assert_eq!(file.engines[1].options, [("hash".into(), "16".into()), ("a".into(), "b".into())]);
    }

    #[test]
    fn parses_the_ini_file_of_roundrobin() {
        let file = EngineConfigFile::parse(
            "[global]\nbots = mine theirs\nrounds = 3\ntimecontrol = 3s/30s/100/60s/10m\n\n\
             [mine]\ncmdline = surus aei\nbot_seed = 5\n[theirs]\ncmdline = simple_engine\ntimecontrol = 5s/0\n",
        )
        .unwrap();
        assert_eq!(file.games, Some(3));
        assert_eq!(file.engines[0].options, [("seed".into(), "5".into())]);
        assert_eq!(
            file.engines[1].limits.or_default(file.limits).time_control,
            Some("5s/0".parse().unwrap())
        );
        assert_eq!(
            file.engines[0].limits.or_default(file.limits).time_control,
            Some("3s/30s/100/60s/10m".parse().unwrap())
        );
    }

    #[test]
    fn errors_name_the_cause() {
        for (text, message) in [
            ("[[engine]]\nengine = 'a'\n", "found 1 engines: expected at least 2"),
            (
                "[[engine]]\nname = 'x'\n[[engine]]\n",
                "engine 'x': expected exactly one of engine, cmd and getmove",
            ),
            ("tc = 'x'\n", "invalid time per turn 'x' in 'x'"),
            ("time = -1.0\n", "invalid time per turn '-1'"),
            ("[global]\nbots = a\n", "engine 'a': no section with this name"),
            ("[global]\nbots = a\n[a]\n", "engine 'a': missing cmdline in its section"),
            (
                "[global]\nbots = a a\nrounds = x\n[a]\ncmdline = b\n",
                "[global] rounds = x: expected a number",
            ),
            ("[global]\nbots\n", "line 2: expected key = value"),
        ] {
            let error = EngineConfigFile::parse(text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
        let error = EngineConfigFile::parse("nodse = 3\n").unwrap_err().to_string();
        assert!(error.contains("line 1") && error.contains("nodse"), "{error}");
    }
}
