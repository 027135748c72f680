//! The order in which losses matter.

use surus_geometry::abg::weight;
use surus_geometry::search::CapturedPiece;
use surus_rules::Piece;

/// More than all pieces of a side together.
pub(crate) const GAME: u32 = 1000;

/// The weight of a piece in \[LG\].
pub(crate) fn piece_value(piece: Piece) -> u32 {
    u32::from(weight(piece.kind()))
}

pub(crate) fn total_value(pieces: &[CapturedPiece]) -> u32 {
    pieces.iter().map(|dead| piece_value(dead.piece)).sum()
}
