//! The grammar of CUT zones: the capture of a piece around a trap.

use surus_rules::{Board, Side, Square};

use super::zone_context::{
    CellVector, TrajectoryProduction, TrajectoryTerminal, ZoneContext, ZoneNonTerminal, adjacent,
    advance_loop, next_negation, row,
};
use super::{Derivation, Strategy, Symbol, derive};
use crate::Fidelity;
use crate::abg::{CELLS, Cell, cell, heavier, oppose};

/// The productions of the table in \[LG\], corrected where it does not derive its own examples.
pub static CUT: [TrajectoryProduction; 7] = [
    TrajectoryProduction {
        holds: |c, a| c.guards(a.x) <= 1,
        on_true: Some(2),
        ..row(1, "at most one defender controls x0", "I(u,v,w) -> A(u,v,w)")
    },
    TrajectoryProduction {
        family: true,
        holds: |c, _| !c.approaches().is_empty(),
        alternatives: |c, _| c.approaches().len(),
        apply: approach,
        on_true: Some(4),
        on_false: Some(3),
        assigns: "TIME(z)=DIST(z,h0_i(u')), TIME(z)=steps around x0",
        ..row(
            2,
            "CONTROL_po(x0), heavier pa, MAP(pa,po) <= 3",
            "A -> t(h0_i(u'),4) t(po,a(ON(po))a(x0),1) A((0,0,0),g,zero)",
        )
    },
    TrajectoryProduction {
        family: true,
        holds: |c, _| !c.leads().is_empty(),
        alternatives: |c, _| c.leads().len(),
        apply: lead,
        on_true: Some(4),
        assigns: "TIME(z)=DIST(z,h0_j(u')), TIME(z)=steps around x0",
        ..row(
            3,
            "heavier pa controls ON(po), distance to x0 = 2",
            "A -> t(h0_j(u'),4) t(pa,a(ON(pa))a(ON(po)),1) A((0,0,0),g,zero)",
        )
    },
    TrajectoryProduction {
        holds: |_, a| a.x != CELLS || a.y != CELLS,
        apply: advance_loop,
        on_true: Some(5),
        on_false: Some(6),
        assigns: "NEXTTIME(z)=init(u,NEXTTIME(z))",
        ..row(4, "x != n or y != n", "A(u,v,w) -> A(f(u,v),v,w)")
    },
    TrajectoryProduction {
        family: true,
        holds: |c, a| c.joins_cut(a),
        alternatives: |c, a| c.cut_tracks(a).len(),
        apply: join,
        on_true: Some(4),
        on_false: Some(4),
        assigns: "NEXTTIME(z)=ALPHA(z,h_k(u),TIME(y)-l_k+1)",
        ..row(
            5,
            "own: MAP = 1, from the 2nd negation; opposing: MAP <= l",
            "A -> t(h_k(u),TIME(y)) A(u,v,g(p,h_k(u),w))",
        )
    },
    TrajectoryProduction {
        holds: |c, a| c.has_next_negation(a),
        apply: next_negation,
        on_true: Some(4),
        on_false: Some(7),
        assigns: "TIME(z)=NEXTTIME(z)",
        ..row(6, "w != zero", "A(u,v,w) -> A((0,0,0),w,zero)")
    },
    TrajectoryProduction { apply: |_, _, _| Vec::new(), ..row(7, "T", "A(u,v,w) -> e") },
];

/// A main line: captor, victim, and the main trajectory.
type MainLine = (Cell, Cell, Vec<Cell>);

impl ZoneContext {
    fn guards(&self, trap: Cell) -> usize {
        self.pieces_of(self.attacker.other()).filter(|(x, _)| adjacent(*x, trap)).count()
    }

    /// The pairs that satisfy Q2, with the trajectories of the captor.
    fn approaches(&self) -> Vec<MainLine> {
        let mut lines = Vec::new();
        for (o, po) in self.pieces_of(self.attacker.other()).filter(|(o, _)| adjacent(*o, self.x0)) {
            for (a, pa) in self.pieces_of(self.attacker) {
                let m = self.map(a, o);
                if oppose(pa, po) && heavier(pa, po) && m <= self.approach && m < self.steps {
                    lines.extend(self.tracks(a, o, m, false).into_iter().map(|path| (a, o, path)));
                }
            }
        }
        lines
    }

    /// The pairs that satisfy Q3, with the trajectories of the victim.
    fn leads(&self) -> Vec<MainLine> {
        let mut lines = Vec::new();
        for (o, po) in self.pieces_of(self.attacker.other()) {
            let paths = self.tracks(o, self.x0, 2, true);
            if self.steps < 4 || paths.iter().all(|path| path.len() != 3) {
                continue;
            }
            for (a, pa) in self.pieces_of(self.attacker).filter(|(a, _)| adjacent(*a, o)) {
                if oppose(pa, po) && heavier(pa, po) {
                    lines.extend(paths.iter().map(|path| (a, o, path.clone())));
                }
            }
        }
        lines
    }

    /// TIME after the main line: k+1 on its inner cells, the attacker's steps around the trap; not on the victim's cell.
    fn init_time(&mut self, captor: Cell, victim: Cell, path: &[Cell]) -> CellVector {
        let mut v = [false; 65];
        for (k, &z) in path.iter().enumerate().take(path.len() - 1).skip(1) {
            self.time[usize::from(z)] = k as i16 + 1;
            v[usize::from(z)] = true;
        }
        if !self.printed {
            for z in (1..=CELLS).filter(|&z| adjacent(z, self.x0)) {
                let time = &mut self.time[usize::from(z)];
                let existing = if v[usize::from(z)] { *time } else { 0 };
                *time = existing.max(i16::from(self.steps));
                v[usize::from(z)] = true;
            }
        }
        v[usize::from(victim)] = false;
        self.base = vec![captor, victim];
        v
    }

    fn joins_cut(&self, a: &ZoneNonTerminal) -> bool {
        let Some(piece) = self.candidate(a) else { return false };
        let m = i16::from(self.map(a.x, a.y));
        if piece.side() == self.attacker { (self.printed || self.negation > 1) && m == 1 } else { m <= a.l }
    }

    fn cut_tracks(&self, a: &ZoneNonTerminal) -> Vec<Vec<Cell>> {
        self.tracks(a.x, a.y, a.l.clamp(0, i16::from(CELLS)) as u8, false)
    }

    fn track(&self, path: Vec<Cell>, time: i16) -> Option<TrajectoryTerminal> {
        let piece = self.on[usize::from(*path.first()?)]?;
        Some(TrajectoryTerminal { piece, path, time })
    }
}

fn approach(
    c: &mut ZoneContext,
    _: &ZoneNonTerminal,
    i: usize,
) -> Vec<Symbol<ZoneNonTerminal, TrajectoryTerminal>> {
    let Some((captor, victim, path)) = c.approaches().into_iter().nth(i) else { return Vec::new() };
    let v = c.init_time(captor, victim, &path);
    let main = c.track(path, i16::from(c.steps));
    let second = c.track(vec![victim, c.x0], 1);
    main.into_iter()
        .chain(second)
        .map(Symbol::Terminal)
        .chain([Symbol::NonTerminal(ZoneNonTerminal::negation(v))])
        .collect()
}

fn lead(
    c: &mut ZoneContext,
    _: &ZoneNonTerminal,
    i: usize,
) -> Vec<Symbol<ZoneNonTerminal, TrajectoryTerminal>> {
    let Some((captor, victim, path)) = c.leads().into_iter().nth(i) else { return Vec::new() };
    let v = c.init_time(captor, victim, &path);
    let main = c.track(path, i16::from(c.steps));
    let second = c.track(vec![captor, victim], 1);
    main.into_iter()
        .chain(second)
        .map(Symbol::Terminal)
        .chain([Symbol::NonTerminal(ZoneNonTerminal::negation(v))])
        .collect()
}

fn join(
    c: &mut ZoneContext,
    a: &ZoneNonTerminal,
    i: usize,
) -> Vec<Symbol<ZoneNonTerminal, TrajectoryTerminal>> {
    let mut next = a.clone();
    let track = c.cut_tracks(a).into_iter().nth(i).and_then(|path| c.track(path, a.l));
    if let Some(track) = &track {
        let length = track.path.len() as i16 - 1;
        c.alpha_and_g(&track.path, c.time_left(a.l, length), &mut next.w);
    }
    track.into_iter().map(Symbol::Terminal).chain([Symbol::NonTerminal(next)]).collect()
}

/// Derives the zones of a trap for an attacker with `steps` steps; an empty string is not a zone.
#[must_use]
pub fn derive_cut(
    board: &Board,
    attacker: Side,
    trap: Square,
    steps: u8,
    fidelity: Fidelity,
    strategy: &Strategy,
    record: bool,
) -> Vec<Derivation<TrajectoryTerminal>> {
    let printed = fidelity == Fidelity::Printed;
    let context = ZoneContext {
        x0: cell(trap),
        steps,
        approach: if printed { 2 } else { 3 },
        printed,
        ..ZoneContext::new(board, attacker)
    };
    derive(&CUT, ZoneNonTerminal::new(cell(trap), 0, 0), context, strategy, record)
}
