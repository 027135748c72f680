//! From the command line to the arena's contest.

use anyhow::Result;
use surus_arena::{Contest, EngineLimits, EngineSpec, Schedule, make_names_unique};
use surus_play::Registry;

use super::options::ArenaArgs;

/// Gives every engine the options and, where it has none of its own, the pace of the command line or else of its file.
pub(crate) fn prepare<'a>(
    mut specs: Vec<EngineSpec>,
    schedule: Schedule,
    format: &'static str,
    args: &ArenaArgs,
    file_pace: EngineLimits,
    registry: &'a Registry,
) -> Result<Contest<'a>> {
    make_names_unique(&mut specs);
    let options = args.engine_options()?;
    for spec in &mut specs {
        spec.pace = spec.pace.or_default(args.pace.pace()).or_default(file_pace);
        spec.options.splice(0..0, options.iter().cloned());
    }
    let unlimited: Vec<bool> = specs.iter().map(|spec| spec.pace == EngineLimits::default()).collect();
    let contest = Contest::prepare(specs, schedule, format, args.terms()?, registry)?;
    for (spec, _) in contest
        .specs()
        .iter()
        .zip(unlimited)
        .filter(|(spec, was)| *was && spec.pace != EngineLimits::default())
    {
        eprintln!("{}: {} (set another limit with --time, --nodes, --depth or --tc)", spec.name, spec.pace);
    }
    Ok(contest)
}
