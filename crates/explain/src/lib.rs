//! Explains a position, a turn or the state of a game in sentences and pictures.
//!
//! What a sentence states is decided by the exact answers of `surus-tactics`, and given in a form that can be compared with
//! them ([`Claim`], [`Response`]). The zones of `surus-geometry` illustrate.

mod answers;
mod claim;
mod game;
mod guards;
mod outcome;
mod phrases;
mod position;
mod remark;
mod scene;
pub mod svg;
mod turn;
mod value;
mod zones;

pub use answers::MAX_ANSWERS;
pub use claim::{Aftermath, Answer, Claim, Response, Win};
pub use game::{ExplainError, GameExplanation, explain_game};
pub use phrases::{describe_capture, describe_defence, describe_goal};
pub use position::explain_position;
pub use remark::{BoardAt, Remark, Topic};
pub use turn::{NotLegal, explain_turn};
pub use zones::{capture_zone, goal_zone};
