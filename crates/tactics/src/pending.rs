//! The ways to resolve a pending push or pull.

use surus_rules::{Board, Position, Step};

/// Calls `visit` with the position's own board unless it is in mid-push, and with the board after every step that
/// completes the pending push or pull, each with the steps left.
pub(crate) fn for_each_resolved(position: &Position, mut visit: impl FnMut(Option<Step>, &Board, u8)) {
    let steps_left = position.steps_left();
    if !position.is_mid_push() {
        visit(None, position.board(), steps_left);
    }
    position
        .for_each_completion(|step| visit(Some(step), &position.board().after_step(step), steps_left - 1));
}
