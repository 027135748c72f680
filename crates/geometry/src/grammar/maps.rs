//! Distances as the grammars define them, cell by cell.

use surus_rules::{Piece, PieceKind, Side};

use crate::abg::{CELLS, Cell};

/// 2n: unreachable.
pub const MAX_DISTANCE: u8 = 2 * CELLS;

/// The relation R_p(x, y) of a piece.
pub type Relation = fn(Cell, Cell) -> bool;

const fn on_left_border(x: Cell) -> bool {
    x % 8 == 1
}

const fn on_right_border(x: Cell) -> bool {
    x.is_multiple_of(8)
}

fn sideways(x: Cell, y: Cell) -> bool {
    (!on_right_border(x) && y == x + 1) || (!on_left_border(x) && y == x - 1)
}

fn upward(x: Cell, y: Cell) -> bool {
    x <= CELLS - 8 && y == x + 8
}

fn downward(x: Cell, y: Cell) -> bool {
    x > 8 && y == x - 8
}

/// The relation R_p of a piece; with `None` that of any displaced piece.
#[must_use]
pub fn relation(piece: Option<Piece>) -> Relation {
    match piece.map(|piece| (piece.kind(), piece.side())) {
        Some((PieceKind::Rabbit, Side::Gold)) => |x, y| sideways(x, y) || upward(x, y),
        Some((PieceKind::Rabbit, Side::Silver)) => |x, y| sideways(x, y) || downward(x, y),
        _ => |x, y| sideways(x, y) || upward(x, y) || downward(x, y),
    }
}

/// A superset of the cells adjacent to a cell, across the board's edge included; the relation filters them.
fn around(x: Cell) -> impl Iterator<Item = Cell> {
    [-9i16, -8, -7, -1, 1, 7, 8, 9]
        .into_iter()
        .map(move |offset| i16::from(x) + offset)
        .filter(|y| (1..=i16::from(CELLS)).contains(y))
        .map(|y| y as Cell)
}

/// MAP_{x,p}: the distance from x to every cell over cells that are not blocked. Index 0 is unused.
#[must_use]
pub fn map(relation: Relation, x: Cell, blocked: &[bool; 65]) -> [u8; 65] {
    flood(x, blocked, relation)
}

/// RMAP_{y,p}: the distance from every cell to y.
#[must_use]
pub fn reverse_map(relation: Relation, y: Cell, blocked: &[bool; 65]) -> [u8; 65] {
    flood(y, blocked, |from, to| relation(to, from))
}

fn flood(start: Cell, blocked: &[bool; 65], step: impl Fn(Cell, Cell) -> bool) -> [u8; 65] {
    let mut distance = [MAX_DISTANCE; 65];
    distance[usize::from(start)] = 0;
    let mut queue = vec![start];
    let mut head = 0;
    while let Some(&x) = queue.get(head) {
        head += 1;
        for y in around(x).filter(|&y| step(x, y) && !blocked[usize::from(y)]) {
            if distance[usize::from(y)] == MAX_DISTANCE {
                distance[usize::from(y)] = distance[usize::from(x)] + 1;
                queue.push(y);
            }
        }
    }
    distance
}
