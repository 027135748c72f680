//! Aspiration windows at the root.

use super::features::FeatureSet;
use super::search::Search;
use super::state::SearchState;
use crate::common::score::{Score, is_proven};
use crate::eval::Evaluate;

impl<E: Evaluate, F: FeatureSet> Search<'_, E, F> {
    /// The score of the root, first searched with a window around the previous score `guess`.
    pub(crate) fn aspiration_search(
        &mut self,
        state: &SearchState,
        depth: i32,
        alpha: Score,
        beta: Score,
        guess: Option<Score>,
    ) -> Score {
        let enabled = self.features.aspiration() && depth >= self.params.aspiration_min_depth();
        let Some(guess) = guess.filter(|&guess| enabled && !is_proven(guess)) else {
            return self.search(state, depth, alpha, beta);
        };
        let mut width = self.params.aspiration_window();
        let mut low = (guess - width).max(alpha);
        let mut high = (guess + width).min(beta).max(low + 1);
        let mut fail_high_pv = Vec::new();
        loop {
            let score = self.search(state, depth, low, high);
            let pv = &mut self.stack[0].pv;
            if self.aborted {
                // A turn that failed high is still better than the previous best.
                if pv.is_empty() {
                    *pv = fail_high_pv;
                }
                return score;
            }
            width *= self.params.aspiration_growth();
            if score <= low && low > alpha {
                low = (score - width).max(alpha);
            } else if score >= high && high < beta {
                high = (score + width).min(beta);
                fail_high_pv.clone_from(pv);
            } else {
                return score;
            }
            if is_proven(score) {
                (low, high) = (alpha, beta);
            }
        }
    }
}
