//! What match, tournament and sprt have in common on the command line.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use surus_arena::{Adjudication, EngineLimits, Openings, Terms};
use surus_record::Shard;

use super::pace::PaceArgs;
use crate::input;

/// An engine that searches needs some limit, or its first turn would take for ever.
const DEFAULT_PACE: EngineLimits = EngineLimits {
    depth: None,
    nodes: None,
    time_per_turn: Some(Duration::from_secs(1)),
    time_control: None,
};

#[derive(clap::Args, Clone, Debug)]
pub(crate) struct ArenaArgs {
    #[command(flatten)]
    pub(crate) pace: PaceArgs,
    /// Set an option of every engine
    #[arg(long = "option", value_name = "KEY=VALUE")]
    pub(crate) options: Vec<String>,
    /// Where games begin: book, random, own (engines set up themselves), or a file of positions or records
    #[arg(long, value_name = "WHERE", default_value = "book")]
    pub(crate) openings: String,
    /// The same seed gives the same openings
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Games at once
    #[arg(long, short, value_name = "C", default_value_t = 1)]
    pub(crate) concurrency: usize,
    /// Award a game when both engines see a side ahead by R rabbits for N turns in a row
    #[arg(long, value_name = "R:N", value_parser = input::lead)]
    pub(crate) adjudicate_score: Option<(i32, u32)>,
    /// Cut a game without a winner after N turns of both sides together
    #[arg(long, value_name = "N")]
    pub(crate) max_turns: Option<u32>,
    /// Keep every finished game in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Go on with the run in the folder, or begin it if there is none
    #[arg(long, requires = "out")]
    pub(crate) resume: bool,
    /// Play only part i of n; `surus merge` joins the parts
    #[arg(long, value_name = "I/N", requires = "out", value_parser = |text: &str| text.parse::<Shard>())]
    pub(crate) shard: Option<Shard>,
    /// What the run is for; kept with it
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) comment: String,
    /// An engine that plays without a clock fails after so many seconds of silence
    #[arg(long, value_name = "S", default_value_t = 120)]
    pub(crate) stall: u64,
    /// Print JSON lines: one for each game, and the result as the last
    #[arg(long)]
    pub(crate) json: bool,
}

impl ArenaArgs {
    /// What holds for all games.
    pub(crate) fn terms(&self) -> Result<Terms> {
        Ok(Terms {
            openings: self.read_openings()?,
            openings_name: match self.openings.as_str() {
                "book" | "random" => format!("{}, seed {}", self.openings, self.seed),
                other => other.into(),
            },
            adjudication: Adjudication { resign: self.adjudicate_score, length: self.max_turns },
            stall: Duration::from_secs(self.stall.max(1)),
            concurrency: self.concurrency,
            // The whole is the only part of one.
            shard: self.shard.unwrap_or_default(),
            comment: self.comment.clone(),
            out: self.out.clone(),
            resume: self.resume,
            default_pace: DEFAULT_PACE,
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
            "own" => Openings::EngineSetups,
            file => Openings::parse(&input::read(file)?).with_context(|| input::name_of(file).to_string())?,
        })
    }
}
