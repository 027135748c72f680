//! The inputs of the network: which rows of the first layer a board adds up, from the view of each side.
//!
//! A view has its own home at the bottom and, because left and right are alike, its elephant on the files a to d.

use surus_rules::{Bitboard, Board, Piece, PieceKind, Side, Square};

use crate::common::by_side::BySide;

/// Inputs for the pieces: own and enemy, kind, state (free, dominated but held by a friend, frozen), square.
pub const PIECE_INPUTS: usize = 2 * PieceKind::ALL.len() * STATES * 64;
/// Inputs for the traps: trap, own guards, enemy guards, occupant (none, own, enemy), which side's best guard is
/// stronger (own, equal, enemy).
pub const TRAP_INPUTS: usize = TRAPS * GUARDS * GUARDS * 3 * 3;
/// All inputs of a view.
pub const INPUT_COUNT: usize = PIECE_INPUTS + TRAP_INPUTS;
/// The most inputs that can be active at once: 32 pieces and four traps.
pub const MAX_ACTIVE: usize = 32 + TRAPS;
/// Sets of output weights, by the number of pieces.
pub const BUCKETS: usize = 4;

const STATES: usize = 3;
const TRAPS: usize = 4;
/// None, one, two, three or more guards.
const GUARDS: usize = 4;

/// The names of the groups of inputs, with their first inputs, in order.
pub(super) fn group_names() -> Vec<(String, usize)> {
    let mut groups = Vec::new();
    for owner in ["own", "enemy"] {
        for kind in PieceKind::ALL {
            for state in ["free", "dominated", "frozen"] {
                groups.push((format!("{owner} {kind}, {state}"), groups.len() * 64));
            }
        }
    }
    groups.push(("traps".to_string(), PIECE_INPUTS));
    groups
}

/// The active inputs of a board.
#[derive(Clone, Copy, Debug)]
pub struct ActiveInputs {
    views: [[u16; MAX_ACTIVE]; 2],
    count: usize,
}

impl ActiveInputs {
    /// The inputs of a board on which `side` starts its turn.
    #[must_use]
    pub fn new(board: &Board, side: Side) -> Self {
        let views = [side, side.other()].map(|side| View::new(board, side));
        let mut inputs = Self { views: [[0; MAX_ACTIVE]; 2], count: 0 };
        let [gold, silver] = Side::BOTH.map(|side| board.by_side(side));
        let [gold_dominated, silver_dominated] = Side::BOTH.map(|side| board.dominated(side));
        let dominated = gold_dominated | silver_dominated;
        let frozen = gold_dominated & !gold.neighbours() | silver_dominated & !silver.neighbours();
        for (square, piece) in board.iter() {
            let state = usize::from(dominated.contains(square)) + usize::from(frozen.contains(square));
            for (rows, view) in inputs.views.iter_mut().zip(&views) {
                rows[inputs.count] = view.piece_input(piece, state, square);
            }
            inputs.count += 1;
        }
        for trap in Bitboard::TRAPS {
            let state = TrapState::new(board, trap);
            for (rows, view) in inputs.views.iter_mut().zip(&views) {
                rows[inputs.count] = view.trap_input(trap, &state);
            }
            inputs.count += 1;
        }
        inputs
    }

    /// The inputs in the view of the side to move, then those in the other side's.
    #[must_use]
    pub fn views(&self) -> [&[u16]; 2] {
        self.views.each_ref().map(|rows| &rows[..self.count])
    }
}

/// The output weights for a board.
#[must_use]
pub fn bucket(board: &Board) -> usize {
    match board.occupied().len() {
        0..=14 => 0,
        15..=20 => 1,
        21..=26 => 2,
        _ => 3,
    }
}

/// How a side sees the squares.
#[derive(Clone, Copy, Debug)]
struct View {
    side: Side,
    /// Changes the index of a square.
    flip: usize,
}

impl View {
    fn new(board: &Board, side: Side) -> Self {
        let rank_flip = if side == Side::Gold { 0 } else { 56 };
        let file_flip = if is_mirrored(board, side) { 7 } else { 0 };
        Self { side, flip: rank_flip | file_flip }
    }

    #[inline]
    fn piece_input(&self, piece: Piece, state: usize, square: Square) -> u16 {
        let owner = usize::from(piece.side() != self.side);
        let group = (owner * PieceKind::ALL.len() + piece.kind() as usize - 1) * STATES + state;
        (group * 64 + (square.index() ^ self.flip)) as u16
    }

    #[inline]
    fn trap_input(&self, trap: Square, state: &TrapState) -> u16 {
        let (own, enemy) = (self.side, self.side.other());
        let index = match trap.index() ^ self.flip {
            18 => 0,
            21 => 1,
            42 => 2,
            _ => 3,
        };
        let occupant = match state.occupant {
            None => 0,
            Some(side) if side == self.side => 1,
            Some(_) => 2,
        };
        let best = match state.best[own].cmp(&state.best[enemy]) {
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Less => 2,
        };
        let guards = (index * GUARDS + state.guards[own]) * GUARDS + state.guards[enemy];
        (PIECE_INPUTS + (guards * 3 + occupant) * 3 + best) as u16
    }
}

/// What the squares around a trap and the trap itself have, by side.
#[derive(Clone, Copy, Debug)]
struct TrapState {
    guards: BySide<usize>,
    best: BySide<Option<PieceKind>>,
    occupant: Option<Side>,
}

impl TrapState {
    fn new(board: &Board, trap: Square) -> Self {
        let around = Bitboard::from(trap).neighbours();
        let guards = BySide::from_fn(|side| board.by_side(side) & around);
        Self {
            guards: guards.map(|set| (set.len() as usize).min(GUARDS - 1)),
            best: guards.map(|set| strongest(board, set)),
            occupant: board.piece_at(trap).map(Piece::side),
        }
    }
}

/// The strongest kind among the pieces on some squares.
#[inline]
fn strongest(board: &Board, set: Bitboard) -> Option<PieceKind> {
    PieceKind::ALL.into_iter().rev().find(|&kind| !(board.by_kind(kind) & set).is_empty())
}

/// Whether a side sees the board mirrored: its elephant, or else its camel, is on the files e to h. Without both, the
/// smaller of the two pictures is used.
fn is_mirrored(board: &Board, side: Side) -> bool {
    const EAST: Bitboard = Bitboard(0xf0f0_f0f0_f0f0_f0f0);
    for kind in [PieceKind::Elephant, PieceKind::Camel] {
        let pieces = board.pieces(side, kind);
        if !pieces.is_empty() {
            return !(pieces & EAST).is_empty();
        }
    }
    // In the view of the side, so that both colours are treated alike.
    let own = if side == Side::Gold { *board } else { board.flipped() };
    let picture =
        |board: &Board| Side::BOTH.map(|side| PieceKind::ALL.map(|kind| board.pieces(side, kind).0));
    picture(&own.mirrored()) < picture(&own)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use surus_rules::Position;

    use super::*;

    fn views(position: &str) -> [BTreeSet<u16>; 2] {
        let position: Position = position.parse().unwrap();
        let inputs = ActiveInputs::new(position.board(), position.side());
        inputs.views().map(|rows| rows.iter().copied().collect())
    }

    #[test]
    fn a_board_and_its_mirror_image_have_the_same_inputs() {
        for text in [
            "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]",
            "s [r r  r   h  e    d    E   m H     D  c   C        R     R  R    ]",
            "g [r                h      H      d        D            C      R   ]",
        ] {
            let position: Position = text.parse().unwrap();
            let (board, side) = (*position.board(), position.side());
            let rows = |board: &Board, side| {
                let inputs = ActiveInputs::new(board, side);
                inputs.views().map(|rows| rows.iter().copied().collect::<BTreeSet<_>>())
            };
            assert_eq!(rows(&board, side), rows(&board.mirrored(), side));
            assert_eq!(rows(&board, side), rows(&board.flipped(), side.other()));
            let [own, other] = rows(&board, side);
            assert_eq!(rows(&board, side.other()), [other, own], "the views swap with the side to move");
        }
    }

    #[test]
    fn state_and_guards_change_inputs_of_pieces_that_stay() {
        // The elephant on e6 freezes the horse on e5; on e7 it does not.
        let frozen = views("g [rrrrrrrr            e       H                      E    RRRRRRRR]");
        let free = views("g [rrrrrrrr    e               H                      E    RRRRRRRR]");
        for (frozen, free) in frozen.iter().zip(&free) {
            assert_eq!((frozen.len(), free.len()), (19 + 4, 19 + 4));
            // The elephant, the horse and the guards of f6 or c6 differ.
            assert!(frozen.difference(free).count() >= 2);
        }
    }

    #[test]
    fn every_input_is_in_range_and_used_once() {
        let position: Position =
            "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
        let inputs = ActiveInputs::new(position.board(), position.side());
        for rows in inputs.views() {
            assert_eq!(rows.len(), MAX_ACTIVE);
            assert!(rows.iter().all(|&row| usize::from(row) < INPUT_COUNT));
            assert_eq!(rows.iter().collect::<BTreeSet<_>>().len(), MAX_ACTIVE);
            assert_eq!(rows.iter().filter(|&&row| usize::from(row) >= PIECE_INPUTS).count(), TRAPS);
        }
        assert_eq!(INPUT_COUNT, 2_880);
    }
}
