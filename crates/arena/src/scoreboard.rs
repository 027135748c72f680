//! Running results; games are combined into pairs as they finish.

use std::collections::{BTreeMap, HashMap};

use surus_rules::Side;

use crate::schedule::ScheduledGame;
use crate::stats::{GameResult, MatchStats};

/// The results of a run by pairing.
#[derive(Clone, Debug, Default)]
pub struct Scoreboard {
    /// Results of pairs with one finished game, for the engine with the lower index.
    incomplete_pairs: HashMap<u64, ((usize, usize), GameResult)>,
    results: BTreeMap<(usize, usize), MatchStats>,
}

impl Scoreboard {
    /// Adds a finished game.
    pub fn add(&mut self, scheduled: &ScheduledGame, winner: Option<Side>) {
        let pairing = (scheduled.gold.min(scheduled.silver), scheduled.gold.max(scheduled.silver));
        let outcome = match winner {
            None => GameResult::Draw,
            Some(Side::Gold) => GameResult::Win,
            Some(Side::Silver) => GameResult::Loss,
        };
        let outcome = if scheduled.gold == pairing.0 { outcome } else { outcome.reversed() };
        match self.incomplete_pairs.remove(&scheduled.pair) {
            None => drop(self.incomplete_pairs.insert(scheduled.pair, (pairing, outcome))),
            Some((_, other)) => self.results.entry(pairing).or_default().add_pair(other, outcome),
        }
    }

    /// The results of two engines, for the one with the lower index; incomplete pairs count as single games.
    #[must_use]
    pub fn stats(&self, first: usize, second: usize) -> MatchStats {
        let pairing = (first.min(second), first.max(second));
        let mut stats = self.results.get(&pairing).copied().unwrap_or_default();
        for (_, outcome) in self.incomplete_pairs.values().filter(|(other, _)| *other == pairing) {
            stats.add_single(*outcome);
        }
        stats
    }

    /// All pairings with a result.
    #[must_use]
    pub fn pairings(&self) -> Vec<(usize, usize)> {
        let mut pairings: Vec<_> = self
            .results
            .keys()
            .copied()
            .chain(self.incomplete_pairs.values().map(|(pairing, _)| *pairing))
            .collect();
        pairings.sort_unstable();
        pairings.dedup();
        pairings
    }

    /// Points and number of games of one engine.
    #[must_use]
    pub fn points(&self, engine: usize) -> (f64, u64) {
        self.pairings().into_iter().fold((0.0, 0), |(points, games), (first, second)| {
            let stats = self.stats(first, second);
            match engine {
                e if e == first => (points + stats.points(), games + stats.games()),
                e if e == second => (points + stats.games() as f64 - stats.points(), games + stats.games()),
                _ => (points, games),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::{Schedule, TournamentFormat};

    #[test]
    fn games_are_paired_in_any_order() {
        let scheduled_games: Vec<ScheduledGame> =
            Schedule { engines: 2, format: TournamentFormat::RoundRobin, games_per_pairing: 5 }
                .games()
                .collect();
        let mut board = Scoreboard::default();
        // The first engine wins both games of the first pair, one of the second, and the single game.
        for (index, winner) in
            [(1, Side::Silver), (2, Side::Gold), (0, Side::Gold), (3, Side::Gold), (4, Side::Gold)]
        {
            board.add(&scheduled_games[index], Some(winner));
        }
        let stats = board.stats(0, 1);
        assert_eq!((stats.games(), stats.points()), (5, 4.0));
        assert_eq!(stats.pairs().0, [0, 0, 1, 0, 1]);
        assert_eq!((board.points(0), board.points(1)), ((4.0, 5), (1.0, 5)));
    }
}
