//! Turns that the other side can undo with steps to spare, which it gains for free.

use surus_rules::{Bitboard, Board, Direction, PieceKind, Side, Step};

use super::params::Params;
use crate::common::score::Score;

/// The cost of a turn that the other side can undo.
pub(crate) fn cost(start: &Board, end: &Board, mover: Side, params: &Params) -> Score {
    let other = mover.other();
    let (own, enemies) = (start.by_side(mover), start.by_side(other));
    let own_changed = own ^ end.by_side(mover);
    let displaced = end.by_side(other) & !enemies;
    // Only displaced enemies can step back, and a captured piece never returns.
    if displaced.is_empty()
        || displaced.len() > 2
        || end.by_side(other).len() != enemies.len()
        || end.by_side(mover).len() != own.len()
    {
        return 0;
    }
    let undone = |board: &Board| same(board, start, other);
    match own_changed.len() {
        0 if same(start, end, mover) && undoes(end, other, displaced, 2, &undone) => params.reversible_cost(),
        2 if displaced.len() == 1
            && !(own_changed & (own_changed & own).neighbours()).is_empty()
            && undoes(end, other, displaced, 1, &undone) =>
        {
            params.partly_reversible_cost()
        }
        _ => 0,
    }
}

/// Whether a side's pieces are on the same squares of two boards.
fn same(a: &Board, b: &Board, side: Side) -> bool {
    PieceKind::ALL.into_iter().all(|kind| a.pieces(side, kind) == b.pieces(side, kind))
}

/// Whether a side can reach a board that satisfies `done` with at most `steps` steps of some pieces.
fn undoes(board: &Board, side: Side, movers: Bitboard, steps: u8, done: &impl Fn(&Board) -> bool) -> bool {
    if done(board) {
        return true;
    }
    if steps == 0 {
        return false;
    }
    let (mobile, empty) = (board.mobile(side), board.empty());
    (mobile & movers).into_iter().any(|from| {
        Direction::ALL.into_iter().any(|direction| {
            let step = board.piece_at(from).and_then(|piece| Step::new(piece, from, direction));
            step.is_some_and(|step| {
                let back = direction == side.backward() && step.piece().kind() == PieceKind::Rabbit;
                let movers = movers & !Bitboard::from(from) | step.to().into();
                !back
                    && empty.contains(step.to())
                    && undoes(&board.after_step(step), side, movers, steps - 1, done)
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use surus_rules::{Game, Rules};

    fn cost_of(text: &str, turn: &str) -> Score {
        let mut game = Game::from_text(text, Rules::Official).unwrap();
        let (start, side) = (*game.turn_start(), game.side());
        game.play_text(turn).unwrap();
        cost(&start, game.turn_start(), side, &Params::default())
    }

    /// The elephant on e4 next to the dog on d4, and a cat on f3's guard square g3.
    const TEXT: &str = "g [r      r                           dE         C         R      R ]";

    #[test]
    fn a_displaced_piece_that_can_step_back_was_displaced_in_vain() {
        // The dog is pushed west, the elephant goes back to where it was.
        assert_eq!(cost_of(TEXT, "dd4w Ee4w Ed4e"), Params::default().reversible_cost());
        // With one step more somewhere else, that step is all that is left of the turn.
        assert_eq!(cost_of(TEXT, "dd4w Ee4w Ed4e Ra1n"), Params::default().partly_reversible_cost());
    }

    #[test]
    fn what_the_other_side_can_not_undo_costs_nothing() {
        // The elephant stays, and freezes the dog.
        assert_eq!(cost_of(TEXT, "dd4w Ee4w"), 0);
        assert_eq!(cost_of(TEXT, "Ra1n Rh1n"), 0);
    }
}
