//! Scores of positions.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A score for the side to move.
///
/// Wins and losses are counted in turns of the winning side including the current one, as mates are in chess:
/// `Win { turns: 1 }` is a win in this turn, `Loss { turns: 1 }` a loss in the opponent's next one.
///
/// ```
/// use surus_rules::Score;
///
/// let score: Score = "win 2".parse()?;
/// assert_eq!(score, Score::Win { turns: 2 });
/// assert!(score > Score::Centirabbits(5_000) && score < Score::Win { turns: 1 });
/// assert_eq!(score.reversed(), Score::Loss { turns: 2 });
/// # Ok::<(), surus_rules::ScoreError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Score {
    /// An estimate in centirabbits.
    Centirabbits(i32),
    /// A proven win.
    Win {
        /// Turns of the side to move until it has won.
        turns: u32,
    },
    /// A proven loss.
    Loss {
        /// Turns of the opponent until it has won.
        turns: u32,
    },
}

/// A text that is not a score.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("invalid score '{0}': expected centirabbits, 'win N' or 'loss N'")]
pub struct ScoreError(String);

impl Score {
    /// Whether it is a proven win or loss.
    #[must_use]
    pub const fn is_proven(self) -> bool {
        !matches!(self, Self::Centirabbits(_))
    }

    /// The score from the opponent's point of view.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Centirabbits(score) => Self::Centirabbits(score.saturating_neg()),
            Self::Win { turns } => Self::Loss { turns },
            Self::Loss { turns } => Self::Win { turns },
        }
    }

    /// The estimate; `None` for a proven score.
    #[must_use]
    pub const fn centirabbits(self) -> Option<i32> {
        match self {
            Self::Centirabbits(score) => Some(score),
            Self::Win { .. } | Self::Loss { .. } => None,
        }
    }

    /// The order of the kinds, and of the scores within a kind.
    fn rank(self) -> (i8, i64) {
        match self {
            Self::Loss { turns } => (-1, i64::from(turns)),
            Self::Centirabbits(score) => (0, i64::from(score)),
            Self::Win { turns } => (1, -i64::from(turns)),
        }
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centirabbits(score) => write!(f, "{score}"),
            Self::Win { turns } => write!(f, "win {turns}"),
            Self::Loss { turns } => write!(f, "loss {turns}"),
        }
    }
}

impl FromStr for Score {
    type Err = ScoreError;

    fn from_str(text: &str) -> Result<Self, ScoreError> {
        let turns = |text: &str| text.trim().parse().ok();
        let score = if let Some(rest) = text.strip_prefix("win ") {
            turns(rest).map(|turns| Self::Win { turns })
        } else if let Some(rest) = text.strip_prefix("loss ") {
            turns(rest).map(|turns| Self::Loss { turns })
        } else {
            text.trim().parse().ok().map(Self::Centirabbits)
        };
        score.ok_or_else(|| ScoreError(text.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASCENDING: [Score; 7] = [
        Score::Loss { turns: 1 },
        Score::Loss { turns: 9 },
        Score::Centirabbits(-200_000),
        Score::Centirabbits(0),
        Score::Centirabbits(200_000),
        Score::Win { turns: 9 },
        Score::Win { turns: 1 },
    ];

    #[test]
    fn early_wins_and_late_losses_are_better() {
        assert!(ASCENDING.is_sorted_by(|a, b| a < b));
        assert!(ASCENDING.map(Score::reversed).is_sorted_by(|a, b| a > b));
    }

    #[test]
    fn text_round_trips() {
        for score in ASCENDING {
            assert_eq!(score.to_string().parse(), Ok(score));
        }
        for text in ["", "win", "win -1", "mate 3", "1.5"] {
            assert!(text.parse::<Score>().is_err(), "{text}");
        }
    }
}
