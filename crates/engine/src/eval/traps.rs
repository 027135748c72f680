//! Trap terms: guards, control, hostages and other pieces in danger.

use surus_rules::{Bitboard, PieceKind};

use super::distance::{NEAR_TRAPS, Trap, nearest_to_trap, nearest_trap, trap_distance};
use super::perspective::{Perspective, PieceClass};
use super::term::{Accumulator, UNIT};
use super::terms::*;
use crate::common::by_kind::{ByKind, OFFICERS};

/// Guards of both sides around the home traps, and the best own guard of every trap.
///
/// The away traps are the opponent's home traps, which the evaluation of the other side covers.
pub(crate) fn guards(view: &Perspective, acc: &mut impl Accumulator) {
    for trap in Trap::HOME {
        let around = trap.neighbours();
        let (own, enemies) = ((view.own & around).len(), (view.enemies & around).len());
        acc.add_unit(TRAP_GUARDS, (own * 5 + enemies) as usize);
    }
    for trap in Trap::ALL {
        let guards = trap.neighbours() & !view.frozen;
        let best = OFFICERS.into_iter().rev().find(|&kind| !(view.own_by_kind[kind] & guards).is_empty());
        // Without an officer the last entry of the row is used, which is that of rabbits.
        let class = view.class(best.unwrap_or(PieceKind::Rabbit)).index();
        acc.add_unit(BEST_TRAP_GUARD, usize::from(!trap.is_home()) * PieceClass::COUNT + class);
    }
}

/// The influence of a piece around a trap, by its class and by its distance: fixed shapes, whose sum is weighted by
/// the term [`TRAP_CONTROL`].
const CLASS_INFLUENCE: [i32; PieceClass::COUNT] = [24, 18, 14, 10, 8, 4];
const DISTANCE_INFLUENCE: [i32; 6] = [10, 12, 7, 3, 1, 0];

/// The influence of a piece on each square at the four traps, packed into 16 bits each.
const SQUARE_INFLUENCE: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < 4 {
            let steps = trap_distance(square, Trap::ALL[i]);
            table[square] |= (DISTANCE_INFLUENCE[if steps < 5 { steps } else { 5 }] as u64) << (16 * i);
            i += 1;
        }
        square += 1;
    }
    table
};

/// The influence of a side's pieces at the four traps; frozen pieces count half.
fn influence(
    pieces: &ByKind<Bitboard>,
    frozen: Bitboard,
    class: impl Fn(PieceKind) -> PieceClass,
) -> [i32; Trap::ALL.len()] {
    let mut sum = 0_u64;
    for (kind, &squares) in pieces.iter() {
        let strength = CLASS_INFLUENCE[class(kind).index()] as u64;
        let (mut mobile_sum, mut frozen_sum) = (0, 0);
        for square in squares {
            if frozen.contains(square) {
                frozen_sum += SQUARE_INFLUENCE[square.index()];
            } else {
                mobile_sum += SQUARE_INFLUENCE[square.index()];
            }
        }
        sum += strength * mobile_sum + strength / 2 * frozen_sum;
    }
    std::array::from_fn(|trap| (sum >> (16 * trap) & 0xffff) as i32)
}

/// The distance between two entries of [`TRAP_CONTROL`], and the entry of an even balance.
const SPACING: i32 = 128;
const EVEN: i32 = 8;

/// The balance of influence around each home trap, interpolated between two entries.
pub(crate) fn control(view: &Perspective, acc: &mut impl Accumulator) {
    let own = influence(&view.own_by_kind, view.frozen, |kind| view.class(kind));
    let enemy = influence(&view.enemy_by_kind, view.enemy_frozen, |kind| view.enemy_class(kind));
    for trap in Trap::HOME {
        let balance = own[trap as usize] - enemy[trap as usize];
        let offset = (balance + EVEN * SPACING).clamp(0, 2 * EVEN * SPACING - 1);
        let (entry, part) = ((offset / SPACING) as usize, offset % SPACING * UNIT / SPACING);
        acc.add(TRAP_CONTROL, entry, UNIT - part);
        acc.add(TRAP_CONTROL, entry + 1, part);
    }
}

/// The guards of a trap besides the piece on a square, at most two.
fn other_guards(view: &Perspective, trap: Trap, square: surus_rules::Square) -> usize {
    (trap.neighbours() & view.own & !Bitboard::from(square)).len().min(2) as usize
}

/// Own pieces that a stronger enemy holds near a trap: hostages, and pieces about to be captured.
pub(crate) fn hostages(view: &Perspective, acc: &mut impl Accumulator) {
    for square in view.dominated {
        let (trap, steps) = nearest_trap(square);
        if steps > 3 {
            continue;
        }
        let entry = (view.class_at(square).index() * 4 + steps) * 3 + other_guards(view, trap, square);
        acc.add_unit(if trap.is_home() { HOSTAGE_HOME } else { HOSTAGE_AWAY }, entry);
    }
}

/// Own pieces near a trap that a stronger enemy is not next to, but can reach in one step.
pub(crate) fn trap_threats(view: &Perspective, acc: &mut impl Accumulator) {
    let mobile = view.enemies & !view.enemy_frozen;
    for (kind, &pieces) in view.own_by_kind.iter() {
        let attackers = view.enemies_stronger_than(kind) & mobile;
        let reach = attackers.neighbours() & view.empty;
        let threatened = pieces & !view.dominated & reach.neighbours() & NEAR_TRAPS;
        for square in threatened {
            let (trap, steps) = nearest_trap(square);
            let guards = other_guards(view, trap, square);
            acc.add_unit(TRAP_THREAT, (view.class(kind).index() * 3 + steps) * 3 + guards);
        }
    }
}

/// Own pieces on a trap with a single guard, and that guard, while an enemy is next to the trap.
pub(crate) fn frames(view: &Perspective, acc: &mut impl Accumulator) {
    for square in view.own & Bitboard::TRAPS {
        let around = Bitboard::from(square).neighbours();
        if (around & view.enemies).is_empty() {
            continue;
        }
        let guards = around & view.own;
        if guards.len() == 1 {
            acc.add_unit(FRAMED, view.class_at(square).index());
            if let Some(guard) = guards.first() {
                acc.add_unit(PINNED, view.class_at(guard).index());
            }
        }
    }
}

/// The distance of the strongest free officer to each away trap.
pub(crate) fn attack(view: &Perspective, acc: &mut impl Accumulator) {
    let free = OFFICERS.into_iter().rev().map(|kind| view.own_by_kind[kind] & view.free);
    let Some(strongest) = free.into_iter().find(|pieces| !pieces.is_empty()) else { return };
    for trap in Trap::AWAY {
        acc.add_unit(TRAP_ATTACK, nearest_to_trap(trap, strongest));
    }
}
