//! `surus engine`

use std::io::{self, Write};

use anyhow::Result;
use serde::Serialize;

use crate::{CommandStatus, engines, output};

/// List the engines, or the options of one engine
///
/// For each option: its current value, meaning, type or range, and default.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus engine
  surus engine alphabeta
  surus engine alphabeta:threads=2 --print-config")]
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
    options: Vec<DescribedOption>,
}

#[derive(Serialize)]
struct DescribedOption {
    name: &'static str,
    value: String,
    default: &'static str,
    r#type: String,
    help: &'static str,
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
        let option = |(spec, value): (&surus_play::OptionSpec, &str)| DescribedOption {
            name: spec.name,
            value: value.into(),
            default: spec.default,
            r#type: spec.kind.to_string(),
            help: spec.help,
        };
        let options = engine.options().iter().map(option).collect();
        let limits = id.supported_limits.iter().map(ToString::to_string).collect();
        output::json(&EngineDetails { version: id.full_version(), name: id.name, limits, options })?;
        return Ok(CommandStatus::Success);
    }
    for (spec, value) in engine.options().iter() {
        if args.print_config {
            writeln!(
                out,
                "# {} ({}, default {})\n{} = {value}",
                spec.help, spec.kind, spec.default, spec.name
            )?;
        } else {
            writeln!(
                out,
                "{}={value}\n    {} Takes {}; default {}.",
                spec.name, spec.help, spec.kind, spec.default
            )?;
        }
    }
    Ok(CommandStatus::Success)
}
