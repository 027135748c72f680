//! How long engines may think, on the command line.

use std::time::Duration;

use surus_arena::{EngineLimits, PaceError};
use surus_rules::TimeControl;

fn seconds(text: &str) -> Result<Duration, PaceError> {
    EngineLimits::seconds(text.parse().map_err(|_| PaceError::Seconds(text.into()))?)
}

/// The pace of all engines.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct PaceArgs {
    /// Positions an engine may search for a turn
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Search depth in steps
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Seconds for a turn
    #[arg(long, value_name = "S", conflicts_with = "tc", value_parser = seconds)]
    time: Option<Duration>,
    /// A clock in Arimaa form, turn/reserve/percent/…, like 15s/1m/100 or 0.2s/4s/100/8s
    #[arg(long, value_name = "M/R/P/L/G/T", value_parser = |text: &str| text.parse::<TimeControl>())]
    tc: Option<TimeControl>,
}

impl PaceArgs {
    pub(crate) const fn pace(&self) -> EngineLimits {
        EngineLimits { depth: self.depth, nodes: self.nodes, time_per_turn: self.time, time_control: self.tc }
    }
}

/// The paces of two engines, each of which goes before the pace of both.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Pace of one engine, before --nodes, --depth, --time and --tc")]
pub(crate) struct EachPaceArgs {
    /// Positions the first engine may search for a turn
    #[arg(long, value_name = "N")]
    nodes1: Option<u64>,
    /// Positions the second engine may search for a turn
    #[arg(long, value_name = "N")]
    nodes2: Option<u64>,
    /// Search depth of the first engine in steps
    #[arg(long, value_name = "N")]
    depth1: Option<u32>,
    /// Search depth of the second engine in steps
    #[arg(long, value_name = "N")]
    depth2: Option<u32>,
    /// Seconds for a turn of the first engine
    #[arg(long, value_name = "S", conflicts_with = "tc1", value_parser = seconds)]
    time1: Option<Duration>,
    /// Seconds for a turn of the second engine
    #[arg(long, value_name = "S", conflicts_with = "tc2", value_parser = seconds)]
    time2: Option<Duration>,
    /// The clock of the first engine
    #[arg(long, value_name = "M/R/P/L/G/T", value_parser = |text: &str| text.parse::<TimeControl>())]
    tc1: Option<TimeControl>,
    /// The clock of the second engine
    #[arg(long, value_name = "M/R/P/L/G/T", value_parser = |text: &str| text.parse::<TimeControl>())]
    tc2: Option<TimeControl>,
}

impl EachPaceArgs {
    pub(crate) const fn paces(&self) -> [EngineLimits; 2] {
        [
            EngineLimits {
                depth: self.depth1,
                nodes: self.nodes1,
                time_per_turn: self.time1,
                time_control: self.tc1,
            },
            EngineLimits {
                depth: self.depth2,
                nodes: self.nodes2,
                time_per_turn: self.time2,
                time_control: self.tc2,
            },
        ]
    }
}
