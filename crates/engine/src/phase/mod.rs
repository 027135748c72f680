//! Game phase \[Phase §3\]: how far a board has progressed from the setup to the end of the game.
//!
//! [`PhaseFeatures`] are the three numbers that a board is classified by. A [`PhaseModel`] maps them to memberships: the
//! [`PhaseHeuristic`] has three named phases with cut-offs set by hand \[Phase §3.2.1\], [`PhaseClusters`] were fitted to
//! games \[Phase §3.2.2\]. Both are data files; `surus learn phase fit` makes the second kind.
//!
//! ```
//! use surus_engine::phase::{GamePhase, PhaseFeatures, PhaseHeuristic};
//! use surus_rules::Position;
//!
//! let start: Position = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse()?;
//! let features = PhaseFeatures::new(start.board());
//! assert_eq!((features.min_pieces, features.max_advanced, features.goal_threat), (16, 0, false));
//! assert_eq!(PhaseHeuristic::embedded().phase(features), GamePhase::Opening);
//! # Ok::<(), surus_rules::PositionError>(())
//! ```

mod clusters;
mod course;
mod error;
mod features;
mod heuristic;
mod model;

pub use clusters::{Cluster, PhaseClusters};
pub use course::{PhaseOfTurn, decision_boards, phase_course};
pub use error::PhaseModelError;
pub use features::{FEATURE_COUNT, FEATURE_NAMES, MAX_PIECES, PhaseFeatures};
pub use heuristic::{GamePhase, PhaseHeuristic};
pub use model::PhaseModel;

/// The format version of both kinds of files.
const FORMAT: u32 = 1;
