//! Options that match, tournament and sprt share.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use surus_arena::{Adjudication, EngineLimits, Openings, Terms};
use surus_record::Shard;

use super::limits::LimitArgs;
use crate::commands::cluster::{ClusterTask, SlurmArgs, invocation};
use crate::input::{self, ValueError};

/// For engines that search: without any limit the first turn would never end.
const DEFAULT_LIMITS: EngineLimits = EngineLimits {
    depth: None,
    nodes: None,
    time_per_turn: Some(Duration::from_secs(1)),
    time_control: None,
};

#[derive(clap::Args, Clone, Debug)]
pub(crate) struct ArenaArgs {
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Set an option of every engine (repeatable)
    #[arg(long = "option", value_name = "KEY=VALUE")]
    pub(crate) options: Vec<String>,
    /// Openings: book, random, engine (engines choose their setups), or a file of positions or records
    #[arg(long, value_name = "SOURCE", default_value = "book", value_parser = openings_source)]
    pub(crate) openings: String,
    /// Random seed of the openings
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Number of games to play in parallel
    #[arg(long, short, value_name = "C", default_value_t = 1)]
    pub(crate) concurrency: usize,
    /// Award the game once both engines agree that a side is R rabbits ahead for N consecutive turns
    #[arg(long, value_name = "R:N", value_parser = input::resign_rule)]
    pub(crate) resign: Option<(i32, u32)>,
    /// Stop a game without a winner after N turns, counting both sides
    #[arg(long, value_name = "N")]
    pub(crate) max_turns: Option<u32>,
    /// Directory of the run: every finished game is saved there
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Resume the run in the directory, or start it if there is none
    #[arg(long, requires = "out")]
    pub(crate) resume: bool,
    /// Play only shard I of N; `surus merge` joins the shards
    #[arg(long, value_name = "I/N", requires = "out", conflicts_with_all = ["slurm", "slurm_script"], value_parser = |text: &str| text.parse::<Shard>())]
    pub(crate) shard: Option<Shard>,
    /// Comment that is stored with the run
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) comment: String,
    /// Forfeit an untimed engine after this many seconds without output
    #[arg(long, value_name = "S", default_value_t = 120)]
    pub(crate) stall_timeout: u64,
    /// Print JSON lines: one per game, then the result
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) slurm: SlurmArgs,
}

/// Any file may be named here, so the former name of `engine` needs a check of its own.
fn openings_source(text: &str) -> Result<String, ValueError> {
    if text == "own" { Err(ValueError("book, random, engine or a file")) } else { Ok(text.into()) }
}

impl ArenaArgs {
    /// The conditions of all games.
    pub(crate) fn terms(&self) -> Result<Terms> {
        let task = match &self.out {
            Some(out) => ClusterTask::of(&self.slurm, out)?,
            None => None,
        };
        let shared = task.as_ref().map(ClusterTask::shared);
        Ok(Terms {
            openings: self.read_openings()?,
            openings_name: match self.openings.as_str() {
                "book" | "random" => format!("{}, seed {}", self.openings, self.seed),
                other => other.into(),
            },
            adjudication: Adjudication { resign: self.resign, length: self.max_turns },
            stall: Duration::from_secs(self.stall_timeout.max(1)),
            concurrency: self.concurrency,
            shard: self.shard.unwrap_or_default(),
            comment: self.comment.clone(),
            out: task.as_ref().map(ClusterTask::dir).or_else(|| self.out.clone()),
            resume: self.resume || task.is_some(),
            default_limits: DEFAULT_LIMITS,
            invocation: invocation(),
            shared,
        })
    }

    pub(crate) fn engine_options(&self) -> Result<Vec<(String, String)>> {
        let pair = |text: &String| {
            let (key, value) =
                text.split_once('=').with_context(|| format!("--option {text}: expected KEY=VALUE"))?;
            Ok((key.into(), value.into()))
        };
        self.options.iter().map(pair).collect()
    }

    fn read_openings(&self) -> Result<Openings> {
        let seed = self.seed;
        Ok(match self.openings.as_str() {
            "book" => Openings::Book { seed },
            "random" => Openings::Random { seed },
            "engine" => Openings::EngineSetups,
            file => Openings::parse(&input::read(file)?).with_context(|| input::name_of(file).to_string())?,
        })
    }
}
