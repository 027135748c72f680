//! One sentence of an explanation.

use surus_geometry::zone::Zone;
use surus_rules::{Side, Turn};

/// The subject of a remark.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Topic {
    /// A goal in this turn, or another end of the game.
    Goal,
    /// A capture in this turn.
    Capture,
    /// The loss of an own piece in this turn.
    Loss,
    /// A threat that this turn ends.
    Defence,
    /// A goal or capture that a side could make with a full turn.
    Threat,
    /// A rabbit near its goal.
    GoalRun,
    /// None of these was found.
    None,
}

impl Topic {
    /// The name in reports and in the HTTP API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Goal => "goal",
            Self::Capture => "capture",
            Self::Loss => "loss",
            Self::Defence => "defence",
            Self::Threat => "threat",
            Self::GoalRun => "run",
            Self::None => "nothing",
        }
    }
}

/// The board that a remark refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardAt {
    /// The board before the turn.
    Before,
    /// The board after the turn, or the only one.
    After,
}

/// A sentence with the zone and the turn that it is based on.
#[derive(Clone, Debug)]
pub struct Remark {
    /// The subject.
    pub topic: Topic,
    /// The side whose possibility it describes.
    pub side: Side,
    /// The sentence.
    pub text: String,
    /// The turn that demonstrates it, played on the board of the remark.
    pub turn: Option<Turn>,
    /// The zone to draw.
    pub zone: Option<Zone>,
    /// The board of the turn and the zone.
    pub when: BoardAt,
}

impl Remark {
    pub(crate) fn new(topic: Topic, side: Side, text: String) -> Self {
        Self { topic, side, text, turn: None, zone: None, when: BoardAt::After }
    }
}
