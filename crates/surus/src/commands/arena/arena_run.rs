//! From the command line to a contest of the arena.

use anyhow::Result;
use surus_arena::{Contest, EngineLimits, EngineSpec, Schedule, make_names_unique, task_dir};
use surus_play::Registry;

use super::options::ArenaArgs;
use crate::commands::cluster::{ClusterRun, wait_until_free};

/// Gives every engine the options of the command line and, unless it has limits of its own, those of the command line or its file.
pub(crate) fn prepare<'a>(
    mut specs: Vec<EngineSpec>,
    schedule: Schedule,
    format: &'static str,
    args: &ArenaArgs,
    file_limits: EngineLimits,
    registry: &'a Registry,
) -> Result<Contest<'a>> {
    make_names_unique(&mut specs);
    let options = args.engine_options()?;
    for spec in &mut specs {
        spec.limits = spec.limits.or_default(args.limits.limits()).or_default(file_limits);
        spec.options.splice(0..0, options.iter().cloned());
    }
    let unlimited: Vec<bool> = specs.iter().map(|spec| spec.limits == EngineLimits::default()).collect();
    let contest = Contest::prepare(specs, schedule, format, args.terms()?, registry)?;
    if let Some(shared) = &contest.terms.shared {
        let run = ClusterRun::read(&shared.run)?;
        run.require_same_settings(&contest.manifest().settings())?;
        wait_until_free(&task_dir(&shared.run, shared.task).join("games.txt"))?;
    }
    for (spec, _) in contest
        .specs()
        .iter()
        .zip(unlimited)
        .filter(|(spec, was)| *was && spec.limits != EngineLimits::default())
    {
        eprintln!("{}: {} (set another limit with --time, --nodes, --depth or --tc)", spec.name, spec.limits);
    }
    Ok(contest)
}
