//! The moves that advance zones propose.

use surus_rules::{Bitboard, Board, Side, Square};

use super::HeuristicRule::{AdvanceFirst, AdvanceZone, CoverSquare};
use super::HeuristicRules;
use super::moves::ZoneMoves;
use crate::Fidelity;
use crate::abg::lethal_traps;
use crate::trajectory::Bundle;
use crate::zone::{Role, TimeModel, Zone, advance_zone, advance_zone_printed};

/// Priorities: the rabbit, and pieces that cover a square.
const RABBIT: u8 = 0;
const COVER: u8 = 1;
/// Without a preference, the rabbit comes last.
const NOT_PREFERRED: u8 = 4;

const fn rabbit_priority(rules: HeuristicRules) -> u8 {
    if rules.has(AdvanceFirst) { RABBIT } else { NOT_PREFERRED }
}

/// The moves of the zones as \[LG\] describes them: the rabbit advances, and own pieces cover the squares where the zone
/// has it intercepted.
pub(super) fn paper_moves<'a>(
    board: &'a Board,
    side: Side,
    left: u8,
    rabbit: Square,
    (fidelity, rules): (Fidelity, HeuristicRules),
) -> ZoneMoves<'a> {
    let mut moves = ZoneMoves::new(board, side);
    if !rules.has(AdvanceZone) {
        run_straight(&mut moves, side, rabbit, rules);
        return moves;
    }
    for goal in side.goal() {
        let zone = match fidelity {
            Fidelity::Printed => advance_zone_printed(board, rabbit, goal, left),
            _ => advance_zone(board, rabbit, goal, left, TimeModel::Serial),
        };
        let Some(zone) = zone else { continue };
        let main = zone.symbols[0].bundle;
        moves.step(rabbit_priority(rules), rabbit, main.layer(1));
        if rules.has(CoverSquare) && main.len < left {
            cover(&mut moves, board, &zone, left - main.len);
        }
    }
    moves
}

fn run_straight(moves: &mut ZoneMoves<'_>, side: Side, rabbit: Square, rules: HeuristicRules) {
    let ahead = Bitboard::from(rabbit).shifted(side.backward().opposite());
    moves.step(rabbit_priority(rules), rabbit, ahead);
}

/// Supporters step along their trajectories to the squares where the rabbit is intercepted, up to the square before.
fn cover(moves: &mut ZoneMoves<'_>, board: &Board, zone: &Zone, slack: u8) {
    let of = |role: Role| zone.symbols.iter().filter(move |s| s.negation == 1 && s.role == role);
    let intercepted: Bitboard = of(Role::Intercept).map(|symbol| symbol.bundle.to).collect();
    for symbol in of(Role::Support).filter(|symbol| intercepted.contains(symbol.bundle.to)) {
        let Bundle { from, len, .. } = symbol.bundle;
        if (2..=slack + 1).contains(&len) {
            moves.step(COVER, from, symbol.bundle.layer(1) & board.empty());
        }
    }
}

/// The moves of all extended zones of a rabbit: it also crosses traps that a supporter guards, is freed, and its way is
/// cleared.
pub(super) fn extended_moves<'a>(
    board: &'a Board,
    side: Side,
    left: u8,
    rabbit: Square,
    rules: HeuristicRules,
) -> ZoneMoves<'a> {
    let mut moves = ZoneMoves::new(board, side);
    if !rules.has(AdvanceZone) {
        run_straight(&mut moves, side, rabbit, rules);
        return moves;
    }
    for goal in side.goal() {
        let Some(main) = moves.bundle(rabbit, goal).filter(|main| main.len <= left) else { continue };
        // The straight run comes before a detour.
        let detour = u8::from(goal.file() != rabbit.file());
        moves.step(rabbit_priority(rules) + detour, rabbit, main.layer(1));
        let slack = left - main.len;
        if slack == 0 {
            continue;
        }
        for obstacle in main.after_start() & board.occupied() {
            moves.clear(obstacle, slack);
        }
        if rules.has(CoverSquare) {
            if board.frozen(side).contains(rabbit) {
                moves.free(rabbit, slack);
            }
            moves.guard_traps(rabbit, main.inner() | rabbit.into(), slack);
            for square in main.inner() & freezing(board, side, rabbit) & !lethal_traps(board, rabbit) {
                moves.escort(Bitboard::from(square).neighbours(), rabbit.into(), slack);
            }
        }
    }
    moves
}

/// The squares where a rabbit would be frozen now.
fn freezing(board: &Board, side: Side, rabbit: Square) -> Bitboard {
    let own = board.by_side(side) & !Bitboard::from(rabbit);
    let strong = board.by_side(side.other()) & !board.rabbits(side.other());
    strong.neighbours() & !own.neighbours()
}
