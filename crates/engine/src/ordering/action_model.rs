//! The model of actions that engines use.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use surus_play::{InvalidValue, OptionValue, Revision};
use surus_rules::Board;

use super::layout::FeatureKind;
use super::model::{Model, Scorer};

const EMBEDDED: &[u8] = include_bytes!("../../weights/actions.order");
/// The option value for no model.
const NONE: &str = "none";

/// The model of an option `action_model`, or none. Clones share it.
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
