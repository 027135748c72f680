//! From the command line to the arena's contest.

use anyhow::Result;
use surus_arena::{Contest, EngineSpec, Pace, Schedule, tell_apart};
use surus_play::Registry;

use super::options::ContestArgs;

/// Gives every engine the options and, where it has none of its own, the pace of the command line or else of its file.
pub(crate) fn prepare<'a>(
    mut specs: Vec<EngineSpec>,
    schedule: Schedule,
    format: &'static str,
    args: &ContestArgs,
    file_pace: Pace,
    registry: &'a Registry,
) -> Result<Contest<'a>> {
    tell_apart(&mut specs);
    let options = args.engine_options()?;
    for spec in &mut specs {
        spec.pace = spec.pace.or(args.pace.pace()).or(file_pace);
        spec.options.splice(0..0, options.iter().cloned());
    }
    let unlimited: Vec<bool> = specs.iter().map(|spec| spec.pace == Pace::default()).collect();
    let contest = Contest::prepare(specs, schedule, format, args.terms()?, registry)?;
    for (spec, _) in
        contest.specs().iter().zip(unlimited).filter(|(spec, was)| *was && spec.pace != Pace::default())
    {
        eprintln!("{}: {} (set another limit with --time, --nodes, --depth or --tc)", spec.name, spec.pace);
    }
    Ok(contest)
}
