//! The two tactic searches, directed by zones, and the defences against them.
//!
//! Everything that is tried comes from the generator of the rules; zones say what is worth trying and in which order. A
//! line is handed out only after [`replay`] has gone through it by the rules, so a claim can't be false. That nothing
//! was found is no proof that there is nothing.

mod capture;
mod defence;
mod forced;
mod goal;
mod tree;

pub use capture::{Capture, all_captures, capture_in_one_turn, capture_of};
pub use defence::{Defence, DefenceKind, defend_all, defend_capture, defend_goal};
pub use forced::{Forced, goal_is_forced};
pub use goal::{Goal, goal_in_one_turn};
pub use tree::{SearchNode, SearchTree};

use surus_rules::{Board, Piece, Position, Side, Square, Turn};

/// What a search did besides finding something.
#[derive(Clone, Debug, Default)]
pub struct SearchStats {
    /// Every board that was made.
    pub nodes: u64,
    /// The tree that was visited, if it was asked for.
    pub tree: Option<SearchTree>,
}

impl SearchStats {
    /// One that keeps the tree.
    #[must_use]
    pub fn with_tree() -> Self {
        Self { tree: Some(SearchTree::default()), ..Self::default() }
    }
}

/// A piece that died in a trap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CapturedPiece {
    /// Which one.
    pub piece: Piece,
    /// Where it stood before the turn.
    pub from: Square,
    /// Where it died.
    pub trap: Square,
}

/// What a turn brings about, by the rules.
#[derive(Clone, Debug)]
pub struct TurnOutcome {
    /// The board after it.
    pub board: Board,
    /// Pieces of the other side that died.
    pub captured: Vec<CapturedPiece>,
    /// Own pieces that died.
    pub lost: Vec<CapturedPiece>,
    /// Whether an own rabbit stands on its goal row.
    pub goal: bool,
}

/// Plays a turn by the rules; nothing if a step is illegal or the turn may not end there.
#[must_use]
pub fn replay(board: &Board, side: Side, turn: &Turn) -> Option<TurnOutcome> {
    let mut position = Position::new(*board, side).ok()?;
    let mut places: Vec<(Square, Square)> = Vec::new();
    let (mut captured, mut lost) = (Vec::new(), Vec::new());
    for step in turn.steps() {
        let next = position.try_step(step).ok()?;
        match places.iter_mut().find(|(_, now)| *now == step.from()) {
            Some((_, now)) => *now = step.to(),
            None => places.push((step.from(), step.to())),
        }
        if let Some((piece, trap)) = position.board().captured_by(step) {
            let origin = places.iter().find(|(_, now)| *now == trap).map_or(trap, |(from, _)| *from);
            places.retain(|(_, now)| *now != trap);
            let loss = CapturedPiece { piece, from: origin, trap };
            if piece.side() == side { lost.push(loss) } else { captured.push(loss) }
        }
        position = next;
    }
    let goal = !(position.board().rabbits(side) & side.goal()).is_empty();
    position.can_end_turn(board).then_some(TurnOutcome { board: *position.board(), captured, lost, goal })
}
