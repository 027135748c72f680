//! Who scored what against whom.

use std::collections::BTreeMap;

use crate::GameResult;

/// Results of games between named players. The order in which they are added does not matter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Crosstable {
    /// Both ways round: half points of the one against the other.
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

    /// Adds games: so many that the first won, drew and lost.
    ///
    /// Games of a player against itself say nothing about its strength: they are counted and left out.
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

    /// The players that have games, by name.
    pub fn players(&self) -> impl Iterator<Item = &str> {
        self.half_points.keys().map(String::as_str)
    }

    /// Games that players played against themselves.
    #[must_use]
    pub const fn self_games(&self) -> u64 {
        self.self_games
    }

    /// Every two players that met, once, by their numbers in [`Crosstable::players`].
    pub(crate) fn head_to_heads(&self) -> Vec<HeadToHead> {
        let numbers: BTreeMap<&str, usize> = self.players().zip(0..).collect();
        let mut meetings = Vec::new();
        for (first, (name, row)) in self.half_points.iter().enumerate() {
            for (other, &half_points) in
                row.range::<str, _>((std::ops::Bound::Excluded(name.as_str()), std::ops::Bound::Unbounded))
            {
                let back = self.half_points[other][name];
                let points = [half_points, back].map(|half| half as f64 / 2.0);
                meetings.push(HeadToHead { players: [first, numbers[other.as_str()]], points });
            }
        }
        meetings
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
    fn games_add_up_whichever_way_they_are_told() {
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
