//! `surus engine`

use std::fmt;
use std::io::{self, Write};

use anyhow::Result;
use serde::Serialize;
use surus_play::{OptionKind, OptionSpec};

use crate::{CommandStatus, engines, output};

/// List the engines, or the options of one engine
///
/// For each option: its current value, meaning, type or range, and default.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus engine                                     lists the engines
  surus engine alphabeta                           lists the options of alphabeta
  surus engine mcts:preset=akimot --print-config   prints a configuration file")]
pub(crate) struct Args {
    /// Engine: name[:key=value,…]
    name: Option<String>,
    /// Print the options as a configuration file of key = value lines
    #[arg(long, requires = "name")]
    print_config: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Engines {
    engines: Vec<EngineEntry>,
}

#[derive(Serialize)]
struct EngineEntry {
    name: &'static str,
    description: &'static str,
}

#[derive(Serialize)]
struct EngineDetails {
    name: String,
    version: String,
    limits: Vec<String>,
    options: Vec<OptionDetails>,
}

#[derive(Serialize)]
struct OptionDetails {
    name: &'static str,
    value: String,
    default: &'static str,
    #[serde(flatten)]
    kind: Kind,
    description: &'static str,
}

/// The type and range of an option.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Kind {
    Integer { min: i64, max: i64 },
    Number { min: f64, max: f64 },
    Boolean,
    Enum { choices: &'static [&'static str] },
    Text,
}

impl From<OptionKind> for Kind {
    fn from(kind: OptionKind) -> Self {
        match kind {
            OptionKind::Int(min, max) => Self::Integer { min, max },
            OptionKind::Float(min, max) => Self::Number { min, max },
            OptionKind::Bool => Self::Boolean,
            OptionKind::Choice(choices) => Self::Enum { choices },
            OptionKind::Str => Self::Text,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer { min, max } if *max == i64::MAX => write!(f, "integer, {min} or more"),
            Self::Integer { min, max } => write!(f, "integer, {min} to {max}"),
            Self::Number { min, max } => write!(f, "number, {min} to {max}"),
            Self::Boolean => f.write_str("true or false"),
            Self::Enum { choices } => write!(f, "one of {}", choices.join(", ")),
            Self::Text => f.write_str("text"),
        }
    }
}

/// `default 64`, or a word for the empty text.
fn default_text(default: &str) -> String {
    if default.is_empty() { "empty by default".into() } else { format!("default {default}") }
}

pub(crate) fn run(args: &Args) -> Result<CommandStatus> {
    let registry = engines::registry();
    let mut out = io::stdout().lock();
    let Some(name) = &args.name else {
        let engines: Vec<EngineEntry> =
            registry.names().map(|(name, description)| EngineEntry { name, description }).collect();
        if args.json {
            drop(out);
            output::json(&Engines { engines })?;
        } else {
            for EngineEntry { name, description } in engines {
                let mark = if name == engines::DEFAULT { " (default)" } else { "" };
                writeln!(out, "{name:<10} {description}{mark}")?;
            }
        }
        return Ok(CommandStatus::Success);
    };
    let engine = registry.make(name)?;
    let id = engine.id();
    if args.json {
        drop(out);
        let option = |(spec, value): (&OptionSpec, &str)| OptionDetails {
            name: spec.name,
            value: value.into(),
            default: spec.default,
            kind: spec.kind.into(),
            description: spec.help,
        };
        let options = engine.options().iter().map(option).collect();
        let limits = id.supported_limits.iter().map(ToString::to_string).collect();
        output::json(&EngineDetails { version: id.full_version(), name: id.name, limits, options })?;
        return Ok(CommandStatus::Success);
    }
    for (spec, value) in engine.options().iter() {
        let (name, help) = (spec.name, spec.help);
        let (kind, default) = (Kind::from(spec.kind), default_text(spec.default));
        if args.print_config {
            writeln!(out, "# {help} ({kind}; {default})\n{name} = {value}")?;
        } else {
            writeln!(out, "{name}={value}\n    {help} ({kind}; {default})")?;
        }
    }
    Ok(CommandStatus::Success)
}
