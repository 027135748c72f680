//! The turns before a position, as far as features use them.

use surus_rules::{Board, Game};

/// The boards before the last turns; `None` at the start of a game or where they are unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct History {
    /// The board before the opponent's last turn.
    pub before_opponent: Option<Board>,
    /// The board before the mover's last turn.
    pub before_own: Option<Board>,
}

impl History {
    /// The history of the current turn of a game. Setups are no turns.
    #[must_use]
    pub fn of_game(game: &Game) -> Self {
        let entries = game.entries();
        let full = |board: &&Board| !board.occupied().is_empty() && is_after_setups(board);
        let before = |back: usize| {
            let index = entries.len().checked_sub(back)?;
            let board = if index == 0 { game.origin().0 } else { &entries[index - 1].board };
            Some(board).filter(full).copied()
        };
        Self { before_opponent: before(1), before_own: before(2) }
    }
}

/// Whether both sides have pieces.
fn is_after_setups(board: &Board) -> bool {
    surus_rules::Side::BOTH.iter().all(|&side| !board.by_side(side).is_empty())
}
