//! The grammar of advance zones: the run of a rabbit to the goal.

use surus_rules::{Board, PieceKind, Square};

use super::zone_context::{
    TrajectoryProduction, TrajectoryTerminal, ZoneContext, ZoneNonTerminal, advance_loop, is_goal,
    next_negation, row,
};
use super::{Derivation, Strategy, Symbol, derive};
use crate::Fidelity;
use crate::abg::{CELLS, Cell, cell, heavier, oppose};

/// The productions of the table in \[LG\], without the piece on the goal that its first condition requires.
pub static ADVANCE: [TrajectoryProduction; 6] = [
    TrajectoryProduction {
        holds: |c, a| {
            let Some(piece) = c.on[usize::from(a.x)] else { return false };
            let enemy = c.on[usize::from(a.y)].is_some_and(|other| oppose(piece, other));
            let goal = piece.kind() == PieceKind::Rabbit && is_goal(a.y, c.attacker);
            (if c.printed { enemy } else { goal }) && i16::from(c.map(a.x, a.y)) <= a.l
        },
        on_true: Some(2),
        ..row(
            1,
            "MAP <= l0; a rabbit on x0, y0 on its goal row (in print: an enemy on y0)",
            "I(u,v,w) -> A(u,v,w)",
        )
    },
    TrajectoryProduction {
        family: true,
        // As printed, h0 of no trajectory is the empty string: no zone.
        holds: |c, _| !c.tracks(c.x0, c.y0, c.l0, false).is_empty(),
        alternatives: |c, _| c.tracks(c.x0, c.y0, c.l0, false).len(),
        apply: main_line,
        on_true: Some(3),
        assigns: "TIME(z)=DIST(z,h0_i(u))",
        ..row(2, "T", "A -> t(h0_i(u),l0+1) A((0,0,0),g(p0,h0_i(u),w),zero)")
    },
    TrajectoryProduction {
        holds: |_, a| a.x != CELLS || a.y != CELLS,
        apply: advance_loop,
        on_true: Some(4),
        on_false: Some(5),
        assigns: "NEXTTIME(z)=init(u,NEXTTIME(z))",
        ..row(3, "x != n or y != n", "A(u,v,w) -> A(f(u,v),v,w)")
    },
    TrajectoryProduction {
        family: true,
        holds: |c, a| c.joins_advance(a).is_some(),
        alternatives: |c, a| c.advance_tracks(a).len(),
        apply: join,
        on_true: Some(3),
        on_false: Some(3),
        assigns: "NEXTTIME(z)=ALPHA(z,h_j(u),TIME(y)-l_j+1)",
        ..row(
            4,
            "own: heavier MAP < l0, else MAP = 1; opposing: heavier MAP <= l, else MAP <= l-1",
            "A -> t(h_j(u),TIME(y)+1) A(u,v,g(p,h_j(u),w))",
        )
    },
    TrajectoryProduction {
        holds: |c, a| c.has_next_negation(a),
        apply: next_negation,
        on_true: Some(3),
        on_false: Some(6),
        assigns: "TIME(z)=NEXTTIME(z)",
        ..row(5, "w != zero", "A(u,v,w) -> A((0,0,0),w,zero)")
    },
    TrajectoryProduction { apply: |_, _, _| Vec::new(), ..row(6, "T", "A(u,v,w) -> e") },
];

impl ZoneContext {
    /// The maximum trajectory length of the piece on x, if it is admitted.
    fn joins_advance(&self, a: &ZoneNonTerminal) -> Option<u8> {
        let piece = self.candidate(a)?;
        let runner = self.on[usize::from(self.x0)]?;
        let m = self.map(a.x, a.y);
        let heavy = heavier(piece, runner);
        let joins = match (piece.side() == runner.side(), heavy) {
            (true, true) => m < self.l0,
            (true, false) => m == 1,
            (false, true) => i16::from(m) <= a.l,
            (false, false) => i16::from(m) < a.l,
        };
        // An escort has no time limit, so its trajectory may be longer than the time at y.
        joins.then(|| m.max(a.l.clamp(0, i16::from(CELLS)) as u8))
    }

    fn advance_tracks(&self, a: &ZoneNonTerminal) -> Vec<Vec<Cell>> {
        self.joins_advance(a).map_or_else(Vec::new, |limit| self.tracks(a.x, a.y, limit, false))
    }
}

fn main_line(
    c: &mut ZoneContext,
    _: &ZoneNonTerminal,
    i: usize,
) -> Vec<Symbol<ZoneNonTerminal, TrajectoryTerminal>> {
    let Some(path) = c.tracks(c.x0, c.y0, c.l0, false).into_iter().nth(i) else { return Vec::new() };
    let Some(piece) = c.on[usize::from(c.x0)] else { return Vec::new() };
    let mut v = [false; 65];
    for (k, &z) in path.iter().enumerate().skip(1) {
        c.time[usize::from(z)] = k as i16 + 1;
        v[usize::from(z)] = true;
    }
    let main = TrajectoryTerminal { piece, path, time: i16::from(c.l0) + 1 };
    vec![Symbol::Terminal(main), Symbol::NonTerminal(ZoneNonTerminal::negation(v))]
}

fn join(
    c: &mut ZoneContext,
    a: &ZoneNonTerminal,
    i: usize,
) -> Vec<Symbol<ZoneNonTerminal, TrajectoryTerminal>> {
    let mut next = a.clone();
    let mut symbols = Vec::new();
    let path = c.advance_tracks(a).into_iter().nth(i);
    if let Some((path, piece)) = path.zip(c.on[usize::from(a.x)]) {
        let length = path.len() as i16 - 1;
        c.alpha_and_g(&path, c.time_left(a.l, length), &mut next.w);
        symbols.push(Symbol::Terminal(TrajectoryTerminal { piece, path, time: a.l + 1 }));
    }
    symbols.push(Symbol::NonTerminal(next));
    symbols
}

/// Derives the advance zones of the rabbit to a goal square with up to `length` steps, with the serial time model of
/// \[LG\]; as printed, those of any piece to a cell with an enemy piece.
#[must_use]
pub fn derive_advance(
    board: &Board,
    rabbit: Square,
    goal: Square,
    length: u8,
    fidelity: Fidelity,
    strategy: &Strategy,
    record: bool,
) -> Vec<Derivation<TrajectoryTerminal>> {
    let Some(piece) = board.piece_at(rabbit) else { return Vec::new() };
    let (x, y) = (cell(rabbit), cell(goal));
    let context = ZoneContext {
        x0: x,
        y0: y,
        l0: length,
        printed: fidelity == Fidelity::Printed,
        ..ZoneContext::new(board, piece.side())
    };
    derive(&ADVANCE, ZoneNonTerminal::new(x, y, i16::from(length)), context, strategy, record)
}
