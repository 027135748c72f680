//! How often each feature vector occurs.

use std::collections::BTreeMap;

use serde::Serialize;
use surus_engine::phase::{PhaseFeatures, decision_boards};
use surus_record::packed::{PackedGame, PackedSample};
use surus_rules::{Board, Game};

/// Counts of boards by their features, over many games.
///
/// The features are small integers, so there are at most a few hundred different vectors: a histogram has all that a
/// clustering needs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct PhaseHistogram {
    /// Number of games.
    pub games: u64,
    /// Number of boards.
    pub boards: u64,
    #[serde(skip)]
    counts: BTreeMap<PhaseFeatures, u64>,
}

impl PhaseHistogram {
    /// Adds the boards before each turn of a game, its setup excepted: those that a player had to decide on.
    pub fn add_game(&mut self, game: &Game) {
        self.add_boards(decision_boards(game).into_iter().map(|(_, board)| board));
    }

    /// Adds the boards of a game of self-play.
    pub fn add_packed(&mut self, game: &PackedGame) {
        self.add_boards(game.samples.iter().map(PackedSample::board));
    }

    fn add_boards(&mut self, boards: impl Iterator<Item = Board>) {
        self.games += 1;
        for board in boards {
            *self.counts.entry(PhaseFeatures::new(&board)).or_default() += 1;
            self.boards += 1;
        }
    }

    /// Adds another histogram.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.boards += other.boards;
        for (&features, &count) in &other.counts {
            *self.counts.entry(features).or_default() += count;
        }
    }

    /// The feature vectors with their counts, in a fixed order.
    pub fn iter(&self) -> impl Iterator<Item = (PhaseFeatures, u64)> + '_ {
        self.counts.iter().map(|(&features, &count)| (features, count))
    }

    /// The number of different feature vectors.
    #[must_use]
    pub fn distinct(&self) -> usize {
        self.counts.len()
    }
}

impl Extend<(PhaseFeatures, u64)> for PhaseHistogram {
    /// Adds boards of no particular game.
    fn extend<I: IntoIterator<Item = (PhaseFeatures, u64)>>(&mut self, counts: I) {
        for (features, count) in counts {
            self.boards += count;
            *self.counts.entry(features).or_default() += count;
        }
    }
}

#[cfg(test)]
mod tests {
    use surus_rules::{GameResult, Rules, Side, Termination};

    use super::*;

    #[test]
    fn every_board_with_a_decision_counts_once() {
        let mut game = Game::from_text(
            "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]",
            Rules::Official,
        )
        .unwrap();
        game.play_text("Ee2n Ee3n Md2n").unwrap();
        game.play_text("ed7s").unwrap();
        let mut histogram = PhaseHistogram::default();
        histogram.add_game(&game);
        assert_eq!((histogram.games, histogram.boards, histogram.distinct()), (1, 3, 1));
        game.end(GameResult { winner: Some(Side::Gold), reason: Termination::Resignation });
        let mut over = PhaseHistogram::default();
        over.add_game(&game);
        assert_eq!(over.boards, 2, "nothing is decided after the end");
        over.merge(&histogram);
        let counts: Vec<_> = over.iter().collect();
        assert_eq!(counts, [(PhaseFeatures { min_pieces: 16, max_advanced: 0, goal_threat: false }, 5)]);
    }
}
