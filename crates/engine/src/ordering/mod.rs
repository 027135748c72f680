//! Learned ordering: features of turns and actions, and linear models that rank them [Phase §5].
//!
//! A turn is described by the features of the board at its end against the board at its start ([`TurnContext`]); an
//! action within a turn by cheaper ones ([`ActionContext`]), for ordering inside the tree. Both fill [`FeatureRows`] with
//! the numbers of the features that hold. A [`Model`] has a weight for each feature and phase; `surus-learn` trains it.

mod action;
mod action_model;
mod group;
mod history;
mod layout;
mod model;
mod model_file;
mod phases;
mod rank;
mod rows;
mod turn;
mod view;

pub use action::ActionContext;
pub(crate) use action_model::ActionModel;
pub use group::{Axis, Group};
pub use history::History;
pub use layout::{FeatureKind, Layout};
pub use model::{Model, NETWORK_UNIT, Scorer};
pub use model_file::{ModelFileError, ModelInfo};
pub use phases::{PhaseAssignment, Phases, UnknownPhases};
pub use rank::{RankedTurn, rank_turns};
pub use rows::FeatureRows;
pub use turn::TurnContext;
