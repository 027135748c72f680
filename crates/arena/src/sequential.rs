//! A sequential test over games that finish in any order.
//!
//! The pairs are counted in the order of their numbers, each as soon as all pairs before it are finished. The decision therefore
//! depends on the games alone, not on which of them finished first: short games and fast machines have no more weight than
//! others, and results that arrive after the decision do not change it.

use std::collections::BTreeMap;

use surus_rules::Side;

use crate::sprt::{Sprt, SprtState};
use crate::stats::{GameResult, MatchStats};

/// The running state of a test of the first engine of a match against the second.
#[derive(Clone, Debug)]
pub struct SequentialTest {
    sprt: Sprt,
    /// Results of pairs that are not counted yet, for the first engine.
    waiting: BTreeMap<u64, [Option<GameResult>; 2]>,
    counted: MatchStats,
    next_pair: u64,
    state: SprtState,
}

impl SequentialTest {
    /// A test without games.
    #[must_use]
    pub fn new(sprt: Sprt) -> Self {
        Self {
            sprt,
            waiting: BTreeMap::new(),
            counted: MatchStats::default(),
            next_pair: 0,
            state: SprtState::Continue,
        }
    }

    /// Adds a finished game by its ID and returns the decision. Of a game that was played twice, the first result counts.
    pub fn add(&mut self, id: u64, winner: Option<Side>) -> SprtState {
        let (pair, index) = (id.saturating_sub(1) / 2, (id.saturating_sub(1) % 2) as usize);
        if pair < self.next_pair || self.state != SprtState::Continue {
            return self.state;
        }
        // The first engine has gold in the first game of a pair.
        let result = match winner {
            None => GameResult::Draw,
            Some(side) if (side == Side::Gold) == (index == 0) => GameResult::Win,
            Some(_) => GameResult::Loss,
        };
        self.waiting.entry(pair).or_default()[index].get_or_insert(result);
        while let Some(&[Some(one), Some(other)]) = self.waiting.get(&self.next_pair)
            && self.state == SprtState::Continue
        {
            self.waiting.remove(&self.next_pair);
            self.counted.add_pair(one, other);
            self.next_pair += 1;
            self.state = self.sprt.state(self.counted.pairs());
        }
        self.state
    }

    /// The test.
    #[must_use]
    pub const fn sprt(&self) -> Sprt {
        self.sprt
    }

    /// The decision.
    #[must_use]
    pub const fn state(&self) -> SprtState {
        self.state
    }

    /// The results that were counted.
    #[must_use]
    pub const fn stats(&self) -> MatchStats {
        self.counted
    }

    /// The first pair that was not counted.
    #[must_use]
    pub const fn next_pair(&self) -> u64 {
        self.next_pair
    }
}

#[cfg(test)]
mod tests {
    use rand::seq::SliceRandom;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::*;
    use crate::sprt::SprtModel;

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, SprtModel::Logistic).unwrap()
    }

    /// Games in which the first engine scores `rate`, by ID.
    fn games(rate: f64, pairs: u64, rng: &mut Pcg64Mcg) -> Vec<(u64, Option<Side>)> {
        let winner = |id: u64, wins: bool| if wins == (id % 2 == 1) { Side::Gold } else { Side::Silver };
        (1..=2 * pairs).map(|id| (id, Some(winner(id, rng.random_bool(rate))))).collect()
    }

    #[test]
    fn decision_does_not_depend_on_the_order_of_arrival() {
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        for rate in [0.4, 0.5, 0.6, 0.7] {
            let mut games = games(rate, 400, &mut rng);
            let run = |games: &[(u64, Option<Side>)]| {
                let mut test = SequentialTest::new(sprt(0.0, 60.0));
                for &(id, winner) in games {
                    test.add(id, winner);
                }
                (test.state(), test.stats(), test.next_pair())
            };
            let expected = run(&games);
            assert_ne!(expected.0, SprtState::Continue);
            for _ in 0..5 {
                games.shuffle(&mut rng);
                assert_eq!(run(&games), expected, "{rate}");
            }
        }
    }

    #[test]
    fn pairs_wait_for_those_before_them_and_the_first_result_of_a_game_counts() {
        let mut test = SequentialTest::new(sprt(0.0, 60.0));
        for id in 3..=200 {
            let winner = if id % 2 == 1 { Side::Gold } else { Side::Silver };
            assert_eq!(test.add(id, Some(winner)), SprtState::Continue);
        }
        assert_eq!((test.stats().games(), test.next_pair()), (0, 0));
        test.add(1, None);
        test.add(1, Some(Side::Gold));
        assert_eq!(test.add(2, Some(Side::Silver)), SprtState::AcceptH1);
        let stats = test.stats();
        assert_eq!((stats.draws(), stats.pairs().0[3]), (1, 1));
        let counted = test.next_pair();
        test.add(2 * counted + 1, Some(Side::Silver));
        assert_eq!((test.stats(), test.next_pair()), (stats, counted));
    }

    /// A test of 0 against 100 Elo on machines of unequal speed: a block of two pairs goes to the machine that is free first,
    /// and a won game takes a third of the time of a lost one, so that wins arrive early. Returns whether H1 was accepted.
    fn simulate(elo: f64, rng: &mut Pcg64Mcg) -> bool {
        const SPEEDS: [f64; 7] = [1.0, 1.0, 1.5, 2.0, 4.0, 8.0, 16.0];
        let rate = crate::stats::elo_to_score(elo);
        let mut test = SequentialTest::new(sprt(0.0, 100.0));
        let mut free_at = SPEEDS.map(|_| rng.random_range(0.0..10.0));
        // Finished games by the time at which they are known.
        let mut arrivals: Vec<(f64, u64, Option<Side>)> = Vec::new();
        for block in 0.. {
            let machine =
                (0..SPEEDS.len()).min_by(|&a, &b| f64::total_cmp(&free_at[a], &free_at[b])).unwrap();
            // Games that were known before this block began.
            arrivals.sort_by(|a, b| b.0.total_cmp(&a.0));
            while let Some((_, id, winner)) = arrivals.pop_if(|game| game.0 <= free_at[machine]) {
                match test.add(id, winner) {
                    SprtState::Continue => {}
                    state => return state == SprtState::AcceptH1,
                }
            }
            for id in 4 * block + 1..=4 * block + 4 {
                let wins = rng.random_bool(rate);
                let winner = if wins == (id % 2 == 1) { Side::Gold } else { Side::Silver };
                let turns = rng.random_range(20.0..60.0) * if wins { 1.0 } else { 3.0 };
                free_at[machine] += turns / SPEEDS[machine];
                arrivals.push((free_at[machine], id, Some(winner)));
            }
        }
        unreachable!("a sequential test ends")
    }

    /// The stated error rates are 5 %; the bound is three standard deviations above.
    #[test]
    fn error_rates_hold_on_unequal_machines() {
        let tests = 1000;
        let mut rng = Pcg64Mcg::seed_from_u64(28);
        let bound = 0.05 + 3.0 * (0.05 * 0.95 / f64::from(tests)).sqrt();
        for (elo, error) in [(0.0, true), (100.0, false)] {
            let wrong = (0..tests).filter(|_| simulate(elo, &mut rng) == error).count();
            println!("{elo} Elo: {wrong} of {tests} tests were wrong");
            assert!(wrong as f64 <= bound * f64::from(tests), "{elo} Elo: {wrong} of {tests} wrong");
        }
    }
}
