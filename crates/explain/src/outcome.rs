//! Turns played by the rules, perhaps from the middle of a turn.

use surus_geometry::search::CapturedPiece;
use surus_rules::{Board, Position, Square, Turn};

/// The effect of a turn.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) board: Board,
    pub(crate) captured: Vec<CapturedPiece>,
    pub(crate) lost: Vec<CapturedPiece>,
    /// The first and the last square of each piece that moved and is still on the board.
    moved: Vec<(Square, Square)>,
}

impl Outcome {
    /// Plays the rest of a turn. `None` if a step is illegal or a push is left unfinished.
    pub(crate) fn new(position: &Position, turn: &Turn) -> Option<Self> {
        let side = position.side();
        let mut position = *position;
        let mut outcome =
            Self { board: *position.board(), captured: Vec::new(), lost: Vec::new(), moved: Vec::new() };
        for step in turn.steps() {
            let next = position.try_step(step).ok()?;
            match outcome.moved.iter_mut().find(|(_, now)| *now == step.from()) {
                Some((_, now)) => *now = step.to(),
                None => outcome.moved.push((step.from(), step.to())),
            }
            if let Some((piece, trap)) = position.board().captured_by(step) {
                let piece = CapturedPiece { piece, from: outcome.origin(trap), trap };
                outcome.moved.retain(|(_, now)| *now != trap);
                let list = if piece.piece.side() == side { &mut outcome.lost } else { &mut outcome.captured };
                list.push(piece);
            }
            position = next;
        }
        outcome.board = *position.board();
        (!position.is_mid_push()).then_some(outcome)
    }

    /// The square on which the piece that is now on a square stood before.
    pub(crate) fn origin(&self, square: Square) -> Square {
        self.moved.iter().find(|(_, now)| *now == square).map_or(square, |(from, _)| *from)
    }

    /// The square of the piece that stood on a square before; `None` if it was captured.
    pub(crate) fn square_of(&self, origin: Square) -> Option<Square> {
        if self.captured.iter().chain(&self.lost).any(|dead| dead.from == origin) {
            return None;
        }
        Some(self.moved.iter().find(|(from, _)| *from == origin).map_or(origin, |(_, now)| *now))
    }
}
