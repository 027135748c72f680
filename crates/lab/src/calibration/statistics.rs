//! Means over positions of games. Positions of a game are correlated, so errors are computed between games.

/// The sum and the number of the observed values of one game.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct GameSum {
    pub(super) sum: f64,
    pub(super) count: f64,
}

impl GameSum {
    pub(super) fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1.0;
    }
}

/// A mean over all positions with its 95 % error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Mean {
    pub(super) value: f64,
    pub(super) error: f64,
    pub(super) positions: usize,
    pub(super) games: usize,
}

impl Mean {
    /// The mean of the values of all games (ratio estimator); `None` without a value.
    pub(super) fn new(games: impl IntoIterator<Item = GameSum>) -> Option<Self> {
        let games: Vec<GameSum> = games.into_iter().filter(|game| game.count > 0.0).collect();
        let total: f64 = games.iter().map(|game| game.count).sum();
        if games.is_empty() {
            return None;
        }
        let value = games.iter().map(|game| game.sum).sum::<f64>() / total;
        let clusters = games.len() as f64;
        let squares: f64 = games.iter().map(|game| (game.sum - value * game.count).powi(2)).sum();
        // One game says nothing about the variance between games.
        let error = if games.len() < 2 {
            f64::INFINITY
        } else {
            1.96 * (squares * clusters / (clusters - 1.0)).sqrt() / total
        };
        Some(Self { value, error, positions: total as usize, games: games.len() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_computed_between_games() {
        let game = |sum, count| GameSum { sum, count };
        // Ten equal positions of a game are one observation.
        let few = Mean::new([game(1.0, 1.0), game(0.0, 1.0)]).unwrap();
        let many = Mean::new([game(10.0, 10.0), game(0.0, 10.0)]).unwrap();
        for mean in [few, many] {
            assert!((mean.value - 0.5).abs() < 1e-9 && (mean.error - 1.96 * 0.5).abs() < 1e-9, "{mean:?}");
        }
        assert_eq!((many.positions, many.games), (20, 2));
        assert!(Mean::new([game(1.0, 3.0)]).unwrap().error.is_infinite());
        assert_eq!(Mean::new([game(0.0, 0.0)]), None);
    }
}
