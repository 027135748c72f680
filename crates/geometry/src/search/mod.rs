//! The two tactical searches, guided by zones, and the defences against them.
//!
//! All actions come from the generator of the rules; [`Guidance`] selects and orders them: the zones of the network alone,
//! distances alone, or both. A turn is returned only after [`replay`] has played it by the rules, so there are no false
//! positives. Captures and goals can be missed.

mod capture;
mod capture_distances;
mod capture_zones;
mod defence;
mod forced;
mod goal;
mod goal_distances;
mod goal_zones;
mod moves;
mod plan;
mod rules;
mod string;
mod tree;

pub use capture::{Capture, all_captures, capture_in_one_turn, capture_of};
pub use defence::{Defence, DefenceKind, defend_all, defend_capture, defend_goal};
pub use forced::{Forced, goal_is_forced};
pub use goal::{Goal, goal_in_one_turn};
pub use plan::{ExactTactics, Plan, PlanTarget, Replies, answers, plan};
pub use rules::{Guidance, HeuristicRule, HeuristicRules};
pub use string::{SearchNode, SearchTree};

use surus_rules::{Board, Piece, Position, Side, Square, Turn};

/// Counters of a search.
#[derive(Clone, Debug, Default)]
pub struct SearchStats {
    /// The number of boards generated.
    pub nodes: u64,
    /// The visited tree, if recorded.
    pub tree: Option<SearchTree>,
}

impl SearchStats {
    /// Statistics that record the tree.
    #[must_use]
    pub fn with_tree() -> Self {
        Self { tree: Some(SearchTree::default()), ..Self::default() }
    }
}

/// A piece captured in a trap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CapturedPiece {
    /// The piece.
    pub piece: Piece,
    /// Its square before the turn.
    pub from: Square,
    /// The trap.
    pub trap: Square,
}

/// The effect of a turn.
#[derive(Clone, Debug)]
pub struct TurnOutcome {
    /// The board after the turn.
    pub board: Board,
    /// Captured enemy pieces.
    pub captured: Vec<CapturedPiece>,
    /// Lost own pieces.
    pub lost: Vec<CapturedPiece>,
    /// Whether an own rabbit is on its goal rank.
    pub goal: bool,
}

/// Plays a turn by the rules; `None` if a step is illegal or the turn may not end.
#[must_use]
pub fn replay(board: &Board, side: Side, turn: &Turn) -> Option<TurnOutcome> {
    let mut position = Position::new(*board, side).ok()?;
    let mut origins: Vec<(Square, Square)> = Vec::new();
    let (mut captured, mut lost) = (Vec::new(), Vec::new());
    for step in turn.steps() {
        let next = position.try_step(step).ok()?;
        match origins.iter_mut().find(|(_, now)| *now == step.from()) {
            Some((_, now)) => *now = step.to(),
            None => origins.push((step.from(), step.to())),
        }
        if let Some((piece, trap)) = position.board().captured_by(step) {
            let origin = origins.iter().find(|(_, now)| *now == trap).map_or(trap, |(from, _)| *from);
            origins.retain(|(_, now)| *now != trap);
            let loss = CapturedPiece { piece, from: origin, trap };
            if piece.side() == side { lost.push(loss) } else { captured.push(loss) }
        }
        position = next;
    }
    let goal = !(position.board().rabbits(side) & side.goal()).is_empty();
    position.can_end_turn(board).then_some(TurnOutcome { board: *position.board(), captured, lost, goal })
}
