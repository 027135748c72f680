//! When a game counts as decided.

use std::fmt;
use std::str::FromStr;

/// A score that gives up a game once it was reported in several turns in a row; written `rabbits:turns`.
///
/// ```
/// use surus_play::ResignRule;
///
/// let rule: ResignRule = "8:5".parse().unwrap();
/// assert_eq!((rule.centirabbits, rule.turns), (800, 5));
/// assert_eq!(rule.to_string(), "8:5");
/// assert!("8".parse::<ResignRule>().is_err() && "0:5".parse::<ResignRule>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignRule {
    /// The score, above 0.
    pub centirabbits: i32,
    /// The number of turns, above 0.
    pub turns: u32,
}

/// A text that is no rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected rabbits:turns, like 8:5")]
pub struct ResignRuleError;

impl FromStr for ResignRule {
    type Err = ResignRuleError;

    fn from_str(text: &str) -> Result<Self, ResignRuleError> {
        let (rabbits, turns) = text.split_once(':').ok_or(ResignRuleError)?;
        let rabbits: f64 = rabbits.parse().map_err(|_| ResignRuleError)?;
        let turns = turns.parse().map_err(|_| ResignRuleError)?;
        if !(0.01..=290.0).contains(&rabbits) || turns == 0 {
            return Err(ResignRuleError);
        }
        Ok(Self { centirabbits: (rabbits * 100.0).round() as i32, turns })
    }
}

impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", f64::from(self.centirabbits) / 100.0, self.turns)
    }
}
