//! Points of every player against every other.

use std::collections::BTreeMap;

use crate::GameResult;

/// Results of games between named players. The order in which they are added does not matter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Crosstable {
    /// Half points of the first player against the second, for both orders of a pair.
    half_points: BTreeMap<String, BTreeMap<String, u64>>,
    self_games: u64,
}

impl Crosstable {
    /// Adds a game.
    pub fn add(&mut self, first: &str, second: &str, outcome: GameResult) {
        let [wins, draws, losses] =
            [GameResult::Win, GameResult::Draw, GameResult::Loss].map(|kind| u64::from(outcome == kind));
        self.add_many(first, second, wins, draws, losses);
    }

    /// Adds `wins`, `draws` and `losses` of the first player.
    ///
    /// Games of a player against itself say nothing about its strength and are only counted.
    pub fn add_many(&mut self, first: &str, second: &str, wins: u64, draws: u64, losses: u64) {
        let games = wins + draws + losses;
        if first == second {
            self.self_games += games;
        } else if games > 0 {
            self.cell(first, second, 2 * wins + draws);
            self.cell(second, first, 2 * losses + draws);
        }
    }

    fn cell(&mut self, one: &str, other: &str, half_points: u64) {
        let row = match self.half_points.get_mut(one) {
            Some(row) => row,
            None => self.half_points.entry(one.into()).or_default(),
        };
        match row.get_mut(other) {
            Some(cell) => *cell += half_points,
            None => drop(row.insert(other.into(), half_points)),
        }
    }

    /// The players that have games, in the order of their names.
    pub fn players(&self) -> impl Iterator<Item = &str> {
        self.half_points.keys().map(String::as_str)
    }

    /// Games that players played against themselves.
    #[must_use]
    pub const fn self_games(&self) -> u64 {
        self.self_games
    }

    /// The results of every two players with common games; players are indices into [`Crosstable::players`].
    pub(crate) fn head_to_heads(&self) -> Vec<HeadToHead> {
        let indices: BTreeMap<&str, usize> = self.players().zip(0..).collect();
        let mut results = Vec::new();
        for (first, (name, row)) in self.half_points.iter().enumerate() {
            for (other, &half_points) in
                row.range::<str, _>((std::ops::Bound::Excluded(name.as_str()), std::ops::Bound::Unbounded))
            {
                let opposite = self.half_points[other][name];
                let points = [half_points, opposite].map(|half| half as f64 / 2.0);
                results.push(HeadToHead { players: [first, indices[other.as_str()]], points });
            }
        }
        results
    }
}

/// The games between two players.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct HeadToHead {
    pub(crate) players: [usize; 2],
    pub(crate) points: [f64; 2],
}

impl HeadToHead {
    pub(crate) const fn games(&self) -> f64 {
        self.points[0] + self.points[1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_games_and_players_does_not_matter() {
        let mut one = Crosstable::default();
        one.add("b", "a", GameResult::Win);
        one.add("a", "b", GameResult::Draw);
        one.add("a", "c", GameResult::Loss);
        one.add("c", "c", GameResult::Win);
        let mut other = Crosstable::default();
        other.add_many("c", "c", 0, 1, 0);
        other.add_many("c", "a", 1, 0, 0);
        other.add_many("a", "b", 0, 1, 1);
        other.add_many("d", "a", 0, 0, 0);
        assert_eq!(one, other);
        assert_eq!(one.players().collect::<Vec<_>>(), ["a", "b", "c"]);
        assert_eq!(one.self_games(), 1);
        let expected = [
            HeadToHead { players: [0, 1], points: [0.5, 1.5] },
            HeadToHead { players: [0, 2], points: [0.0, 1.0] },
        ];
        assert_eq!(one.head_to_heads(), expected);
    }
}
