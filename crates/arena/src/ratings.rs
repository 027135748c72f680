//! Ratings from the results of many games.
//!
//! Ratings are maximum-likelihood estimates in the Bradley-Terry model (that of Elo; a draw is half a win and half a
//! loss). Only differences are determined: the mean of the players is set by the caller, or players with known ratings
//! are anchors. Errors are 95% intervals relative to that mean or those anchors. They assume independent games, so the
//! error of a match is better taken from its pairs.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::connectivity::connected;
use crate::normal::normal_cdf;
use crate::rating_group::rate_group;
use crate::stats::ELO_UNIT;
use crate::{Crosstable, Unbounded};

/// Options of a rating list.
#[derive(Clone, PartialEq, Debug)]
pub struct RatingOptions {
    /// Players with fixed ratings.
    pub anchors: BTreeMap<String, f64>,
    /// Number of virtual draws of each player against an average opponent, so that a score of 0% or 100% has a finite
    /// rating. The rating of the opponent is fitted like the others. Zero disables the prior.
    pub prior: f64,
    /// Mean rating of a group without anchors.
    pub mean: f64,
}

impl Default for RatingOptions {
    fn default() -> Self {
        Self { anchors: BTreeMap::new(), prior: 2.0, mean: 0.0 }
    }
}

/// A rating list that cannot be computed.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum RatingError {
    /// An anchor without games.
    #[error("no games of the anchor '{0}'")]
    UnknownAnchor(String),
    /// A number out of range.
    #[error("invalid {what}: {value}")]
    InvalidNumber {
        /// Name of the number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// Newton's method does not converge.
    #[error("the ratings do not converge: the anchors or the results are too far apart")]
    NoConvergence,
}

/// A rating list.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Ratings {
    /// Groups of players; no games connect players of different groups, so their ratings cannot be compared.
    pub groups: Vec<RatingGroup>,
    /// Virtual draws of each player.
    pub prior: f64,
    /// Games of players against themselves, which are ignored.
    pub self_games: u64,
}

/// Players that can be compared, strongest first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RatingGroup {
    /// Whether anchors determine the ratings, rather than the mean.
    pub anchored: bool,
    /// The players.
    pub players: Vec<PlayerRating>,
    /// Standard deviation of the difference of any two ratings.
    #[serde(skip)]
    pub(crate) deviations: Vec<Vec<f64>>,
}

/// A rated player.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayerRating {
    /// Name in the results.
    pub name: String,
    /// Full ids of the engines with this name, if known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<String>,
    /// The rating, if finite.
    pub rating: Option<f64>,
    /// Half the width of the 95% interval; zero for an anchor.
    pub error95: Option<f64>,
    /// Why the rating is not finite.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unbounded: Option<Unbounded>,
    /// Whether the rating is fixed.
    pub anchor: bool,
    /// Number of games.
    pub games: u64,
    /// Points of all games.
    pub points: f64,
    /// Points per game, from 0 to 1.
    pub score: f64,
    /// Mean rating of the opponents over all games, if all are finite.
    pub mean_opponent: Option<f64>,
    /// Likelihood of superiority over the next player in the list.
    pub los: Option<f64>,
}

impl RatingGroup {
    /// Likelihood of superiority of one player over another.
    #[must_use]
    pub fn los(&self, one: usize, other: usize) -> Option<f64> {
        let difference = self.players.get(one)?.rating? - self.players.get(other)?.rating?;
        // Equal players: also avoids 0/0 for two equal anchors, or a player and itself.
        let equal = difference.abs() < 1e-9;
        Some(if equal { 0.5 } else { normal_cdf(difference / self.deviations[one][other]) })
    }
}

/// Rates all players.
pub fn rate(table: &Crosstable, options: &RatingOptions) -> Result<Ratings, RatingError> {
    check(options)?;
    let names: Vec<&str> = table.players().collect();
    let results = table.head_to_heads();
    let mut anchors = vec![None; names.len()];
    for (name, &rating) in &options.anchors {
        let unknown = |_| RatingError::UnknownAnchor(name.clone());
        anchors[names.binary_search(&name.as_str()).map_err(unknown)?] = Some(rating / ELO_UNIT);
    }
    let anchored: Vec<usize> = (0..names.len()).filter(|&player| anchors[player].is_some()).collect();
    let groups = connected(names.len(), &results, &anchored)
        .into_iter()
        .map(|group| rate_group(&group, &names, &results, &anchors, options))
        .collect::<Result<_, _>>()?;
    Ok(Ratings { groups, prior: options.prior, self_games: table.self_games() })
}

fn check(options: &RatingOptions) -> Result<(), RatingError> {
    let anchors = options.anchors.values().map(|&value| ("rating", value, true));
    let others = [
        ("mean rating", options.mean, true),
        ("number of virtual draws", options.prior, options.prior >= 0.0),
    ];
    match anchors.chain(others).find(|&(_, value, valid)| !valid || !value.is_finite()) {
        Some((what, value, _)) => Err(RatingError::InvalidNumber { what, value }),
        None => Ok(()),
    }
}

impl fmt::Display for Ratings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names =
            self.groups.iter().flat_map(|group| &group.players).map(|player| player.name.chars().count());
        let width = names.max().unwrap_or(0).max(6);
        for (i, group) in self.groups.iter().enumerate() {
            if self.groups.len() > 1 {
                let gap = if i == 0 { "" } else { "\n\n" };
                writeln!(
                    f,
                    "{gap}Group {} of {}: no games connect it with the others",
                    i + 1,
                    self.groups.len()
                )?;
            }
            write!(f, "   # {:width$}  rating  error  games  points  score  opponents  LOS", "player")?;
            for (rank, player) in group.players.iter().enumerate() {
                write!(f, "\n{:4} {:width$}  {player}", rank + 1, player.name)?;
            }
        }
        Ok(())
    }
}

/// Formats the columns of the list after the name.
impl fmt::Display for PlayerRating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let infinite = match self.unbounded {
            Some(Unbounded::Above) => "inf",
            Some(Unbounded::Below) => "-inf",
            Some(Unbounded::Incomparable) | None => "n/a",
        };
        let figure =
            |figure: Option<f64>, none: &str| figure.map_or(none.into(), |figure| format!("{figure:.1}"));
        let rating = figure(self.rating, infinite);
        let error = if self.anchor { "fixed".into() } else { figure(self.error95, "n/a") };
        let (games, points, score) = (self.games, self.points, 100.0 * self.score);
        let opponents = figure(self.mean_opponent, "n/a");
        let los = self.los.map_or("-".into(), |los| format!("{:.1}", 100.0 * los));
        write!(
            f,
            "{rating:>6}  {error:>5}  {games:>5}  {points:>6.1}  {score:>5.1}  {opponents:>9}  {los:>4}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameResult, score_to_elo};

    fn table(results: &[(&str, &str, u64, u64, u64)]) -> Crosstable {
        let mut table = Crosstable::default();
        for &(first, second, wins, draws, losses) in results {
            table.add_many(first, second, wins, draws, losses);
        }
        table
    }

    fn without_prior() -> RatingOptions {
        RatingOptions { prior: 0.0, ..RatingOptions::default() }
    }

    fn anchored(anchors: &[(&str, f64)], prior: f64) -> RatingOptions {
        let anchors = anchors.iter().map(|&(name, rating)| (name.into(), rating)).collect();
        RatingOptions { anchors, prior, mean: 0.0 }
    }

    fn player<'a>(ratings: &'a Ratings, name: &str) -> &'a PlayerRating {
        ratings.groups.iter().flat_map(|group| &group.players).find(|player| player.name == name).unwrap()
    }

    fn near(value: Option<f64>, expected: f64, within: f64) -> bool {
        (value.unwrap() - expected).abs() <= within
    }

    /// A score of 70 of 100: the logistic formula, and half the error of a coin for each player.
    #[test]
    fn two_players_match_the_logistic_formula() {
        let table = table(&[("a", "b", 60, 20, 20)]);
        let ratings = rate(&table, &without_prior()).unwrap();
        let [a, b] = ["a", "b"].map(|name| player(&ratings, name));
        let (elo, error) = (score_to_elo(0.7), 1.959_964 * ELO_UNIT / (100.0 * 0.7 * 0.3_f64).sqrt());
        assert!(near(a.rating, elo / 2.0, 1e-7) && near(b.rating, -elo / 2.0, 1e-7));
        assert!(near(a.error95, error / 2.0, 1e-3) && near(b.error95, error / 2.0, 1e-3));
        assert!(near(a.los, normal_cdf(elo / error * 1.959_964), 1e-6) && b.los.is_none());
        assert_eq!((a.games, a.points, b.points), (100, 70.0, 30.0));
        assert!(near(a.mean_opponent, -elo / 2.0, 1e-7));
        // Against an anchor, the other player has the full error.
        let ratings = rate(&table, &anchored(&[("b", 1500.0)], 0.0)).unwrap();
        let [a, b] = ["a", "b"].map(|name| player(&ratings, name));
        assert!(near(a.rating, 1500.0 + elo, 1e-7) && near(a.error95, error, 1e-3));
        assert!(near(b.rating, 1500.0, 0.0) && near(b.error95, 0.0, 0.0) && b.anchor);
    }

    /// Players of a symmetric cycle are equal; differences along a chain add up.
    #[test]
    fn cycles_are_even_and_chains_add_up() {
        let cycle = table(&[("c", "a", 3, 0, 1), ("a", "b", 3, 0, 1), ("b", "c", 3, 0, 1)]);
        let ratings = rate(&cycle, &without_prior()).unwrap();
        assert!(ratings.groups[0].players.iter().all(|player| near(player.rating, 0.0, 1e-7)));
        let names: Vec<&str> = ratings.groups[0].players.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "c"]);
        assert!(near(player(&ratings, "a").los, 0.5, 1e-9));
        let chain = table(&[("a", "b", 30, 0, 10), ("b", "c", 30, 0, 10)]);
        let ratings = rate(&chain, &RatingOptions { mean: 2000.0, ..without_prior() }).unwrap();
        let elo = score_to_elo(0.75);
        assert!(near(player(&ratings, "a").rating, 2000.0 + elo, 1e-6));
        assert!(near(player(&ratings, "c").rating, 2000.0 - elo, 1e-6));
        // Two differences of variance v each: their sum has 2v, the likelihood of a over c that of elo·2/√(2v).
        let variance = (ELO_UNIT / (40.0 * 0.75 * 0.25_f64).sqrt()).powi(2);
        assert!(near(ratings.groups[0].los(0, 2), normal_cdf(2.0 * elo / (2.0 * variance).sqrt()), 1e-9));
        assert!(near(ratings.groups[0].los(2, 0), 1.0 - ratings.groups[0].los(0, 2).unwrap(), 1e-12));
    }

    /// Odds of 4 : 2 : 1 with results in exactly that proportion.
    #[test]
    fn exact_proportions_give_exact_ratings() {
        let table = table(&[("a", "b", 40, 0, 20), ("b", "c", 40, 0, 20), ("a", "c", 80, 0, 20)]);
        let ratings = rate(&table, &without_prior()).unwrap();
        let doubled = ELO_UNIT * std::f64::consts::LN_2;
        for (name, expected) in [("a", doubled), ("b", 0.0), ("c", -doubled)] {
            assert!(near(player(&ratings, name).rating, expected, 1e-7), "{name}");
        }
    }

    #[test]
    fn only_a_prior_makes_every_rating_finite() {
        let table = table(&[("a", "b", 10, 0, 0), ("b", "c", 5, 0, 5), ("c", "d", 4, 0, 0)]);
        let ratings = rate(&table, &without_prior()).unwrap();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| player(&ratings, name));
        assert_eq!((a.rating, a.error95, a.unbounded), (None, None, Some(Unbounded::Above)));
        assert_eq!((d.rating, d.unbounded), (None, Some(Unbounded::Below)));
        assert!(near(b.rating, 0.0, 1e-9) && near(c.rating, 0.0, 1e-9) && b.mean_opponent.is_none());
        let order: Vec<&str> = ratings.groups[0].players.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(order, ["a", "b", "c", "d"]);
        let ratings = rate(&table, &RatingOptions::default()).unwrap();
        let all = ["a", "b", "c", "d"].map(|name| player(&ratings, name).rating.unwrap());
        assert!(
            all[1..].iter().all(|&rating| rating < all[0]) && all[..3].iter().all(|&rating| rating > all[3])
        );
        assert!(all.iter().all(|rating| rating.abs() < 600.0), "{all:?}");
        assert!(all.iter().sum::<f64>().abs() < 1e-6);
        // Two draws hardly matter among a thousand games.
        let table = self::table(&[("a", "b", 700, 0, 300)]);
        let ratings = rate(&table, &RatingOptions::default()).unwrap();
        assert!(near(player(&ratings, "a").rating, score_to_elo(0.7) / 2.0, 0.3));
    }

    #[test]
    fn unconnected_players_are_in_separate_groups() {
        let results = [("a", "b", 3, 0, 1), ("x", "y", 1, 2, 1), ("y", "z", 1, 0, 1)];
        let ratings = rate(&table(&results), &RatingOptions::default()).unwrap();
        let sizes: Vec<usize> = ratings.groups.iter().map(|group| group.players.len()).collect();
        assert_eq!(sizes, [3, 2]);
        assert!(ratings.to_string().contains("Group 2 of 2: no games connect it with the others"));
        // Anchors connect groups.
        let ratings = rate(&table(&results), &anchored(&[("b", 1800.0), ("y", 1500.0)], 0.0)).unwrap();
        assert_eq!(ratings.groups.len(), 1);
        assert!(near(player(&ratings, "a").rating, 1800.0 + score_to_elo(0.75), 1e-6));
        assert!(near(player(&ratings, "x").rating, 1500.0, 1e-6));
        // b is certainly stronger than y, an anchor, and stronger than x up to the error of x.
        let x = player(&ratings, "x").error95.unwrap() / 1.959_964;
        assert_eq!(ratings.groups[0].los(1, 3), Some(1.0));
        assert!(near(player(&ratings, "b").los, normal_cdf(300.0 / x), 1e-6), "{ratings}");
    }

    #[test]
    fn the_order_of_games_does_not_matter() {
        let mut games = Vec::new();
        for (i, (first, second)) in [("a", "b"), ("b", "c"), ("c", "a"), ("a", "c")].into_iter().enumerate() {
            for outcome in
                [GameResult::Win, GameResult::Loss, GameResult::Draw, GameResult::Win].into_iter().take(i + 1)
            {
                games.push((first, second, outcome));
            }
        }
        let list = |games: &[(&str, &str, GameResult)]| {
            let mut table = Crosstable::default();
            games.iter().for_each(|&(first, second, outcome)| table.add(first, second, outcome));
            table.add("a", "a", GameResult::Win);
            rate(&table, &RatingOptions::default()).unwrap()
        };
        let forward = list(&games);
        games.reverse();
        let swapped: Vec<_> = games.iter().map(|&(a, b, outcome)| (b, a, outcome.reversed())).collect();
        assert_eq!(forward, list(&games));
        assert_eq!(forward, list(&swapped));
        assert_eq!(forward.self_games, 1);
    }

    #[test]
    fn formats_the_list_and_json_without_non_finite_numbers() {
        let table = table(&[("a", "b", 10, 0, 0), ("b", "long name", 6, 2, 2)]);
        let ratings = rate(&table, &without_prior()).unwrap();
        assert_eq!(
            ratings.to_string(),
            "   # player     rating  error  games  points  score  opponents  LOS\n   \
                1 a             inf    n/a     10    10.0  100.0       73.6     -\n   \
                2 b            73.6  117.5     20     7.0   35.0        n/a  89.0\n   \
                3 long name   -73.6  117.5     10     3.0   30.0       73.6     -"
        );
        let json = serde_json::to_value(&ratings).unwrap();
        let [a, b] = [0, 1].map(|i| &json["groups"][0]["players"][i]);
        assert!(a["rating"].is_null() && a["error95"].is_null());
        assert_eq!((&a["unbounded"], b.get("unbounded")), (&"above".into(), None));
        assert!((b["rating"].as_f64().unwrap() - 73.6).abs() < 0.05);
    }

    #[test]
    fn invalid_options_are_rejected() {
        let table = table(&[("a", "b", 1, 0, 1)]);
        let message = |options: &RatingOptions| rate(&table, options).unwrap_err().to_string();
        assert_eq!(message(&anchored(&[("c", 0.0)], 0.0)), "no games of the anchor 'c'");
        assert_eq!(message(&anchored(&[("a", f64::NAN)], 0.0)), "invalid rating: NaN");
        assert_eq!(message(&anchored(&[], -1.0)), "invalid number of virtual draws: -1");
        let far = anchored(&[("a", 1e9)], 2.0);
        assert!(rate(&table, &far).is_ok());
        let empty = rate(&Crosstable::default(), &RatingOptions::default()).unwrap();
        assert!(empty.groups.is_empty() && empty.to_string().is_empty());
    }
}
