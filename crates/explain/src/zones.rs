//! The zones that illustrate a win or a capture.

use surus_geometry::Fidelity;
use surus_geometry::zone::{TimeModel, Zone, ZoneKind, advance_zone, cut_zones_at, rabbit_run};
use surus_rules::{Bitboard, Board, Side, Square, Step, Turn};

/// The advance zone of a goal.
#[must_use]
pub fn goal_zone(board: &Board, rabbit: Square, goal: Square) -> Option<Zone> {
    let (straight, length) = rabbit_run(board, rabbit)?;
    advance_zone(board, rabbit, goal, length.max(4), TimeModel::Turns(0))
        .or_else(|| advance_zone(board, rabbit, straight, length, TimeModel::Turns(0)))
}

/// The zone of the capture of a piece on a trap, preferably with a captor that moves in the turn.
#[must_use]
pub fn capture_zone(
    board: &Board,
    side: Side,
    piece: Square,
    on_trap: Square,
    turn: &Turn,
    fidelity: Fidelity,
) -> Option<Zone> {
    let movers: Bitboard = turn.steps().map(Step::from).collect();
    let mut other = None;
    for zone in cut_zones_at(board, side, on_trap, 4, fidelity) {
        let ZoneKind::Cut { trap, captor, victim, .. } = zone.subject else { continue };
        if (trap, victim) == (on_trap, piece) {
            if movers.contains(captor) {
                return Some(zone);
            }
            other.get_or_insert(zone);
        }
    }
    other
}
