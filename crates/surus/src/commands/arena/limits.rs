//! Search limits and time controls on the command line.

use std::time::Duration;

use surus_arena::{EngineLimits, LimitsError};
use surus_rules::TimeControl;

fn seconds(text: &str) -> Result<Duration, LimitsError> {
    EngineLimits::seconds(text.parse().map_err(|_| LimitsError::Seconds(text.into()))?)
}

/// The limits of all engines.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct LimitArgs {
    /// Nodes per turn: positions searched, or playouts for mcts
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Search depth, in steps
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Seconds per turn; fractions are allowed
    #[arg(long, value_name = "S", conflicts_with = "tc", value_parser = seconds)]
    time: Option<Duration>,
    /// Time control in Arimaa notation: move/reserve/percent/max reserve/game/max turn, e.g. 15s/1m/100 or 0.2s/4s/100/8s
    #[arg(long, value_name = "M/R/P/L/G/T", value_parser = |text: &str| text.parse::<TimeControl>())]
    tc: Option<TimeControl>,
}

impl LimitArgs {
    pub(crate) const fn limits(&self) -> EngineLimits {
        EngineLimits { depth: self.depth, nodes: self.nodes, time_per_turn: self.time, time_control: self.tc }
    }
}

/// Limits of one engine, which override the limits of both.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Limits of one engine, overriding --nodes, --depth, --time and --tc")]
pub(crate) struct EachLimitArgs {
    /// Nodes per turn of the first engine
    #[arg(long, value_name = "N")]
    nodes1: Option<u64>,
    /// Nodes per turn of the second engine
    #[arg(long, value_name = "N")]
    nodes2: Option<u64>,
    /// Search depth of the first engine, in steps
    #[arg(long, value_name = "N")]
    depth1: Option<u32>,
    /// Search depth of the second engine, in steps
    #[arg(long, value_name = "N")]
    depth2: Option<u32>,
    /// Seconds per turn of the first engine
    #[arg(long, value_name = "S", conflicts_with = "tc1", value_parser = seconds)]
    time1: Option<Duration>,
    /// Seconds per turn of the second engine
    #[arg(long, value_name = "S", conflicts_with = "tc2", value_parser = seconds)]
    time2: Option<Duration>,
    /// Time control of the first engine
    #[arg(long, value_name = "M/R/P/L/G/T", value_parser = |text: &str| text.parse::<TimeControl>())]
    tc1: Option<TimeControl>,
    /// Time control of the second engine
    #[arg(long, value_name = "M/R/P/L/G/T", value_parser = |text: &str| text.parse::<TimeControl>())]
    tc2: Option<TimeControl>,
}

impl EachLimitArgs {
    pub(crate) const fn limits(&self) -> [EngineLimits; 2] {
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
