//! CUT zones: the capture of a piece around a trap.

use surus_rules::{Bitboard, Board, Side, Square};

use super::negation::{
    AdmissionRule, AllShortest, Frontier, Negations, SelectTrajectories, SingleTrajectory,
};
use super::{Role, Zone, ZoneKind, ZoneSymbol};
use crate::Fidelity;
use crate::abg::{MovementKind, heavier, lethal_traps, manhattan};
use crate::trajectory::{Bundle, shortest, tracks};

/// How the victim gets into the trap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CutKind {
    /// The captor approaches the victim, which is next to the trap.
    Approach,
    /// The captor is next to the victim and displaces it by two squares.
    Lead,
    /// The victim is on the trap; the captor displaces its guard.
    Strip,
}

/// The zones of all traps for an attacker with `steps` steps.
#[must_use]
pub fn cut_zones(board: &Board, attacker: Side, steps: u8, fidelity: Fidelity) -> Vec<Zone> {
    Bitboard::TRAPS
        .into_iter()
        .flat_map(|trap| cut_zones_at(board, attacker, trap, steps, fidelity))
        .collect()
}

/// The zones of one trap.
#[must_use]
pub fn cut_zones_at(board: &Board, attacker: Side, trap: Square, steps: u8, fidelity: Fidelity) -> Vec<Zone> {
    let lines = lines(board, attacker, trap, steps, fidelity);
    lines.iter().map(|line| line.zone(board, steps, fidelity, line.main, &mut AllShortest)).collect()
}

/// The main lines of the zones of one trap, without their negations: what each zone is about, and the trajectories of its
/// captor and its victim.
#[must_use]
pub fn cut_main_lines(
    board: &Board,
    attacker: Side,
    trap: Square,
    steps: u8,
    fidelity: Fidelity,
) -> Vec<(ZoneKind, Vec<ZoneSymbol>)> {
    let lines = lines(board, attacker, trap, steps, fidelity);
    lines.iter().map(|line| (line.subject(), line.symbols(board, steps, line.main))).collect()
}

/// A zone of one trap with a single trajectory per symbol, like a string of the grammar: `pick` is called with the number
/// of trajectories and returns an index.
#[must_use]
pub fn cut_zones_by(
    board: &Board,
    attacker: Side,
    trap: Square,
    steps: u8,
    fidelity: Fidelity,
    pick: &mut dyn FnMut(usize) -> usize,
) -> Option<Zone> {
    let mut all = Vec::new();
    for line in lines(board, attacker, trap, steps, fidelity) {
        let Bundle { from, to, len, .. } = line.main;
        let is_free = line.kind == CutKind::Lead || fidelity == Fidelity::Printed;
        let blocked = if is_free { Bitboard::EMPTY } else { lethal_traps(board, from) };
        let mains = tracks(&line.mover(board), from, to, len, blocked);
        all.extend(mains.iter().filter_map(Bundle::from_trajectory).map(|main| (line.clone(), main)));
    }
    let index = pick(all.len()).min(all.len().checked_sub(1)?);
    let (line, main) = &all[index];
    Some(line.zone(board, steps, fidelity, *main, &mut SingleTrajectory(pick)))
}

/// A main line: captor, victim and trajectories.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct MainLine {
    attacker: Side,
    trap: Square,
    captor: Square,
    victim: Square,
    kind: CutKind,
    cost: u8,
    guarded: bool,
    pub(super) main: Bundle,
}

pub(super) fn lines(
    board: &Board,
    attacker: Side,
    trap: Square,
    steps: u8,
    fidelity: Fidelity,
) -> Vec<MainLine> {
    let defenders = board.by_side(attacker.other());
    let guards = defenders & Bitboard::from(trap).neighbours();
    let extended = fidelity == Fidelity::Extended;
    if guards.len() > 1 && !extended {
        return Vec::new();
    }
    let nearest = if fidelity == Fidelity::Printed { 2 } else { 3 };
    let mut found = Vec::new();
    let line = |captor, victim: Square, kind, cost, main| {
        let guarded = !(guards & !Bitboard::from(victim)).is_empty();
        MainLine { attacker, trap, captor, victim, kind, cost, guarded, main }
    };
    let approach = |captor, victim| {
        let reach = captor_reach(board, captor);
        let blocked =
            if fidelity == Fidelity::Printed { Bitboard::EMPTY } else { lethal_traps(board, captor) };
        shortest(&reach, captor, victim, blocked)
            .filter(|main| main.len <= nearest.min(steps.saturating_sub(1)))
    };
    for victim in guards {
        for captor in stronger(board, attacker, victim) {
            if let Some(main) = approach(captor, victim) {
                found.push(line(captor, victim, CutKind::Approach, main.len + 1, main));
            }
        }
    }
    if (found.is_empty() || extended) && steps >= 4 {
        for victim in defenders.into_iter().filter(|&victim| manhattan(victim, trap) == 2) {
            let captors = stronger(board, attacker, victim) & Bitboard::from(victim).neighbours();
            if let Some(main) =
                shortest(&MovementKind::Any, victim, trap, Bitboard::EMPTY).filter(|_| !captors.is_empty())
            {
                found.extend(captors.into_iter().map(|captor| line(captor, victim, CutKind::Lead, 4, main)));
            }
        }
    }
    if extended && defenders.contains(trap) && guards.len() <= 2 {
        for guard in guards {
            for captor in stronger(board, attacker, guard) {
                if let Some(main) = approach(captor, guard) {
                    found.push(line(captor, trap, CutKind::Strip, main.len + 1, main));
                }
            }
        }
    }
    found
}

fn captor_reach(board: &Board, captor: Square) -> MovementKind {
    board.piece_at(captor).map_or(MovementKind::Any, MovementKind::of)
}

/// The pieces of the attacker that outweigh the victim.
fn stronger(board: &Board, attacker: Side, victim: Square) -> Bitboard {
    match board.piece_at(victim) {
        None => Bitboard::EMPTY,
        Some(piece) => {
            let heavy = |s: &Square| board.piece_at(*s).is_some_and(|own| heavier(own, piece));
            (board.by_side(attacker) & board.stronger_than(piece.kind())).into_iter().filter(heavy).collect()
        }
    }
}

impl MainLine {
    fn mover(&self, board: &Board) -> MovementKind {
        if self.kind == CutKind::Lead { MovementKind::Any } else { captor_reach(board, self.captor) }
    }

    pub(super) const fn subject(&self) -> ZoneKind {
        let Self { trap, captor, victim, kind, cost, guarded, .. } = *self;
        ZoneKind::Cut { trap, captor, victim, kind, cost, guarded }
    }

    /// The symbols of the main line.
    pub(super) fn symbols(&self, board: &Board, steps: u8, main: Bundle) -> Vec<ZoneSymbol> {
        let Self { trap, captor, victim, kind, .. } = *self;
        let mut symbols = Vec::with_capacity(16);
        let mut add = |square: Square, role, bundle: Option<Bundle>, time| {
            if let Some((piece, bundle)) = board.piece_at(square).zip(bundle) {
                symbols.push(ZoneSymbol { piece, role, negation: 0, bundle, time });
            }
        };
        let one_step = |from, to| shortest(&MovementKind::Any, from, to, Bitboard::EMPTY);
        match kind {
            CutKind::Approach => {
                add(captor, Role::Captor, Some(main), i16::from(steps));
                add(victim, Role::Victim, one_step(victim, trap), 1);
            }
            CutKind::Lead => {
                add(victim, Role::Victim, Some(main), i16::from(steps));
                add(captor, Role::Captor, one_step(captor, victim), 1);
            }
            CutKind::Strip => add(captor, Role::Captor, Some(main), i16::from(steps)),
        }
        symbols
    }

    fn zone(
        &self,
        board: &Board,
        steps: u8,
        fidelity: Fidelity,
        main: Bundle,
        selector: &mut impl SelectTrajectories,
    ) -> Zone {
        let mut symbols = self.symbols(board, steps, main);
        let frontier = self.frontier(steps, fidelity, &main);
        self.negations(board, fidelity).run(frontier, selector, &mut symbols);
        self.zone_of(symbols)
    }

    pub(super) const fn zone_of(&self, symbols: Vec<ZoneSymbol>) -> Zone {
        Zone { attacker: self.attacker, subject: self.subject(), symbols }
    }

    /// Whether none of its pieces is on a changed square.
    pub(super) fn is_unchanged(&self, changed: &Bitboard) -> bool {
        !changed.contains(self.captor) && !changed.contains(self.victim)
    }

    /// The targets of the first negation.
    pub(super) fn frontier(&self, steps: u8, fidelity: Fidelity, main: &Bundle) -> Frontier {
        let mut frontier = Frontier::new();
        for k in 1..main.len {
            for square in main.layer(k) {
                frontier.add(square, i16::from(k) + 1, None);
            }
        }
        if fidelity != Fidelity::Printed {
            for square in Bitboard::from(self.trap).neighbours() {
                frontier.add(square, i16::from(steps), None);
            }
        }
        frontier.squares &= !Bitboard::from(self.victim);
        frontier
    }

    pub(super) fn negations<'a>(&self, board: &'a Board, fidelity: Fidelity) -> Negations<'a> {
        let printed = fidelity == Fidelity::Printed;
        let main = Bitboard::from(self.captor) | self.victim.into();
        let excluded = Bitboard::from(self.trap) | if printed { Bitboard::EMPTY } else { main };
        Negations { board, attacker: self.attacker, rule: AdmissionRule::Cut, excluded, printed }
    }
}
