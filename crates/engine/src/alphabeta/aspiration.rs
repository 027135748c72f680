//! The window of the root: first a narrow one around the score that is expected.

use super::search::Search;
use super::state::Place;
use crate::common::score::{Score, is_proven};
use crate::eval::Evaluate;

/// From this depth on the window is narrow.
const FROM: i32 = 5;
/// How far it reaches to either side at first.
const WINDOW: Score = 300;

impl<E: Evaluate> Search<'_, E> {
    /// The score of the root, first looked for near the one before.
    pub(crate) fn search_root(
        &mut self,
        at: &Place,
        depth: i32,
        (alpha, beta): (Score, Score),
        guess: Option<Score>,
    ) -> Score {
        let guess = guess.filter(|guess| self.features.aspiration && FROM <= depth && !is_proven(*guess));
        let Some(guess) = guess else { return self.search(at, depth, alpha, beta) };
        let (mut low, mut high, mut width) =
            ((guess - WINDOW).max(alpha), (guess + WINDOW).min(beta), WINDOW);
        high = high.max(low + 1);
        let mut found = Vec::new();
        loop {
            let score = self.search(at, depth, low, high);
            if self.over {
                // What was better than expected is still better than what was best before.
                if self.lines[0].is_empty() {
                    self.lines[0] = found;
                }
                return score;
            }
            width *= 4;
            if score <= low && alpha < low {
                low = (score - width).max(alpha);
            } else if high <= score && high < beta {
                high = (score + width).min(beta);
                found.clone_from(&self.lines[0]);
            } else {
                return score;
            }
            if is_proven(score) {
                (low, high) = (alpha, beta);
            }
        }
    }
}
