//! The abstract board game of \[LG\]: cells, weights and reachability.

use surus_rules::{Bitboard, Board, Direction, Piece, PieceKind, Side, Square};

/// A cell in the numbering of the grammars: a1 is 1, h1 is 8, h8 is 64; 0 is no cell.
pub type Cell = u8;

/// The number of cells; `2 * CELLS` means unreachable in the grammars.
pub const CELLS: Cell = 64;

/// The cell of a square.
#[must_use]
pub const fn cell(square: Square) -> Cell {
    square.index() as Cell + 1
}

/// The square of a cell.
#[must_use]
pub const fn square(cell: Cell) -> Option<Square> {
    if cell == 0 { None } else { Square::new(cell - 1) }
}

/// The weight v of a piece kind.
#[must_use]
pub const fn weight(kind: PieceKind) -> u8 {
    match kind {
        PieceKind::Rabbit => 3,
        PieceKind::Cat => 4,
        PieceKind::Dog => 6,
        PieceKind::Horse => 9,
        PieceKind::Camel => 14,
        PieceKind::Elephant => 20,
    }
}

/// HEAVIER: whether a piece outweighs another of either side.
#[must_use]
pub const fn heavier(piece: Piece, other: Piece) -> bool {
    weight(other.kind()) < weight(piece.kind())
}

/// OPPOSE: whether two pieces belong to different sides.
#[must_use]
pub fn oppose(piece: Piece, other: Piece) -> bool {
    piece.side() != other.side()
}

/// One-step reachability for sets of squares.
///
/// Successors and predecessors differ for rabbits, so the distance *to* a square is not the distance *from* it.
pub trait Reach {
    /// The squares reachable in one step from the set.
    fn successors(&self, from: Bitboard) -> Bitboard;
    /// The squares from which the set is reachable in one step.
    fn predecessors(&self, to: Bitboard) -> Bitboard;
    /// Whether the shortest trajectories on an empty board are those of a piece that may step in all four directions.
    fn is_unrestricted(&self, _from: Square, _to: Square) -> bool {
        false
    }
}

/// The directions in which a piece may step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MovementKind {
    /// Not towards rank 1.
    GoldRabbit,
    /// Not towards rank 8.
    SilverRabbit,
    /// All four directions: all other pieces, and any piece that is pushed or pulled.
    Any,
}

impl MovementKind {
    /// The directions of a piece that steps itself.
    #[must_use]
    pub const fn of(piece: Piece) -> Self {
        match (piece.kind(), piece.side()) {
            (PieceKind::Rabbit, Side::Gold) => Self::GoldRabbit,
            (PieceKind::Rabbit, Side::Silver) => Self::SilverRabbit,
            _ => Self::Any,
        }
    }
}

impl Reach for MovementKind {
    #[inline]
    fn successors(&self, from: Bitboard) -> Bitboard {
        match self {
            Self::Any => from.neighbours(),
            Self::GoldRabbit => sideways(from) | from.shifted(Direction::North),
            Self::SilverRabbit => sideways(from) | from.shifted(Direction::South),
        }
    }

    #[inline]
    fn predecessors(&self, to: Bitboard) -> Bitboard {
        match self {
            Self::Any => to.neighbours(),
            Self::GoldRabbit => sideways(to) | to.shifted(Direction::South),
            Self::SilverRabbit => sideways(to) | to.shifted(Direction::North),
        }
    }

    #[inline]
    fn is_unrestricted(&self, from: Square, to: Square) -> bool {
        match self {
            Self::Any => true,
            Self::GoldRabbit => from.rank() <= to.rank(),
            Self::SilverRabbit => to.rank() <= from.rank(),
        }
    }
}

fn sideways(set: Bitboard) -> Bitboard {
    set.shifted(Direction::East) | set.shifted(Direction::West)
}

/// The traps in which a piece would be captured: those without a friendly piece next to them other than itself.
#[must_use]
pub fn lethal_traps(board: &Board, piece: Square) -> Bitboard {
    match board.piece_at(piece) {
        None => Bitboard::EMPTY,
        Some(own) => {
            let friends = board.by_side(own.side()) & !Bitboard::from(piece);
            Bitboard::TRAPS & !friends.neighbours()
        }
    }
}

/// The Manhattan distance.
#[must_use]
pub const fn manhattan(a: Square, b: Square) -> u8 {
    a.file().abs_diff(b.file()) + a.rank().abs_diff(b.rank())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Square {
        text.parse().unwrap()
    }

    #[test]
    fn cells_are_numbered_from_a1() {
        let expected = [("a1", 1), ("h1", 8), ("b4", 26), ("d3", 20), ("c3", 19), ("f3", 22), ("c6", 43)];
        for (name, number) in
            expected.into_iter().chain([("f6", 46), ("e6", 45), ("c5", 35), ("d8", 60), ("h8", 64)])
        {
            assert_eq!((cell(at(name)), square(number)), (number, Some(at(name))), "{name}");
        }
        assert_eq!((square(0), square(65)), (None, None));
    }

    #[test]
    fn weights_have_the_order_of_strength() {
        for side in Side::BOTH {
            for (a, b) in PieceKind::ALL.into_iter().flat_map(|a| PieceKind::ALL.map(|b| (a, b))) {
                let (p, q) = (Piece::new(side, a), Piece::new(side.other(), b));
                assert_eq!(heavier(p, q), p.outranks(q), "{p} {q}");
            }
        }
    }

    #[test]
    fn predecessors_invert_successors() {
        for mover in [MovementKind::GoldRabbit, MovementKind::SilverRabbit, MovementKind::Any] {
            for (x, y) in
                Bitboard::ALL.into_iter().flat_map(|x| Bitboard::ALL.into_iter().map(move |y| (x, y)))
            {
                assert_eq!(
                    mover.successors(x.into()).contains(y),
                    mover.predecessors(y.into()).contains(x),
                    "{x} {y}"
                );
            }
        }
    }

    #[test]
    fn a_trap_is_lethal_to_its_only_guard() {
        let board: Board = [("b6", 'D'), ("e4", 'E'), ("b7", 'd')]
            .map(|(s, p)| (at(s), Piece::from_letter(p).unwrap()))
            .into_iter()
            .collect();
        assert!(lethal_traps(&board, at("b6")).contains(at("c6")));
        assert!(!lethal_traps(&board, at("e4")).contains(at("c6")));
        assert_eq!(lethal_traps(&board, at("b7")), Bitboard::TRAPS);
    }
}
