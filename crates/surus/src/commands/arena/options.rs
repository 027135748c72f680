//! Options that match, tournament and sprt share.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use surus_arena::{Adjudication, BotAliases, EngineLimits, Openings, Terms};
use surus_play::ResignRule;
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
    /// Pieces that are missing in every opening: capital letters for gold, small ones for silver, such as Dc
    #[arg(long, value_name = "PIECES", default_value = "", hide_default_value = true)]
    pub(crate) handicap: String,
    /// Random seed of the openings
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Number of games to play in parallel
    #[arg(long, short, value_name = "C", default_value_t = 1)]
    pub(crate) concurrency: usize,
    /// Award the game once both engines agree that a side is R rabbits ahead for N consecutive turns
    #[arg(long, value_name = "R:N")]
    pub(crate) resign: Option<ResignRule>,
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
    /// Log the messages and the standard error of every external engine in this directory, one file per game
    #[arg(long, value_name = "DIR")]
    pub(crate) engine_logs: Option<PathBuf>,
    /// File of aliases: one per line, followed by the command line of a getMove program, or cmd=…, engine=…
    #[arg(long, value_name = "FILE")]
    pub(crate) bots: Option<String>,
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
        let mut openings_name = match self.openings.as_str() {
            "book" | "random" => format!("{}, seed {}", self.openings, self.seed),
            other => other.into(),
        };
        if !self.handicap.is_empty() {
            openings_name += &format!(", without {}", self.handicap);
        }
        if let Some(dir) = &self.engine_logs {
            std::fs::create_dir_all(dir).with_context(|| format!("--engine-logs {}", dir.display()))?;
        }
        let task = match &self.out {
            Some(out) => ClusterTask::of(&self.slurm, out)?,
            None => None,
        };
        let shared = task.as_ref().map(ClusterTask::shared);
        Ok(Terms {
            openings: self.read_openings()?,
            openings_name,
            adjudication: Adjudication { resign: self.resign, length: self.max_turns },
            stall: Duration::from_secs(self.stall_timeout.max(1)),
            concurrency: self.concurrency,
            shard: self.shard.unwrap_or_default(),
            comment: self.comment.clone(),
            out: task.as_ref().map(ClusterTask::dir).or_else(|| self.out.clone()),
            resume: self.resume || task.is_some(),
            engine_logs: self.engine_logs.clone(),
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

    /// The aliases of engines.
    pub(crate) fn aliases(&self) -> Result<BotAliases> {
        let Some(file) = &self.bots else { return Ok(BotAliases::default()) };
        BotAliases::parse(&input::read(file)?).with_context(|| input::name_of(file).to_string())
    }

    fn read_openings(&self) -> Result<Openings> {
        let seed = self.seed;
        let openings = match self.openings.as_str() {
            "book" => Openings::Book { seed },
            "random" => Openings::Random { seed },
            "engine" => Openings::EngineSetups,
            file => Openings::parse(&input::read(file)?).with_context(|| input::name_of(file).to_string())?,
        };
        if self.handicap.is_empty() {
            return Ok(openings);
        }
        openings.without(&self.handicap).with_context(|| format!("--handicap {}", self.handicap))
    }
}
