//! Which games are to be played: in pairs, with numbers that never change.

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TournamentFormat {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first meets all others.
    Gauntlet,
}

/// One game to play. Its number tells everything about it, so that a run can be taken up again or done in parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ScheduledGame {
    /// From 1 on; the two games of a pair follow each other.
    pub id: u64,
    /// Which pair it belongs to, from 0 on.
    pub pair: u64,
    /// Which opening it has, from 0 on.
    pub opening: u64,
    /// The index of the engine that plays gold.
    pub gold: usize,
    /// The index of the engine that plays silver.
    pub silver: usize,
}

/// All games of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// How many engines take part.
    pub engines: usize,
    /// Who meets whom.
    pub format: TournamentFormat,
    /// How many games each two engines play against each other.
    pub games_per_pairing: u64,
}

impl Schedule {
    /// The pairings in their order.
    fn pairings(&self) -> Vec<(usize, usize)> {
        let firsts = match self.format {
            TournamentFormat::RoundRobin => 0..self.engines,
            TournamentFormat::Gauntlet => 0..1.min(self.engines),
        };
        firsts.flat_map(|first| (first + 1..self.engines).map(move |second| (first, second))).collect()
    }

    /// All fixtures, so ordered that every stretch of them has games of all pairings. An odd number of games gives
    /// the last pair of each pairing only its first game.
    pub fn games_per_pairing(&self) -> impl Iterator<Item = ScheduledGame> + use<> {
        let (meetings, games) = (self.pairings(), self.games_per_pairing);
        let rounds = games.div_ceil(2);
        (0..rounds).flat_map(move |round| {
            let (count, meetings) = (meetings.len() as u64, meetings.clone());
            (0..).zip(meetings).flat_map(move |(meeting, (first, second))| {
                let pair = round * count + meeting;
                let game = move |half: u64| {
                    let (gold, silver) = if half == 0 { (first, second) } else { (second, first) };
                    ScheduledGame { id: 2 * pair + half + 1, pair, opening: round, gold, silver }
                };
                (0..2).filter(move |half| 2 * round + half < games).map(game)
            })
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
        let fixtures: Vec<ScheduledGame> = schedule.games_per_pairing().collect();
        assert_eq!(fixtures.iter().map(|f| f.id).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
        for pair in fixtures.chunks(2) {
            assert_eq!((pair[0].gold, pair[0].silver), (pair[1].silver, pair[1].gold));
            assert_eq!((pair[0].opening, pair[0].pair), (pair[1].opening, pair[1].pair));
        }
        assert_eq!(Schedule { games_per_pairing: 5, ..schedule }.games_per_pairing().count(), 5);
    }

    #[test]
    fn everybody_meets_everybody_as_often_with_either_colour() {
        let schedule = Schedule { engines: 4, format: TournamentFormat::RoundRobin, games_per_pairing: 4 };
        let mut met: HashMap<(usize, usize), u32> = HashMap::new();
        for fixture in schedule.games_per_pairing() {
            *met.entry((fixture.gold, fixture.silver)).or_default() += 1;
        }
        assert_eq!(met.len(), 12);
        assert!(met.values().all(|&count| count == 2));
        let gauntlet = Schedule { format: TournamentFormat::Gauntlet, ..schedule };
        assert!(gauntlet.games_per_pairing().all(|f| f.gold == 0 || f.silver == 0));
        assert_eq!(gauntlet.games_per_pairing().count(), 12);
    }

    #[test]
    fn the_parts_are_the_whole_and_keep_pairs_together() {
        let schedule = Schedule { engines: 3, format: TournamentFormat::RoundRobin, games_per_pairing: 10 };
        let part = |part| {
            schedule.games_per_pairing().filter(move |f| Shard { index: part, count: 4 }.contains(f.pair))
        };
        let ids: Vec<u64> = (1..=4).flat_map(|p| part(p).map(|f| f.id)).collect();
        assert_eq!(ids.len(), 30);
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 30);
        assert!((1..=4).all(|p| part(p).count() % 2 == 0));
    }

    /// A longer run begins with the games of a shorter one, so that a run can be lengthened.
    #[test]
    fn more_games_only_add() {
        let schedule = Schedule { engines: 3, format: TournamentFormat::RoundRobin, games_per_pairing: 4 };
        let longer: HashSet<ScheduledGame> =
            Schedule { games_per_pairing: 8, ..schedule }.games_per_pairing().collect();
        assert!(schedule.games_per_pairing().all(|fixture| longer.contains(&fixture)));
    }
}
