//! Translation \[LG\]: updates a zone after a step.

use surus_rules::{Bitboard, Board, Piece, Square};

use crate::abg::{MovementKind, manhattan};
use crate::trajectory::{Bundle, shortest};
use crate::zone::{Role, Zone, ZoneKind, ZoneSymbol};

/// The move of one piece by one square. A push or pull consists of two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The piece.
    pub piece: Piece,
    /// Its square before.
    pub from: Square,
    /// Its square after.
    pub to: Square,
}

/// A bundle after a transition.
#[derive(Clone, Copy)]
enum TranslatedBundle {
    Same(Bundle),
    Shortened(Bundle),
}

impl TranslatedBundle {
    const fn bundle(&self) -> &Bundle {
        match self {
            Self::Same(bundle) | Self::Shortened(bundle) => bundle,
        }
    }
}

/// The zone after a transition that led to `board`: the trajectories that are still connected with the main one and in
/// time, with the times of the distribution function. `None` if the main trajectory no longer exists. New trajectories
/// are not added; that requires generating the zone again.
#[must_use]
pub fn translate(zone: &Zone, transition: Transition, board: &Board) -> Option<Zone> {
    let bundles: Vec<Option<TranslatedBundle>> = zone
        .symbols
        .iter()
        .enumerate()
        .map(|(i, symbol)| translate_bundle(zone, i, symbol, transition, board))
        .collect();
    let main_moved = matches!(bundles.first()?.as_ref()?, TranslatedBundle::Shortened(_));
    let mut next = Zone { subject: subject(zone, transition), ..zone.clone() };
    next.symbols.clear();
    // The former index of each remaining symbol, and whether it was shortened.
    let mut remaining: Vec<(usize, bool)> = Vec::new();
    for (i, (symbol, bundle)) in zone.symbols.iter().zip(&bundles).enumerate() {
        let Some(bundle) = bundle else { continue };
        let mut symbol = ZoneSymbol { bundle: *bundle.bundle(), ..*symbol };
        if symbol.negation != 0 {
            let parents = parents(&next, &symbol);
            if parents.is_empty() {
                continue;
            }
            symbol.time = match (main_moved, symbol.negation) {
                (true, _) => symbol.time - 1,
                (false, 1) => symbol.time,
                (false, _) => {
                    let inherited = |&parent: &usize| {
                        let (before, shortened) = remaining[parent];
                        inherited_time(zone, &next, before, shortened, parent)
                    };
                    parents.iter().map(inherited).max()?
                }
            };
            if !next.in_time(&symbol, zone.symbols[0].piece) {
                continue;
            }
        } else if main_moved && i == 0 {
            symbol.time -= 1;
        }
        remaining.push((i, matches!(bundle, TranslatedBundle::Shortened(_))));
        next.symbols.push(symbol);
    }
    Some(next)
}

/// The time inherited from a parent: its time minus its length before the transition, plus one if it was shortened.
fn inherited_time(zone: &Zone, next: &Zone, before: usize, shortened: bool, parent: usize) -> i16 {
    let length = i16::from(zone.symbols[before].bundle.len);
    next.symbols[parent].time - length + 1 + i16::from(shortened)
}

fn parents(next: &Zone, symbol: &ZoneSymbol) -> Vec<usize> {
    let is_parent = |(i, to): &(usize, &ZoneSymbol)| {
        let before = to.negation + 1 == symbol.negation && (to.negation != 0 || *i == 0);
        before && next.connected(symbol, to)
    };
    next.symbols.iter().enumerate().filter(is_parent).map(|(i, _)| i).collect()
}

fn translate_bundle(
    zone: &Zone,
    index: usize,
    symbol: &ZoneSymbol,
    transition: Transition,
    board: &Board,
) -> Option<TranslatedBundle> {
    let bundle = symbol.bundle;
    let moved = bundle.from == transition.from;
    let square = if moved { transition.to } else { bundle.from };
    if board.piece_at(square) != Some(symbol.piece) {
        return None;
    }
    // The second symbol of a main line exists as long as both pieces are adjacent.
    if index == 1 && symbol.negation == 0 {
        let target = match (symbol.role, subject(zone, transition)) {
            (Role::Captor, ZoneKind::Cut { victim, .. }) => victim,
            (_, ZoneKind::Cut { trap, .. }) => trap,
            _ => return None,
        };
        let one = manhattan(square, target) == 1;
        return one
            .then(|| shortest(&MovementKind::Any, square, target, Bitboard::EMPTY))
            .flatten()
            .map(TranslatedBundle::Same);
    }
    if !moved {
        return Some(TranslatedBundle::Same(bundle));
    }
    bundle.after_step(&symbol.mover(), transition.to).map(TranslatedBundle::Shortened)
}

/// The kind of the zone after the transition.
fn subject(zone: &Zone, Transition { from, to, .. }: Transition) -> ZoneKind {
    let now = |square: Square| if square == from { to } else { square };
    match zone.subject {
        ZoneKind::Cut { trap, captor, victim, kind, cost, guarded } => {
            let on_main = zone.symbols.first().is_some_and(|main| main.bundle.from == from);
            let cost = cost - u8::from(on_main);
            ZoneKind::Cut { trap, captor: now(captor), victim: now(victim), kind, cost, guarded }
        }
        ZoneKind::Advance { rabbit, goal, length, clock } => {
            let length = length - u8::from(rabbit == from);
            ZoneKind::Advance { rabbit: now(rabbit), goal, length, clock }
        }
    }
}
