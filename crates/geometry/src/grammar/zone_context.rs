//! The context that both zone grammars share, and the double loop over cells.

use std::fmt;

use surus_rules::{Bitboard, Board, Piece, Side};

use super::maps::{MAX_DISTANCE, map, relation};
use super::trajectories::{G_T2, TrajectoryContext, TrajectoryNonTerminal, derive_trajectories, name};
use super::{Strategy, Symbol};
use crate::abg::{CELLS, Cell, cell, square};
use crate::zone::NEGATIONS;

/// A set of cells; index 0 is unused.
pub type CellVector = [bool; 65];

/// The non-terminal A(u, v, w), u = (x, y, l).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ZoneNonTerminal {
    /// The cell of the current piece.
    pub x: Cell,
    /// Its target.
    pub y: Cell,
    /// The time available.
    pub l: i16,
    /// The targets of this negation.
    pub v: CellVector,
    /// The targets of the next negation.
    pub w: CellVector,
}

impl ZoneNonTerminal {
    /// u with empty vectors.
    #[must_use]
    pub const fn new(x: Cell, y: Cell, l: i16) -> Self {
        Self { x, y, l, v: [false; 65], w: [false; 65] }
    }

    /// The start of a negation with these targets.
    pub(super) const fn negation(v: CellVector) -> Self {
        Self { v, ..Self::new(0, 0, 0) }
    }
}

fn count(vector: &CellVector) -> usize {
    vector.iter().filter(|&&one| one).count()
}

impl fmt::Display for ZoneNonTerminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (v, w) = (count(&self.v), count(&self.w));
        write!(f, "A(({},{},{}),{v} cells,{w} cells)", name(self.x), name(self.y), self.l)
    }
}

/// The terminal t(p, a(x)…a(y), τ).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrajectoryTerminal {
    /// The piece.
    pub piece: Piece,
    /// Its trajectory.
    pub path: Vec<Cell>,
    /// Its time.
    pub time: i16,
}

impl fmt::Display for TrajectoryTerminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t({},", self.piece.letter())?;
        for &cell in &self.path {
            write!(f, "a({})", name(cell))?;
        }
        write!(f, ",{})", self.time)
    }
}

/// The position, the constants of the derivation and its function variables.
#[derive(Clone, Debug)]
pub struct ZoneContext {
    pub(super) on: [Option<Piece>; 65],
    pub(super) attacker: Side,
    /// x0, y0, l0 of the start.
    pub(super) x0: Cell,
    pub(super) y0: Cell,
    pub(super) l0: u8,
    /// The steps available to the attacker.
    pub(super) steps: u8,
    /// The maximum distance of a captor, as printed or as corrected.
    pub(super) approach: u8,
    /// Whether the conditions are those in print: no cells next to the trap, no lethal traps, own pieces also in the first
    /// negation, an enemy piece on the last cell of an advance, and the loop's l in NEXTTIME.
    pub(super) printed: bool,
    /// The pieces of the main line, which are excluded from negations.
    pub(super) base: Vec<Cell>,
    pub(super) time: [i16; 65],
    pub(super) next_time: [i16; 65],
    /// For each cell of v and w, the set of pieces whose trajectories added it.
    pub(super) owners: [u64; 65],
    pub(super) next_owners: [u64; 65],
    pub(super) negation: u8,
}

const UNREACHABLE: i16 = MAX_DISTANCE as i16;

impl ZoneContext {
    pub(super) fn new(board: &Board, attacker: Side) -> Self {
        let mut on = [None; 65];
        for (square, piece) in board.iter() {
            on[usize::from(cell(square))] = Some(piece);
        }
        Self {
            on,
            attacker,
            x0: 0,
            y0: 0,
            l0: 0,
            steps: 4,
            approach: 3,
            printed: false,
            base: Vec::new(),
            time: [UNREACHABLE; 65],
            next_time: [UNREACHABLE; 65],
            owners: [0; 65],
            next_owners: [0; 65],
            negation: 1,
        }
    }

    pub(super) fn pieces_of(&self, side: Side) -> impl Iterator<Item = (Cell, Piece)> {
        let all = (1..=CELLS).filter_map(|x| self.on[usize::from(x)].map(|piece| (x, piece)));
        all.filter(move |(_, piece)| piece.side() == side).collect::<Vec<_>>().into_iter()
    }

    /// The cells that a piece may not cross: traps without another friendly piece next to them.
    fn blocked(&self, x: Cell, end: Cell) -> [bool; 65] {
        let mut blocked = [false; 65];
        let Some(piece) = self.on[usize::from(x)].filter(|_| !self.printed) else { return blocked };
        for trap in Bitboard::TRAPS.into_iter().map(cell).filter(|&trap| trap != end) {
            let guard = |(y, _): (Cell, Piece)| y != x && adjacent(y, trap);
            blocked[usize::from(trap)] = !self.pieces_of(piece.side()).any(guard);
        }
        blocked
    }

    /// MAP_{x,p}(y) for the piece on x.
    pub(super) fn map(&self, x: Cell, y: Cell) -> u8 {
        map(relation(self.on[usize::from(x)]), x, &self.blocked(x, y))[usize::from(y)]
    }

    /// TRACKS: the trajectories of the piece on x to y with up to `limit` steps; with `displaced` those of a piece that is
    /// pushed or pulled, which may move in any direction and across traps.
    pub(super) fn tracks(&self, x: Cell, y: Cell, limit: u8, displaced: bool) -> Vec<Vec<Cell>> {
        let piece = self.on[usize::from(x)].filter(|_| !displaced);
        let blocked = if displaced { [false; 65] } else { self.blocked(x, y) };
        // The printed distances are kept for the main trajectory only, where they decide whether there is a zone.
        let is_main = x == self.x0 && self.l0 > 0;
        let reverse = !(self.printed && is_main);
        let context = TrajectoryContext { relation: relation(piece), blocked, end: y, reverse };
        let distance = map(context.relation, x, &context.blocked)[usize::from(y)];
        let mut found: Vec<Vec<Cell>> = Vec::new();
        for l in distance.max(1)..=limit.min((2 * distance).saturating_sub(1)) {
            let start = TrajectoryNonTerminal::new(x, y, l);
            for derivation in derive_trajectories(&G_T2, &context, start, &Strategy::All(usize::MAX), false) {
                let path: Vec<Cell> = derivation.string.iter().map(|at| at.0).collect();
                let simple = path.iter().all(|a| path.iter().filter(|b| a == *b).count() == 1);
                if simple && !found.contains(&path) {
                    found.push(path);
                }
            }
        }
        found
    }

    /// f(u, v).
    pub(super) fn next_pair(&self, a: &ZoneNonTerminal) -> (Cell, Cell, i16) {
        if (a.x != CELLS && a.l > 0) || (a.y == CELLS && a.l <= 0) {
            (a.x + 1, a.y, a.l)
        } else {
            let y = usize::from(a.y) + 1;
            (1, a.y + 1, if a.v[y] { self.time[y] } else { 0 })
        }
    }

    /// NEXTTIME(z) = init(u, NEXTTIME(z)); also resets the owners.
    pub(super) fn init(&mut self, a: &ZoneNonTerminal) {
        if (a.x, a.y, a.l) == (0, 0, 0) {
            self.next_time = [UNREACHABLE; 65];
            self.next_owners = [0; 65];
        }
    }

    /// NEXTTIME(z) = ALPHA(z, t, k) and w = g(p, t, w), for the cells with finite DIST: those strictly between the ends.
    pub(super) fn alpha_and_g(&mut self, path: &[Cell], k: i16, w: &mut CellVector) {
        for &z in path.iter().take(path.len() - 1).skip(1) {
            let time = &mut self.next_time[usize::from(z)];
            *time = if *time == UNREACHABLE { k } else { k.max(*time) };
            w[usize::from(z)] = true;
            self.next_owners[usize::from(z)] |= bit(path[0]);
        }
    }

    /// TIME(y) - l_j + 1; in print l, which is TIME(y) itself.
    pub(super) const fn time_left(&self, time: i16, length: i16) -> i16 {
        if self.printed { 1 } else { time - length + 1 }
    }

    /// TIME(z) = NEXTTIME(z) at the end of a negation.
    pub(super) fn start_next_negation(&mut self) {
        self.time = self.next_time;
        self.owners = self.next_owners;
        self.negation += 1;
    }

    /// The piece on x if it may be part of a negation: it is not on the main line, and y is not only on its own trajectories.
    pub(super) fn candidate(&self, a: &ZoneNonTerminal) -> Option<Piece> {
        let x = usize::from(a.x);
        let own_only = self.owners[usize::from(a.y)] == bit(a.x);
        let base = !self.printed && (self.base.contains(&a.x) || own_only);
        let is_end = a.x == self.x0 || a.x == self.y0;
        self.on.get(x).copied().flatten().filter(|_| a.l > 0 && a.x != a.y && !base && !is_end)
    }

    /// Whether another negation follows.
    pub(super) fn has_next_negation(&self, a: &ZoneNonTerminal) -> bool {
        count(&a.w) != 0 && self.negation < NEGATIONS
    }
}

pub(super) fn adjacent(x: Cell, y: Cell) -> bool {
    relation(None)(x, y)
}

const fn bit(x: Cell) -> u64 {
    1 << ((x - 1) & 63)
}

/// Whether a cell is on the goal rank of a side.
pub(super) fn is_goal(y: Cell, side: Side) -> bool {
    square(y).is_some_and(|square| side.goal().contains(square))
}

pub(super) type TrajectoryProduction = super::Production<ZoneContext, ZoneNonTerminal, TrajectoryTerminal>;

pub(super) const fn row(label: u8, condition: &'static str, kernel: &'static str) -> TrajectoryProduction {
    TrajectoryProduction {
        label,
        family: false,
        condition,
        kernel,
        assigns: "",
        holds: |_, _| true,
        alternatives: |_, _| 1,
        apply: |_, a, _| vec![Symbol::NonTerminal(a.clone())],
        on_true: None,
        on_false: None,
    }
}

/// The production that steps through the double loop.
pub(super) fn advance_loop(
    c: &mut ZoneContext,
    a: &ZoneNonTerminal,
    _: usize,
) -> Vec<Symbol<ZoneNonTerminal, TrajectoryTerminal>> {
    c.init(a);
    let (x, y, l) = c.next_pair(a);
    vec![Symbol::NonTerminal(ZoneNonTerminal { x, y, l, ..a.clone() })]
}

/// The production that starts the next negation.
pub(super) fn next_negation(
    c: &mut ZoneContext,
    a: &ZoneNonTerminal,
    _: usize,
) -> Vec<Symbol<ZoneNonTerminal, TrajectoryTerminal>> {
    c.start_next_negation();
    vec![Symbol::NonTerminal(ZoneNonTerminal::negation(a.w))]
}
