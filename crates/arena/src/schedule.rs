//! The schedule: pairs of games with fixed numbers.

use std::ops::Range;

/// The pairings of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TournamentFormat {
    /// Every engine plays every other.
    RoundRobin,
    /// The first engine plays all others.
    Gauntlet,
}

/// One game to play. It is determined by its number, so that a run can be resumed or sharded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ScheduledGame {
    /// Counted from 1; the two games of a pair are consecutive.
    pub id: u64,
    /// Number of its pair, counted from 0.
    pub pair: u64,
    /// Number of its opening, counted from 0.
    pub opening: u64,
    /// Index of the gold engine.
    pub gold: usize,
    /// Index of the silver engine.
    pub silver: usize,
}

/// All games of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// Number of engines.
    pub engines: usize,
    /// The pairings.
    pub format: TournamentFormat,
    /// Number of games of each pairing.
    pub games_per_pairing: u64,
}

impl Schedule {
    /// The pairings in order.
    fn pairings(&self) -> Vec<(usize, usize)> {
        let firsts = match self.format {
            TournamentFormat::RoundRobin => 0..self.engines,
            TournamentFormat::Gauntlet => 0..1.min(self.engines),
        };
        firsts.flat_map(|first| (first + 1..self.engines).map(move |second| (first, second))).collect()
    }

    /// Number of pairs, of which the last of each pairing may have a single game.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.pairings().len() as u64 * self.games_per_pairing.div_ceil(2)
    }

    /// Number of games.
    #[must_use]
    pub fn game_count(&self) -> u64 {
        self.pairings().len() as u64 * self.games_per_pairing
    }

    /// All games, round by round, so that every part of the schedule has games of all pairings. If the number of games per
    /// pairing is odd, the last pair has only its first game.
    pub fn games(&self) -> impl Iterator<Item = ScheduledGame> + use<> {
        self.games_of(0..self.pairs())
    }

    /// The games of some pairs.
    pub fn games_of(&self, pairs: Range<u64>) -> impl Iterator<Item = ScheduledGame> + use<> {
        let (pairings, games) = (self.pairings(), self.games_per_pairing);
        let count = pairings.len() as u64;
        (pairs.start..pairs.end.min(self.pairs())).flat_map(move |pair| {
            let (round, (first, second)) = (pair / count, pairings[(pair % count) as usize]);
            let game = move |index: u64| {
                let (gold, silver) = if index == 0 { (first, second) } else { (second, first) };
                ScheduledGame { id: 2 * pair + index + 1, pair, opening: round, gold, silver }
            };
            (0..2).filter(move |index| 2 * round + index < games).map(game)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use surus_record::Shard;

    use super::*;

    #[test]
    fn pairs_exchange_colours_on_the_same_opening() {
        let schedule = Schedule { engines: 2, format: TournamentFormat::RoundRobin, games_per_pairing: 6 };
        let scheduled_games: Vec<ScheduledGame> = schedule.games().collect();
        assert_eq!(scheduled_games.iter().map(|f| f.id).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
        for pair in scheduled_games.chunks(2) {
            assert_eq!((pair[0].gold, pair[0].silver), (pair[1].silver, pair[1].gold));
            assert_eq!((pair[0].opening, pair[0].pair), (pair[1].opening, pair[1].pair));
        }
        let odd = Schedule { games_per_pairing: 5, ..schedule };
        assert_eq!((odd.games().count(), odd.game_count(), odd.pairs()), (5, 5, 3));
        assert_eq!(odd.games_of(2..9).map(|f| f.id).collect::<Vec<_>>(), [5]);
    }

    #[test]
    fn round_robin_balances_pairings_and_colours() {
        let schedule = Schedule { engines: 4, format: TournamentFormat::RoundRobin, games_per_pairing: 4 };
        let mut counts: HashMap<(usize, usize), u32> = HashMap::new();
        for scheduled in schedule.games() {
            *counts.entry((scheduled.gold, scheduled.silver)).or_default() += 1;
        }
        assert_eq!(counts.len(), 12);
        assert!(counts.values().all(|&count| count == 2));
        let gauntlet = Schedule { format: TournamentFormat::Gauntlet, ..schedule };
        assert!(gauntlet.games().all(|f| f.gold == 0 || f.silver == 0));
        assert_eq!(gauntlet.games().count(), 12);
    }

    #[test]
    fn shards_are_disjoint_complete_and_keep_pairs_together() {
        let schedule = Schedule { engines: 3, format: TournamentFormat::RoundRobin, games_per_pairing: 10 };
        let part = |part| schedule.games().filter(move |f| Shard { index: part, count: 4 }.contains(f.pair));
        let ids: Vec<u64> = (1..=4).flat_map(|p| part(p).map(|f| f.id)).collect();
        assert_eq!(ids.len(), 30);
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 30);
        assert!((1..=4).all(|p| part(p).count() % 2 == 0));
    }

    /// A run can be extended because the games of a shorter run are part of a longer one.
    #[test]
    fn more_games_only_add_to_the_schedule() {
        let schedule = Schedule { engines: 3, format: TournamentFormat::RoundRobin, games_per_pairing: 4 };
        let longer: HashSet<ScheduledGame> = Schedule { games_per_pairing: 8, ..schedule }.games().collect();
        assert!(schedule.games().all(|scheduled| longer.contains(&scheduled)));
    }
}
