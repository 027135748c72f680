//! The one place that knows all engines.

use surus_engine::AlphaBeta;
use surus_geometry::Geometry;
use surus_play::{Greedy, Random, Registry};

/// The engine that plays where none is named.
pub(crate) const DEFAULT: &str = "alphabeta";

/// The opponent on the board where nobody chooses one.
pub(crate) const OPPONENT: &str = "alphabeta";

/// Every engine by its name.
pub(crate) fn registry() -> Registry {
    let mut registry = Registry::default();
    registry.add("random", "takes random steps", || Box::new(Random::default()));
    registry.add("greedy", "takes a goal, else the most material one turn can win", || {
        Box::new(Greedy::default())
    });
    registry.add(
        "alphabeta",
        "searches step by step: the engine of Surus",
        || Box::new(AlphaBeta::default()),
    );
    registry.add(
        "geometry",
        "plays what zones show and says why, else asks alphabeta, which takes its other options",
        || Box::new(Geometry::new(Box::new(AlphaBeta::default()))),
    );
    registry
}
