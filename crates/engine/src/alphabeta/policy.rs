//! Learned ordering inside the tree: a model of the actions of strong players ranks those of nodes with a high depth, and
//! unlikely ones are reduced more.

use super::features::FeatureSet;
use super::ordering::{ActionKind, ScoredAction};
use super::pvs::Node;
use super::search::Search;
use crate::eval::Evaluate;
use crate::ordering::{ActionContext, History};

impl<E: Evaluate, F: FeatureSet> Search<'_, E, F> {
    /// Adds what the model says of each action to its ordering score.
    pub(crate) fn apply_policy(&mut self, node: &Node, list: &mut [ScoredAction]) {
        let Some(scorer) = self.policy.filter(|_| node.depth >= self.params.policy_min_depth()) else {
            return;
        };
        let state = &node.state;
        let context = ActionContext::new(
            &state.turn_start,
            state.board(),
            state.position.side(),
            state.position.steps_left(),
            state.last_action,
            &History::default(),
        );
        let mut best = i32::MIN;
        for scored in &mut *list {
            let Some(action) = scored.action else { continue };
            self.policy_rows.clear();
            context.extract(action, &mut self.policy_rows);
            scored.policy = (100.0 * scorer.logit(scorer.score(self.policy_rows.get(0)))) as i32;
            best = best.max(scored.policy);
        }
        for scored in list.iter_mut().filter(|scored| scored.action.is_some()) {
            scored.policy -= best;
            if matches!(scored.kind, ActionKind::Quiet | ActionKind::Tactical) {
                scored.score += self.params.policy_order() * scored.policy / 100;
            }
        }
    }
}
