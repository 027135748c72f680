//! How a turn can go on from a position with something pending, so that nothing is pending any more.

use surus_rules::{Board, Pending, Position, Step};

/// Calls with the position's own board where the turn may go on freely, and with the board after every step that
/// finishes the pending push or pull; each with the steps left then.
pub(crate) fn for_each_resolved(position: &Position, mut visit: impl FnMut(Option<Step>, &Board, u8)) {
    let left = position.steps_left();
    if !position.is_mid_push() {
        visit(None, position.board(), left);
    }
    if left != 0 && !matches!(position.pending(), Pending::None) {
        position.for_each_step(|step, pending| {
            if matches!(pending, Pending::None) {
                visit(Some(step), &position.board().after_step(step), left - 1);
            }
        });
    }
}
