//! Translation: what becomes of a zone when a piece steps.

use surus_rules::{Bitboard, Board, Piece, Square};

use crate::abg::{MovementKind, manhattan};
use crate::trajectory::{Bundle, shortest};
use crate::zone::{Role, Zone, ZoneKind, ZoneSymbol};

/// One piece goes one square. A push or a pull is two of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The piece.
    pub piece: Piece,
    /// Where it stood.
    pub from: Square,
    /// Where it stands.
    pub to: Square,
}

/// What became of a trajectory.
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

/// The zone after a transition that led to this board: the trajectories that stay connected with the main one and in
/// time, with the time that the distribution function gives them. Nothing if the main trajectory is gone. New
/// trajectories are not found by it: for those the zone is generated again.
#[must_use]
pub fn translate(zone: &Zone, transition: Transition, board: &Board) -> Option<Zone> {
    let images: Vec<Option<TranslatedBundle>> = zone
        .symbols
        .iter()
        .enumerate()
        .map(|(i, symbol)| image(zone, i, symbol, transition, board))
        .collect();
    let main_moved = matches!(images.first()?.as_ref()?, TranslatedBundle::Shortened(_));
    let mut next = Zone { subject: subject(zone, transition), ..zone.clone() };
    next.symbols.clear();
    // Where each kept symbol comes from, and whether it was shortened.
    let mut kept: Vec<(usize, bool)> = Vec::new();
    for (i, (symbol, image)) in zone.symbols.iter().zip(&images).enumerate() {
        let Some(image) = image else { continue };
        let mut symbol = ZoneSymbol { bundle: *image.bundle(), ..*symbol };
        if symbol.negation != 0 {
            let parents = parents(&next, &symbol);
            if parents.is_empty() {
                continue;
            }
            symbol.time = match (main_moved, symbol.negation) {
                (true, _) => symbol.time - 1,
                (false, 1) => symbol.time,
                (false, _) => parents.iter().map(|&p| inherited_time(zone, &next, kept[p], p)).max()?,
            };
            if !next.in_time(&symbol, zone.symbols[0].piece) {
                continue;
            }
        } else if main_moved && i == 0 {
            symbol.time -= 1;
        }
        kept.push((i, matches!(image, TranslatedBundle::Shortened(_))));
        next.symbols.push(symbol);
    }
    Some(next)
}

/// What a parent hands on: its time, less its length before the step, and one more if it has taken it.
fn inherited_time(zone: &Zone, next: &Zone, (before, shortened): (usize, bool), parent: usize) -> i16 {
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

fn image(
    zone: &Zone,
    index: usize,
    symbol: &ZoneSymbol,
    transition: Transition,
    board: &Board,
) -> Option<TranslatedBundle> {
    let bundle = symbol.bundle;
    let moved = bundle.from == transition.from;
    let stands = if moved { transition.to } else { bundle.from };
    if board.piece_at(stands) != Some(symbol.piece) {
        return None;
    }
    // The second symbol of a main line is a part of it: it goes along as long as both pieces stand side by side.
    if index == 1 && symbol.negation == 0 {
        let target = match (symbol.role, subject(zone, transition)) {
            (Role::Captor, ZoneKind::Cut { victim, .. }) => victim,
            (_, ZoneKind::Cut { trap, .. }) => trap,
            _ => return None,
        };
        let one = manhattan(stands, target) == 1;
        return one
            .then(|| shortest(&MovementKind::Any, stands, target, Bitboard::EMPTY))
            .flatten()
            .map(TranslatedBundle::Same);
    }
    if !moved {
        return Some(TranslatedBundle::Same(bundle));
    }
    bundle.after_step(&symbol.mover(), transition.to).map(TranslatedBundle::Shortened)
}

/// What the zone is about now.
fn subject(zone: &Zone, Transition { from, to, .. }: Transition) -> ZoneKind {
    let now = |square: Square| if square == from { to } else { square };
    match zone.subject {
        ZoneKind::Cut { trap, captor, victim, way, cost, guarded } => {
            let on_main = zone.symbols.first().is_some_and(|main| main.bundle.from == from);
            let cost = cost - u8::from(on_main);
            ZoneKind::Cut { trap, captor: now(captor), victim: now(victim), way, cost, guarded }
        }
        ZoneKind::Advance { rabbit, goal, length, clock } => {
            let length = length - u8::from(rabbit == from);
            ZoneKind::Advance { rabbit: now(rabbit), goal, length, clock }
        }
    }
}
