//! The grammars of shortest trajectories G_t(1) and of admissible ones of degree 2, G_t(2).

use std::fmt;

use super::maps::{MAX_DISTANCE, Relation, map, reverse_map};
use super::{Derivation, Production, Strategy, Symbol, derive};
use crate::abg::{CELLS, Cell, square};

/// What the productions look at.
#[derive(Clone, Debug)]
pub struct Walks {
    /// R_p.
    pub relation: Relation,
    /// Cells that are taken out of the board.
    pub blocked: [bool; 65],
    /// y0: where the whole trajectory ends.
    pub end: Cell,
    /// As printed, SUM and DOCK measure from y0; the distance *to* y0 is what works for rabbits.
    pub reverse: bool,
}

/// The non-terminal A(x, y, l), with the beginning and length of the shortest part that it walks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Walk {
    /// Where it is.
    pub x: Cell,
    /// Where it goes.
    pub y: Cell,
    /// Steps left.
    pub l: u8,
    /// Where the part began.
    pub x0: Cell,
    /// The length of the part.
    pub l0: u8,
}

impl Walk {
    /// The start symbol S(x, y, l).
    #[must_use]
    pub const fn new(x: Cell, y: Cell, l: u8) -> Self {
        Self { x, y, l, x0: x, l0: l }
    }
}

pub(super) fn name(cell: Cell) -> String {
    square(cell).map_or("0".into(), |square| square.to_string())
}

impl fmt::Display for Walk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "A({},{},{})", name(self.x), name(self.y), self.l)
    }
}

/// The terminal a(x).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct At(pub Cell);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a({})", name(self.0))
    }
}

type Row = Production<Walks, Walk, At>;

const fn row(label: u8, condition: &'static str, kernel: &'static str) -> Row {
    Production {
        label,
        family: false,
        condition,
        kernel,
        assigns: "",
        holds: |_, _| true,
        ways: |_, _| 1,
        apply: |_, a, _| vec![Symbol::Open(*a)],
        then: None,
        otherwise: None,
    }
}

/// Shortest trajectories.
pub static G_T1: [Row; 3] = [
    Row {
        holds: |c, a| c.map(a.x)[usize::from(a.y)] == a.l && 0 < a.l && a.l < CELLS,
        then: Some(2),
        ..row(1, "MAP_x(y) = l and 0 < l < n", "S(x,y,l) -> A(x,y,l)")
    },
    Row {
        family: true,
        holds: |_, a| 1 <= a.l,
        ways: |c, a| c.next(a).len(),
        apply: step,
        then: Some(2),
        otherwise: Some(3),
        ..row(2, "l >= 1", "A(x,y,l) -> a(x) A(next_i(x,l), y, l-1)")
    },
    Row { apply: |_, a, _| vec![Symbol::Done(At(a.y))], ..row(3, "T", "A(x,y,l) -> a(y)") },
];

/// Shortest trajectories and those made of two shortest ones.
pub static G_T2: [Row; 5] = [
    Row {
        holds: |c, a| c.map(a.x)[usize::from(a.y)] <= a.l && a.l < MAX_DISTANCE,
        then: Some(2),
        ..row(1, "MAP_x(y) <= l < 2n", "S(x,y,l) -> A(x,y,l)")
    },
    Row {
        family: true,
        holds: |c, a| c.map(a.x)[usize::from(a.y)] != a.l,
        ways: |c, a| c.docks(a).len(),
        apply: cut_in_two,
        then: Some(3),
        otherwise: Some(3),
        ..row(2, "MAP_x(y) != l", "A(x,y,l) -> A(x, med_i, lmed_i) A(med_i, y, l-lmed_i)")
    },
    Row {
        family: true,
        holds: |c, a| c.map(a.x)[usize::from(a.y)] == a.l && 1 <= a.l,
        ways: |c, a| c.next(a).len(),
        apply: step,
        then: Some(3),
        otherwise: Some(4),
        ..row(3, "MAP_x(y) = l and l >= 1", "A(x,y,l) -> a(x) A(next_i(x,l), y, l-1)")
    },
    Row {
        holds: |c, a| a.y == c.end,
        apply: |_, a, _| vec![Symbol::Done(At(a.y))],
        then: Some(3),
        otherwise: Some(5),
        ..row(4, "y = y0", "A(x,y,l) -> a(y)")
    },
    Row {
        holds: |c, a| a.y != c.end,
        apply: |_, _, _| Vec::new(),
        then: Some(3),
        ..row(5, "y != y0", "A(x,y,l) -> e")
    },
];

fn step(c: &mut Walks, a: &Walk, i: usize) -> Vec<Symbol<Walk, At>> {
    let next = c.next(a).get(i).copied().unwrap_or(a.x);
    vec![Symbol::Done(At(a.x)), Symbol::Open(Walk { x: next, l: a.l - 1, ..*a })]
}

fn cut_in_two(c: &mut Walks, a: &Walk, i: usize) -> Vec<Symbol<Walk, At>> {
    let via = c.docks(a).get(i).copied().unwrap_or(a.x);
    let first = c.map(a.x)[usize::from(via)];
    // Each half is a shortest trajectory of its own: SUM and ST are bound to its ends, not to the outer ones.
    vec![
        Symbol::Open(Walk::new(a.x, via, first)),
        Symbol::Open(Walk::new(via, a.y, a.l.saturating_sub(first))),
    ]
}

impl Walks {
    fn map(&self, x: Cell) -> [u8; 65] {
        map(self.relation, x, &self.blocked)
    }

    /// The distances that SUM and DOCK add to those from the beginning.
    fn to(&self, y: Cell) -> [u8; 65] {
        if self.reverse { reverse_map(self.relation, y, &self.blocked) } else { self.map(y) }
    }

    /// MOVE_l(x) = ST_1(x) ∩ ST_{l0-l+1}(x0) ∩ SUM, ascending.
    fn next(&self, a: &Walk) -> Vec<Cell> {
        let (near, from, to) = (self.map(a.x), self.map(a.x0), self.to(a.y));
        (1..=CELLS)
            .filter(|&v| {
                let v = usize::from(v);
                near[v] == 1
                    && from[v] == a.l0 - a.l + 1
                    && u16::from(from[v]) + u16::from(to[v]) == u16::from(a.l0)
            })
            .collect()
    }

    /// DOCK without both ends, ascending.
    fn docks(&self, a: &Walk) -> Vec<Cell> {
        let (from, to) = (self.map(a.x), self.to(a.y));
        let fits =
            |v: Cell| u16::from(from[usize::from(v)]) + u16::from(to[usize::from(v)]) == u16::from(a.l);
        (1..=CELLS).filter(|&v| v != a.x && v != a.y && fits(v)).collect()
    }
}

/// Derives trajectories of this length; a string that stands still or does not arrive is none.
#[must_use]
pub fn derive_trajectories(
    grammar: &'static [Row],
    walks: &Walks,
    start: Walk,
    strategy: &Strategy,
    record: bool,
) -> Vec<Derivation<At>> {
    let mut found = derive(grammar, start, walks.clone(), strategy, record);
    found.retain(|derivation| {
        derivation.string.len() == usize::from(start.l) + 1
            && derivation.string.last().is_some_and(|at| at.0 == start.y)
            && derivation.string.windows(2).all(|pair| (walks.relation)(pair[0].0, pair[1].0))
    });
    found
}
