//! Which games the explorer counts.

use serde::{Deserialize, Serialize};
use surus_rules::Side;

use crate::error::ChoiceError;
use crate::rank::{PositionAttributes, Rank};
use crate::store::Value;

/// Who plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlayerTypes {
    /// Anybody.
    #[default]
    Any,
    /// Two people.
    Humans,
    /// Two programs.
    Bots,
    /// A person against a program.
    Mixed,
}

impl std::str::FromStr for PlayerTypes {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        match text {
            "any" => Ok(Self::Any),
            "humans" => Ok(Self::Humans),
            "bots" => Ok(Self::Bots),
            "mixed" => Ok(Self::Mixed),
            _ => Err(ChoiceError::new("kind of players", text, "any, humans, bots or mixed")),
        }
    }
}

/// How a game ended, in the colours of the position that is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultFilter {
    /// Gold won.
    Gold,
    /// Silver won.
    Silver,
    /// Nobody won, or nobody knows who.
    #[serde(rename = "none")]
    NoWinner,
}

impl std::str::FromStr for ResultFilter {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        match text {
            "gold" | "g" | "w" => Ok(Self::Gold),
            "silver" | "s" | "b" => Ok(Self::Silver),
            "none" => Ok(Self::NoWinner),
            _ => Err(ChoiceError::new("result", text, "gold, silver or none")),
        }
    }
}

/// Which games count. All of them by default.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GameFilter {
    /// Both players are rated so high or higher.
    pub min_rating: Option<i32>,
    /// Both players are rated so high or lower.
    pub max_rating: Option<i32>,
    /// Who plays.
    pub players: PlayerTypes,
    /// The event's name has this in it, in capitals or not.
    pub event: Option<String>,
    /// One of the players has this name, in capitals or not.
    pub player: Option<String>,
    /// Begun in this year or later.
    pub from_year: Option<i32>,
    /// Begun in this year or earlier.
    pub to_year: Option<i32>,
    /// How it ended.
    pub outcome: Option<ResultFilter>,
    /// Only the position itself, not its mirror image or the one with the sides exchanged.
    pub no_symmetry: bool,
}

impl GameFilter {
    /// Whether every game counts, in all images of the position.
    #[must_use]
    pub fn is_unrestricted(&self) -> bool {
        *self == Self::default()
    }

    /// Whether what is packed with a position lets it count, for a question by the side to move.
    pub(crate) fn matches(&self, rank: Rank, about: PositionAttributes, asked: Side) -> bool {
        let ratings = [rank.rating(), about.rating];
        let outcome = match (about.no_winner, rank.won()) {
            (true, _) => ResultFilter::NoWinner,
            (false, true) => ResultFilter::of(asked),
            (false, false) => ResultFilter::of(asked.other()),
        };
        self.min_rating.is_none_or(|least| ratings.iter().all(|&rating| least <= rating))
            && self.max_rating.is_none_or(|most| ratings.iter().all(|&rating| 0 < rating && rating <= most))
            && match self.players {
                PlayerTypes::Any => true,
                PlayerTypes::Humans => about.bots == [false; 2],
                PlayerTypes::Bots => about.bots == [true; 2],
                PlayerTypes::Mixed => about.bots[0] != about.bots[1],
            }
            && self.from_year.is_none_or(|first| about.year.is_some_and(|year| first <= year))
            && self.to_year.is_none_or(|last| about.year.is_some_and(|year| year <= last))
            && self.outcome.is_none_or(|wanted| wanted == outcome)
    }

    /// The conditions that only the games' own rows can tell, with their values counted from `first` on.
    pub(crate) fn where_clause(&self, first: usize) -> (String, Vec<Value>) {
        let (mut sql, mut values) = (String::new(), Vec::new());
        if let Some(event) = &self.event {
            sql += &format!(" AND lower(g.event) LIKE ${} ESCAPE '!'", first + values.len());
            values.push(Value::from(format!("%{}%", escape_like(event))));
        }
        if let Some(player) = &self.player {
            let place = first + values.len();
            sql += &format!(" AND (lower(g.gusername) = ${place} OR lower(g.susername) = ${place})");
            values.push(player.to_lowercase().into());
        }
        (sql, values)
    }
}

/// A text for LIKE in which nothing stands for anything else.
pub(crate) fn escape_like(text: &str) -> String {
    text.to_lowercase().replace('!', "!!").replace('%', "!%").replace('_', "!_")
}

impl ResultFilter {
    const fn of(side: Side) -> Self {
        match side {
            Side::Gold => Self::Gold,
            Side::Silver => Self::Silver,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_filter_lets_the_right_games_through() {
        let about = PositionAttributes {
            rating: 1900,
            no_winner: false,
            bots: [false, true],
            year: Some(2010),
            mirrored: false,
        };
        let rank = Rank::new(true, 2100, 5);
        let admits = |filters: GameFilter| filters.matches(rank, about, Side::Silver);
        assert!(admits(GameFilter::default()));
        assert!(admits(GameFilter { min_rating: Some(1900), ..GameFilter::default() }));
        assert!(!admits(GameFilter { min_rating: Some(1901), ..GameFilter::default() }));
        assert!(!admits(GameFilter { max_rating: Some(2099), ..GameFilter::default() }));
        assert!(admits(GameFilter { players: PlayerTypes::Mixed, ..GameFilter::default() }));
        assert!(!admits(GameFilter { players: PlayerTypes::Humans, ..GameFilter::default() }));
        assert!(admits(GameFilter { from_year: Some(2010), to_year: Some(2010), ..GameFilter::default() }));
        assert!(!admits(GameFilter { from_year: Some(2011), ..GameFilter::default() }));
        assert!(admits(GameFilter { outcome: Some(ResultFilter::Silver), ..GameFilter::default() }));
        assert!(!admits(GameFilter { outcome: Some(ResultFilter::Gold), ..GameFilter::default() }));
        assert_eq!(escape_like("50%_A!"), "50!%!_a!!");
    }
}
