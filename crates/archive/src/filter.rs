//! Game filters.

use serde::{Deserialize, Serialize};
use surus_rules::Side;

use crate::error::ChoiceError;
use crate::rank::{PositionAttributes, Rank};
use crate::store::Value;

/// The types of the players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlayerTypes {
    /// No restriction.
    #[default]
    Any,
    /// Two humans.
    Humans,
    /// Two bots.
    Bots,
    /// A human against a bot.
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
            _ => Err(ChoiceError::new("player types", text, "any, humans, bots or mixed")),
        }
    }
}

/// The result of a game, with the colours of the queried position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultFilter {
    /// Gold won.
    Gold,
    /// Silver won.
    Silver,
    /// No winner, or the winner is unknown.
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

/// A filter for games. The default matches all.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GameFilter {
    /// The minimum rating of both players.
    pub min_rating: Option<i32>,
    /// The maximum rating of both players.
    pub max_rating: Option<i32>,
    /// The types of the players.
    pub players: PlayerTypes,
    /// Part of the event's name, ignoring case.
    pub event: Option<String>,
    /// The name of one of the players, ignoring case.
    pub player: Option<String>,
    /// The first year.
    pub from_year: Option<i32>,
    /// The last year.
    pub to_year: Option<i32>,
    /// The result.
    pub result: Option<ResultFilter>,
    /// Whether to ignore the mirror image and the position with sides swapped.
    pub no_symmetry: bool,
}

impl GameFilter {
    /// Whether every game matches, in all orientations of the position.
    #[must_use]
    pub fn is_unrestricted(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the attributes stored with a position match, for a query with `side_to_move`.
    pub(crate) fn matches(&self, rank: Rank, attributes: PositionAttributes, side_to_move: Side) -> bool {
        let ratings = [rank.rating(), attributes.rating];
        let result = match (attributes.no_winner, rank.won()) {
            (true, _) => ResultFilter::NoWinner,
            (false, true) => ResultFilter::from_side(side_to_move),
            (false, false) => ResultFilter::from_side(side_to_move.other()),
        };
        self.min_rating.is_none_or(|min| ratings.iter().all(|&rating| rating >= min))
            && self.max_rating.is_none_or(|max| ratings.iter().all(|&rating| rating > 0 && rating <= max))
            && match self.players {
                PlayerTypes::Any => true,
                PlayerTypes::Humans => attributes.bots == [false; 2],
                PlayerTypes::Bots => attributes.bots == [true; 2],
                PlayerTypes::Mixed => attributes.bots[0] != attributes.bots[1],
            }
            && self.from_year.is_none_or(|first| attributes.year.is_some_and(|year| year >= first))
            && self.to_year.is_none_or(|last| attributes.year.is_some_and(|year| year <= last))
            && self.result.is_none_or(|expected| expected == result)
    }

    /// SQL conditions on the `games` table (alias `g`), with placeholders numbered from `first`, and their values.
    pub(crate) fn where_clause(&self, first: usize) -> (String, Vec<Value>) {
        let (mut sql, mut values) = (String::new(), Vec::new());
        if let Some(event) = &self.event {
            sql += &format!(" AND lower(g.event) LIKE ${} ESCAPE '!'", first + values.len());
            values.push(Value::from(format!("%{}%", escape_like(event))));
        }
        if let Some(player) = &self.player {
            let index = first + values.len();
            sql += &format!(" AND (lower(g.gusername) = ${index} OR lower(g.susername) = ${index})");
            values.push(player.to_lowercase().into());
        }
        (sql, values)
    }
}

/// Escapes the wildcards of LIKE.
pub(crate) fn escape_like(text: &str) -> String {
    text.to_lowercase().replace('!', "!!").replace('%', "!%").replace('_', "!_")
}

impl ResultFilter {
    const fn from_side(side: Side) -> Self {
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
        let attributes = PositionAttributes {
            rating: 1900,
            no_winner: false,
            bots: [false, true],
            year: Some(2010),
            mirrored: false,
        };
        let rank = Rank::new(true, 2100, 5);
        let matches = |filters: GameFilter| filters.matches(rank, attributes, Side::Silver);
        assert!(matches(GameFilter::default()));
        assert!(matches(GameFilter { min_rating: Some(1900), ..GameFilter::default() }));
        assert!(!matches(GameFilter { min_rating: Some(1901), ..GameFilter::default() }));
        assert!(!matches(GameFilter { max_rating: Some(2099), ..GameFilter::default() }));
        assert!(matches(GameFilter { players: PlayerTypes::Mixed, ..GameFilter::default() }));
        assert!(!matches(GameFilter { players: PlayerTypes::Humans, ..GameFilter::default() }));
        assert!(matches(GameFilter { from_year: Some(2010), to_year: Some(2010), ..GameFilter::default() }));
        assert!(!matches(GameFilter { from_year: Some(2011), ..GameFilter::default() }));
        assert!(matches(GameFilter { result: Some(ResultFilter::Silver), ..GameFilter::default() }));
        assert!(!matches(GameFilter { result: Some(ResultFilter::Gold), ..GameFilter::default() }));
        assert_eq!(escape_like("50%_A!"), "50!%!_a!!");
    }
}
