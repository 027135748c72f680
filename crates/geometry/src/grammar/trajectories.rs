//! The grammars of shortest trajectories G_t(1) and of admissible ones of degree 2, G_t(2).

use std::fmt;

use super::maps::{MAX_DISTANCE, Relation, map, reverse_map};
use super::{Derivation, Production, Strategy, Symbol, derive};
use crate::abg::{CELLS, Cell, square};

/// The parameters of the productions.
#[derive(Clone, Debug)]
pub struct TrajectoryContext {
    /// R_p.
    pub relation: Relation,
    /// Cells excluded from the board.
    pub blocked: [bool; 65],
    /// y0: the last cell of the complete trajectory.
    pub end: Cell,
    /// Whether SUM and DOCK use the distance *to* y0. As printed they use the distance from y0, which fails for rabbits.
    pub reverse: bool,
}

/// The non-terminal A(x, y, l), with start and length of the shortest trajectory that it is part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrajectoryNonTerminal {
    /// The current cell.
    pub x: Cell,
    /// The target cell.
    pub y: Cell,
    /// The remaining steps.
    pub l: u8,
    /// The first cell of the part.
    pub x0: Cell,
    /// The length of the part.
    pub l0: u8,
}

impl TrajectoryNonTerminal {
    /// The start symbol S(x, y, l).
    #[must_use]
    pub const fn new(x: Cell, y: Cell, l: u8) -> Self {
        Self { x, y, l, x0: x, l0: l }
    }
}

pub(super) fn name(cell: Cell) -> String {
    square(cell).map_or("0".into(), |square| square.to_string())
}

impl fmt::Display for TrajectoryNonTerminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "A({},{},{})", name(self.x), name(self.y), self.l)
    }
}

/// The terminal a(x).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CellTerminal(pub Cell);

impl fmt::Display for CellTerminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a({})", name(self.0))
    }
}

type TrajectoryProduction = Production<TrajectoryContext, TrajectoryNonTerminal, CellTerminal>;

const fn row(label: u8, condition: &'static str, kernel: &'static str) -> TrajectoryProduction {
    Production {
        label,
        family: false,
        condition,
        kernel,
        assigns: "",
        holds: |_, _| true,
        alternatives: |_, _| 1,
        apply: |_, a, _| vec![Symbol::NonTerminal(*a)],
        on_true: None,
        on_false: None,
    }
}

/// Shortest trajectories.
pub static G_T1: [TrajectoryProduction; 3] = [
    TrajectoryProduction {
        holds: |c, a| c.map(a.x)[usize::from(a.y)] == a.l && a.l > 0 && a.l < CELLS,
        on_true: Some(2),
        ..row(1, "MAP_x(y) = l and 0 < l < n", "S(x,y,l) -> A(x,y,l)")
    },
    TrajectoryProduction {
        family: true,
        holds: |_, a| a.l >= 1,
        alternatives: |c, a| c.next(a).len(),
        apply: step,
        on_true: Some(2),
        on_false: Some(3),
        ..row(2, "l >= 1", "A(x,y,l) -> a(x) A(next_i(x,l), y, l-1)")
    },
    TrajectoryProduction {
        apply: |_, a, _| vec![Symbol::Terminal(CellTerminal(a.y))],
        ..row(3, "T", "A(x,y,l) -> a(y)")
    },
];

/// Shortest trajectories and concatenations of two shortest ones.
pub static G_T2: [TrajectoryProduction; 5] = [
    TrajectoryProduction {
        holds: |c, a| c.map(a.x)[usize::from(a.y)] <= a.l && a.l < MAX_DISTANCE,
        on_true: Some(2),
        ..row(1, "MAP_x(y) <= l < 2n", "S(x,y,l) -> A(x,y,l)")
    },
    TrajectoryProduction {
        family: true,
        holds: |c, a| c.map(a.x)[usize::from(a.y)] != a.l,
        alternatives: |c, a| c.docks(a).len(),
        apply: split,
        on_true: Some(3),
        on_false: Some(3),
        ..row(2, "MAP_x(y) != l", "A(x,y,l) -> A(x, med_i, lmed_i) A(med_i, y, l-lmed_i)")
    },
    TrajectoryProduction {
        family: true,
        holds: |c, a| c.map(a.x)[usize::from(a.y)] == a.l && a.l >= 1,
        alternatives: |c, a| c.next(a).len(),
        apply: step,
        on_true: Some(3),
        on_false: Some(4),
        ..row(3, "MAP_x(y) = l and l >= 1", "A(x,y,l) -> a(x) A(next_i(x,l), y, l-1)")
    },
    TrajectoryProduction {
        holds: |c, a| a.y == c.end,
        apply: |_, a, _| vec![Symbol::Terminal(CellTerminal(a.y))],
        on_true: Some(3),
        on_false: Some(5),
        ..row(4, "y = y0", "A(x,y,l) -> a(y)")
    },
    TrajectoryProduction {
        holds: |c, a| a.y != c.end,
        apply: |_, _, _| Vec::new(),
        on_true: Some(3),
        ..row(5, "y != y0", "A(x,y,l) -> e")
    },
];

fn step(
    c: &mut TrajectoryContext,
    a: &TrajectoryNonTerminal,
    i: usize,
) -> Vec<Symbol<TrajectoryNonTerminal, CellTerminal>> {
    let next = c.next(a).get(i).copied().unwrap_or(a.x);
    vec![
        Symbol::Terminal(CellTerminal(a.x)),
        Symbol::NonTerminal(TrajectoryNonTerminal { x: next, l: a.l - 1, ..*a }),
    ]
}

fn split(
    c: &mut TrajectoryContext,
    a: &TrajectoryNonTerminal,
    i: usize,
) -> Vec<Symbol<TrajectoryNonTerminal, CellTerminal>> {
    let via = c.docks(a).get(i).copied().unwrap_or(a.x);
    let first = c.map(a.x)[usize::from(via)];
    // Each part is a shortest trajectory: SUM and ST refer to its ends, not to those of the complete trajectory.
    vec![
        Symbol::NonTerminal(TrajectoryNonTerminal::new(a.x, via, first)),
        Symbol::NonTerminal(TrajectoryNonTerminal::new(via, a.y, a.l.saturating_sub(first))),
    ]
}

impl TrajectoryContext {
    fn map(&self, x: Cell) -> [u8; 65] {
        map(self.relation, x, &self.blocked)
    }

    /// The second distance in SUM and DOCK.
    fn to(&self, y: Cell) -> [u8; 65] {
        if self.reverse { reverse_map(self.relation, y, &self.blocked) } else { self.map(y) }
    }

    /// MOVE_l(x) = ST_1(x) ∩ ST_{l0-l+1}(x0) ∩ SUM, ascending.
    fn next(&self, a: &TrajectoryNonTerminal) -> Vec<Cell> {
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

    /// DOCK without the ends, ascending.
    fn docks(&self, a: &TrajectoryNonTerminal) -> Vec<Cell> {
        let (from, to) = (self.map(a.x), self.to(a.y));
        let fits =
            |v: Cell| u16::from(from[usize::from(v)]) + u16::from(to[usize::from(v)]) == u16::from(a.l);
        (1..=CELLS).filter(|&v| v != a.x && v != a.y && fits(v)).collect()
    }
}

/// Derives trajectories of length `start.l`. Strings with another length, an invalid step or another target are
/// discarded.
#[must_use]
pub fn derive_trajectories(
    grammar: &'static [TrajectoryProduction],
    context: &TrajectoryContext,
    start: TrajectoryNonTerminal,
    strategy: &Strategy,
    record: bool,
) -> Vec<Derivation<CellTerminal>> {
    let mut found = derive(grammar, start, context.clone(), strategy, record);
    found.retain(|derivation| {
        derivation.string.len() == usize::from(start.l) + 1
            && derivation.string.last().is_some_and(|at| at.0 == start.y)
            && derivation.string.windows(2).all(|pair| (context.relation)(pair[0].0, pair[1].0))
    });
    found
}
