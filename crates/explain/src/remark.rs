//! One sentence of an explanation.

use surus_geometry::zone::Zone;
use surus_rules::{Side, Turn};

use crate::claim::{Claim, Response};

/// The subject of a remark.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Topic {
    /// A win: now, or by the turn.
    Win,
    /// A capture: now, or by the turn.
    Capture,
    /// The loss of an own piece by the turn.
    Loss,
    /// A threat that the turn ends.
    Defence,
    /// A win or capture by the side that is not to move.
    Threat,
    /// Pieces that hold a rabbit.
    Guard,
    /// None of these.
    None,
}

impl Topic {
    /// The name in reports and in the HTTP API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Capture => "capture",
            Self::Loss => "loss",
            Self::Defence => "defence",
            Self::Threat => "threat",
            Self::Guard => "guard",
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

/// A sentence, with what it states and what illustrates it.
#[derive(Clone, Debug)]
pub struct Remark {
    /// The subject.
    pub topic: Topic,
    /// The side whose possibility it describes.
    pub side: Side,
    /// The sentence.
    pub text: String,
    /// What it states.
    pub claim: Claim,
    /// The turn that demonstrates it, played on the board of the remark.
    pub line: Option<Turn>,
    /// What follows on the line.
    pub response: Response,
    /// A sentence about the response; empty if there is none.
    pub response_text: String,
    /// A zone that illustrates it. It proves nothing.
    pub zone: Option<Zone>,
    /// The board of the line and the zone.
    pub when: BoardAt,
}

impl Remark {
    pub(crate) fn new(topic: Topic, side: Side, claim: Claim, text: String) -> Self {
        Self {
            topic,
            side,
            text,
            claim,
            line: None,
            response: Response::None,
            response_text: String::new(),
            zone: None,
            when: BoardAt::After,
        }
    }

    /// The sentences.
    #[must_use]
    pub fn sentences(&self) -> String {
        let separator = if self.response_text.is_empty() { "" } else { " " };
        format!("{}{separator}{}", self.text, self.response_text)
    }
}
