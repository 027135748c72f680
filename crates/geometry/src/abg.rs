//! The abstract board game: cells, weights and reachability.

use surus_rules::{Bitboard, Board, Direction, Piece, PieceKind, Side, Square};

/// A cell in the numbering of the grammars: a1 is 1, h1 is 8, h8 is 64; 0 is no cell.
pub type Cell = u8;

/// How many cells there are; `2 * CELLS` stands for "unreachable" in the grammars.
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

/// The weight v of a kind of piece.
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

/// HEAVIER: whether a piece outweighs another, whoever owns them.
#[must_use]
pub const fn heavier(piece: Piece, other: Piece) -> bool {
    weight(other.kind()) < weight(piece.kind())
}

/// OPPOSE: whether two pieces belong to different sides.
#[must_use]
pub fn oppose(piece: Piece, other: Piece) -> bool {
    piece.side() != other.side()
}

/// Where one step leads to and comes from, for many squares at once.
///
/// The two differ for rabbits, so a distance *to* a square is not the distance *from* it.
pub trait Reach {
    /// All squares that one step from a square of the set leads to.
    fn successors(&self, from: Bitboard) -> Bitboard;
    /// All squares from which one step leads into the set.
    fn predecessors(&self, to: Bitboard) -> Bitboard;
    /// Whether the shortest ways between two squares of an empty board are those of a piece that goes all four ways.
    fn is_unrestricted(&self, _from: Square, _to: Square) -> bool {
        false
    }
}

/// The three ways in which something goes over the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MovementKind {
    /// Never towards rank 1 by itself.
    GoldRabbit,
    /// Never towards rank 8 by itself.
    SilverRabbit,
    /// All four ways: every other piece, and any piece that is dislodged.
    Any,
}

impl MovementKind {
    /// How a piece goes by itself.
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

/// The traps that a piece can't cross alive: those with no friend next to them but itself.
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

/// Steps between two squares for a piece that goes all four ways, with nothing in between.
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
    fn weights_order_the_kinds_as_their_strength_does() {
        for side in Side::BOTH {
            for (a, b) in PieceKind::ALL.into_iter().flat_map(|a| PieceKind::ALL.map(|b| (a, b))) {
                let (p, q) = (Piece::new(side, a), Piece::new(side.other(), b));
                assert_eq!(heavier(p, q), p.outranks(q), "{p} {q}");
            }
        }
    }

    #[test]
    fn a_step_back_undoes_a_step_onward_for_every_mover() {
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
    fn a_trap_is_lethal_to_the_only_piece_beside_it() {
        let board: Board = [("b6", 'D'), ("e4", 'E'), ("b7", 'd')]
            .map(|(s, p)| (at(s), Piece::from_letter(p).unwrap()))
            .into_iter()
            .collect();
        assert!(lethal_traps(&board, at("b6")).contains(at("c6")));
        assert!(!lethal_traps(&board, at("e4")).contains(at("c6")));
        assert_eq!(lethal_traps(&board, at("b7")), Bitboard::TRAPS);
    }
}
