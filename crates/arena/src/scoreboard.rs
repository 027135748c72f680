//! Who leads: games are put together to pairs as they come in.

use std::collections::{BTreeMap, HashMap};

use surus_rules::Side;

use crate::schedule::ScheduledGame;
use crate::stats::{GameResult, MatchStats};

/// The results of a run between each two engines.
#[derive(Clone, Debug, Default)]
pub struct Scoreboard {
    /// Pairs whose second game is not finished, from the view of the engine with the lower index.
    incomplete_pairs: HashMap<u64, ((usize, usize), GameResult)>,
    results: BTreeMap<(usize, usize), MatchStats>,
}

impl Scoreboard {
    /// Counts a finished game.
    pub fn add(&mut self, fixture: &ScheduledGame, winner: Option<Side>) {
        let meeting = (fixture.gold.min(fixture.silver), fixture.gold.max(fixture.silver));
        let outcome = match winner {
            None => GameResult::Draw,
            Some(Side::Gold) => GameResult::Win,
            Some(Side::Silver) => GameResult::Loss,
        };
        let outcome = if fixture.gold == meeting.0 { outcome } else { outcome.reversed() };
        match self.incomplete_pairs.remove(&fixture.pair) {
            None => drop(self.incomplete_pairs.insert(fixture.pair, (meeting, outcome))),
            Some((_, other)) => self.results.entry(meeting).or_default().add_pair(other, outcome),
        }
    }

    /// The results of two engines, from the view of the one with the lower index; half pairs count as single games.
    #[must_use]
    pub fn tally(&self, first: usize, second: usize) -> MatchStats {
        let meeting = (first.min(second), first.max(second));
        let mut tally = self.results.get(&meeting).copied().unwrap_or_default();
        for (_, outcome) in self.incomplete_pairs.values().filter(|(met, _)| *met == meeting) {
            tally.add_single(*outcome);
        }
        tally
    }

    /// All meetings that have a result.
    #[must_use]
    pub fn meetings(&self) -> Vec<(usize, usize)> {
        let mut met: Vec<_> =
            self.results.keys().copied().chain(self.incomplete_pairs.values().map(|(met, _)| *met)).collect();
        met.sort_unstable();
        met.dedup();
        met
    }

    /// The points and games of one engine.
    #[must_use]
    pub fn points(&self, engine: usize) -> (f64, u64) {
        self.meetings().into_iter().fold((0.0, 0), |(points, games), (first, second)| {
            let tally = self.tally(first, second);
            match engine {
                e if e == first => (points + tally.points(), games + tally.games()),
                e if e == second => (points + tally.games() as f64 - tally.points(), games + tally.games()),
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
    fn games_become_pairs_in_whatever_order_they_end() {
        let fixtures: Vec<ScheduledGame> =
            Schedule { engines: 2, format: TournamentFormat::RoundRobin, games_per_pairing: 5 }
                .games_per_pairing()
                .collect();
        let mut board = Scoreboard::default();
        // The first engine wins both games of the first pair, one of the second, and the single game.
        for (index, winner) in
            [(1, Side::Silver), (2, Side::Gold), (0, Side::Gold), (3, Side::Gold), (4, Side::Gold)]
        {
            board.add(&fixtures[index], Some(winner));
        }
        let tally = board.tally(0, 1);
        assert_eq!((tally.games(), tally.points()), (5, 4.0));
        assert_eq!(tally.pairs().0, [0, 0, 1, 0, 1]);
        assert_eq!((board.points(0), board.points(1)), ((4.0, 5), (1.0, 5)));
    }
}
