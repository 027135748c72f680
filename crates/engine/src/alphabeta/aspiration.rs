//! The window of the root: first a narrow one around the score that is expected.

use super::search::Search;
use super::state::SearchState;
use crate::common::score::{Score, is_proven};
use crate::eval::Evaluate;

/// From this depth on the window is narrow.
const MIN_DEPTH: i32 = 5;
/// How far it reaches to either side at first.
const INITIAL_WINDOW: Score = 300;

impl<E: Evaluate> Search<'_, E> {
    /// The score of the root, first looked for near the one before.
    pub(crate) fn aspiration_search(
        &mut self,
        at: &SearchState,
        depth: i32,
        (alpha, beta): (Score, Score),
        guess: Option<Score>,
    ) -> Score {
        let guess =
            guess.filter(|guess| self.features.aspiration && MIN_DEPTH <= depth && !is_proven(*guess));
        let Some(guess) = guess else { return self.search(at, depth, alpha, beta) };
        let (mut low, mut high, mut width) =
            ((guess - INITIAL_WINDOW).max(alpha), (guess + INITIAL_WINDOW).min(beta), INITIAL_WINDOW);
        high = high.max(low + 1);
        let mut found = Vec::new();
        loop {
            let score = self.search(at, depth, low, high);
            if self.aborted {
                // What was better than expected is still better than what was best before.
                if self.pv_table[0].is_empty() {
                    self.pv_table[0] = found;
                }
                return score;
            }
            width *= 4;
            if score <= low && alpha < low {
                low = (score - width).max(alpha);
            } else if high <= score && high < beta {
                high = (score + width).min(beta);
                found.clone_from(&self.pv_table[0]);
            } else {
                return score;
            }
            if is_proven(score) {
                (low, high) = (alpha, beta);
            }
        }
    }
}
