//! Learned ordering inside the tree: a model of the actions of strong players ranks those of nodes with a high depth, and
//! unlikely ones are reduced more.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use surus_play::{InvalidValue, OptionValue, Revision};
use surus_rules::Board;

use super::features::FeatureSet;
use super::ordering::{ActionKind, ScoredAction};
use super::pvs::Node;
use super::search::Search;
use crate::eval::Evaluate;
use crate::ordering::{ActionContext, FeatureKind, History, Model, Scorer};

const EMBEDDED: &[u8] = include_bytes!("../../weights/actions.order");
/// The option value for no model.
const NONE: &str = "none";

/// The model of the option `action_model`, or none. Clones share it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ActionModel(Option<Arc<Model>>);

impl Default for ActionModel {
    /// The model compiled into the program.
    ///
    /// # Panics
    /// If the file that was compiled in is invalid; a test loads it.
    fn default() -> Self {
        static MODEL: LazyLock<Arc<Model>> =
            LazyLock::new(|| Arc::new(Model::from_bytes(EMBEDDED).expect("the embedded model is valid")));
        Self(Some(MODEL.clone()))
    }
}

impl ActionModel {
    /// The weights for a search from a board.
    pub(crate) fn scorer(&self, board: &Board) -> Option<Scorer> {
        self.0.as_ref().map(|model| model.scorer(board))
    }

    /// A hash of the model.
    pub(crate) fn revision(&self) -> String {
        self.0
            .as_ref()
            .map_or_else(String::new, |model| Revision::default().with(model.to_bytes()).to_string())
    }
}

/// The path of a file, 'none', or empty for the embedded model.
impl OptionValue for ActionModel {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        let invalid = |reason: String| InvalidValue { expected: format!("a model of actions, but {reason}") };
        match text {
            "" => return Ok(Self::default()),
            NONE => return Ok(Self(None)),
            _ => {}
        }
        let model = Model::load(Path::new(text)).map_err(|error| invalid(error.to_string()))?;
        if model.kind() == FeatureKind::Action {
            Ok(Self(Some(Arc::new(model))))
        } else {
            Err(invalid(format!("{text} ranks turns")))
        }
    }
}

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
