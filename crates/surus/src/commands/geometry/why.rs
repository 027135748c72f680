//! Why there is no zone.

use surus_geometry::Fidelity;
use surus_geometry::zone::cut_main_lines;
use surus_rules::{Bitboard, Board, PieceKind, Side, Square};

/// Why the sides have no CUT zone at a trap.
pub(super) fn no_cut_zone(board: &Board, sides: &[Side], trap: Square, fidelity: Fidelity) -> String {
    let has = |fidelity| sides.iter().any(|&side| !cut_main_lines(board, side, trap, 4, fidelity).is_empty());
    let guards = |side: Side| (board.by_side(side.other()) & Bitboard::from(trap).neighbours()).len();
    match fidelity {
        Fidelity::Printed if has(Fidelity::Paper) => {
            "as printed, a captor must be at most two squares from its victim; with --fidelity paper, which allows three, \
             there is a zone"
                .into()
        }
        Fidelity::Printed | Fidelity::Paper if has(Fidelity::Extended) => {
            let guarded = sides.iter().any(|&side| guards(side) > 1);
            let reason = if guarded {
                "more than one enemy piece guards the trap"
            } else {
                "the victim is on the trap, or is led there while another one is nearer"
            };
            format!("{reason}; --fidelity extended has a zone")
        }
        _ => "no enemy piece near it can be captured within a turn".into(),
    }
}

/// Why a rabbit has no advance zone as printed.
pub(super) fn no_printed_advance(board: &Board, rabbit: Square, goal: Square) -> String {
    let side = board.piece_at(rabbit).map_or(Side::Gold, surus_rules::Piece::side);
    if (board.by_side(side.other()) & Bitboard::from(goal)).is_empty() {
        format!("as printed, Q1 requires an enemy piece on the goal square {goal}, which has none: no zone")
    } else {
        format!(
            "as printed, SUM measures distances from {goal}, from where no rabbit can return: no trajectory"
        )
    }
}

/// Why a piece has no trajectory as printed.
pub(super) fn no_printed_trajectory(board: &Board, from: Square) -> &'static str {
    match board.piece_at(from).map(surus_rules::Piece::kind) {
        Some(PieceKind::Rabbit) => {
            "as printed, SUM measures distances from the end, from where no rabbit can return; --fidelity paper measures \
             distances to it"
        }
        _ => "the piece cannot reach it",
    }
}
