//! Contests on a cluster.

use anyhow::{Context, Result};
use surus_arena::{Contest, RunDir, Sprt, block_pairs};

use super::options::ArenaArgs;
use crate::CommandStatus;
use crate::commands::cluster::{ClusterRun, Plan, submit};
use crate::shutdown::Shutdown;

/// Submits the tasks of a contest instead of playing it.
pub(crate) fn submit_contest(
    contest: &Contest<'_>,
    args: &ArenaArgs,
    sprt: Option<Sprt>,
    shutdown: &Shutdown,
) -> Result<CommandStatus> {
    let dir = args.out.as_ref().context("--slurm needs --out DIR, on a file system that all nodes share")?;
    args.slurm.check()?;
    let manifest = contest.manifest();
    // Tasks and later commands read the manifest.
    drop(RunDir::open(dir, &manifest, args.resume)?);
    let plan = Plan {
        kind: manifest.format.clone(),
        games: contest.schedule().game_count(),
        block_pairs: block_pairs(contest.schedule().pairs(), args.slurm.tasks, sprt.is_some()),
        sprt: sprt.map(Into::into),
        processors: args.concurrency,
        settings: manifest.settings(),
    };
    let run = ClusterRun::new(plan, &args.slurm, dir)?;
    submit(run, &args.slurm, dir, args.json, shutdown)
}
