//! Explains a position, a turn or the state of a game in sentences and pictures.
//!
//! The zones of `surus-geometry` propose. A sentence that states that something can be done is backed by a turn that the
//! rules have replayed; the absence of a sentence proves nothing.

mod game;
mod phrases;
mod position;
mod remark;
pub mod svg;
mod turn;

pub use game::{ExplainError, GameExplanation, explain_game};
pub use phrases::{describe_capture, describe_defence, describe_goal};
pub use position::{capture_threat, capture_zone, explain_position, goal_zone, runs, threats};
pub use remark::{BoardAt, Remark, Topic};
pub use turn::{NotLegal, explain_turn};
