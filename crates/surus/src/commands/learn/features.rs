//! `surus learn features`

use std::io::{self, Write};

use anyhow::Result;
use serde::Serialize;
use surus_engine::ordering::{FeatureKind, Group};

use crate::{CommandStatus, output};

/// List the features of turns and actions that ordering models use
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn features
  surus learn features --json")]
pub(super) struct Args {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct FeatureReport {
    turn: Vec<GroupReport>,
    action: Vec<GroupReport>,
}

#[derive(Serialize)]
struct GroupReport {
    name: &'static str,
    features: usize,
    published: bool,
    description: &'static str,
}

pub(super) fn run(args: &Args) -> Result<CommandStatus> {
    if args.json {
        output::json(&FeatureReport {
            turn: report(FeatureKind::Turn),
            action: report(FeatureKind::Action),
        })?;
        return Ok(CommandStatus::Success);
    }
    let mut out = io::stdout().lock();
    for kind in FeatureKind::ALL {
        let layout = kind.layout();
        writeln!(out, "{kind} features: {}", layout.dimension())?;
        for group in layout.groups {
            let mark = if group.published { '*' } else { ' ' };
            writeln!(out, "{:>6} {mark} {:<17} {}", group.len(), group.name, group.description)?;
        }
        let published: usize = layout.groups.iter().filter(|group| group.published).map(Group::len).sum();
        if published > 0 {
            writeln!(out, "* the four groups of [Phase §5.1], {published} features")?;
        }
        writeln!(out)?;
    }
    Ok(CommandStatus::Success)
}

fn report(kind: FeatureKind) -> Vec<GroupReport> {
    let of_group = |group: &Group| GroupReport {
        name: group.name,
        features: group.len(),
        published: group.published,
        description: group.description,
    };
    kind.layout().groups.iter().map(of_group).collect()
}
