//! Splits by game.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use super::OrderingError;

fn shuffled(games: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..games).collect();
    order.shuffle(&mut Pcg64Mcg::seed_from_u64(seed));
    order
}

/// The fold of each game, from 0; the folds differ by at most one game.
pub fn folds(games: usize, count: usize, seed: u64) -> Result<Vec<usize>, OrderingError> {
    if games < count || count < 2 {
        return Err(OrderingError::TooFewGames { found: games, parts: count.max(2) });
    }
    let mut folds = vec![0; games];
    for (index, game) in shuffled(games, seed).into_iter().enumerate() {
        folds[game] = index % count;
    }
    Ok(folds)
}

/// Random games for training and testing, 70 to 30 percent as in [Phase §5.1], out of `count` games.
pub fn holdout(games: usize, count: usize, seed: u64) -> Result<[Vec<usize>; 2], OrderingError> {
    let count = count.min(games);
    let train = (count * 7).div_ceil(10);
    if train == 0 || train == count {
        return Err(OrderingError::TooFewGames { found: count, parts: 2 });
    }
    let mut order = shuffled(games, seed);
    order.truncate(count);
    let test = order.split_off(train);
    Ok([order, test])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_are_even_and_depend_on_the_seed() {
        let all = folds(23, 5, 1).unwrap();
        let sizes: Vec<usize> = (0..5).map(|fold| all.iter().filter(|&&of| of == fold).count()).collect();
        assert_eq!(sizes, [5, 5, 5, 4, 4]);
        assert_ne!(all, folds(23, 5, 2).unwrap());
        assert_eq!(all, folds(23, 5, 1).unwrap());
    }

    #[test]
    fn too_few_games_are_an_error_that_says_what_to_change() {
        let error = folds(4, 5, 1).unwrap_err().to_string();
        assert_eq!(
            error,
            "4 games cannot be split into 5 parts: expected at least 5 games; add data or reduce the parts"
        );
        assert!(holdout(1, 1, 1).is_err());
    }

    #[test]
    fn holdout_has_seventy_percent_for_training_and_no_game_twice() {
        let [mut train, test] = holdout(100, 20, 3).unwrap();
        assert_eq!((train.len(), test.len()), (14, 6));
        train.extend(&test);
        train.sort_unstable();
        train.dedup();
        assert_eq!(train.len(), 20);
    }
}
