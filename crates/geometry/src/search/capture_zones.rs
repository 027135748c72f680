//! The moves that CUT zones propose.

use surus_rules::{Bitboard, Board, Side, Square};

use super::HeuristicRule::{MoveObstacles, TowardsTrap};
use super::capture_distances::CaptureDistances;
use super::moves::ZoneMoves;
use super::{HeuristicRule, HeuristicRules};
use crate::Fidelity;
use crate::abg::manhattan;
use crate::zone::{CutKind, ZoneKind, ZoneSymbol, cut_main_lines};

/// Priorities: displacing the victim, the captor's approach, and obstacles.
const VICTIM: u8 = 0;
const APPROACH: u8 = 1;
const OBSTACLE: u8 = 2;
/// Without a preference, displacements come last.
const NOT_PREFERRED: u8 = 4;

/// A zone that a search follows.
#[derive(Clone, Copy)]
pub(super) struct CutTarget {
    pub(super) victim: Square,
    pub(super) trap: Square,
    /// Its only captor; `None` if any piece may displace the victim.
    pub(super) captor: Option<Square>,
}

const fn displacing(rules: HeuristicRules, priority: u8) -> u8 {
    if rules.has(TowardsTrap) { priority } else { NOT_PREFERRED }
}

/// The moves of the zones as \[LG\] describes them: the main line and the obstacles on it.
pub(super) fn paper_moves<'a>(
    board: &'a Board,
    side: Side,
    left: u8,
    target: CutTarget,
    (fidelity, rules): (Fidelity, HeuristicRules),
) -> ZoneMoves<'a> {
    let mut moves = ZoneMoves::new(board, side);
    for (kind, symbols) in cut_main_lines(board, side, target.trap, left, fidelity) {
        let ZoneKind::Cut { captor, victim, kind, .. } = kind else { continue };
        if victim == target.victim && target.captor.is_none_or(|only| only == captor) {
            follow_line(&mut moves, board, (captor, target.trap, kind), &symbols, rules);
        }
    }
    moves
}

fn follow_line(
    moves: &mut ZoneMoves<'_>,
    board: &Board,
    (captor, trap, kind): (Square, Square, CutKind),
    symbols: &[ZoneSymbol],
    rules: HeuristicRules,
) {
    let [main, second] = symbols else { return };
    let priority = displacing(rules, VICTIM);
    match kind {
        CutKind::Lead => moves.displace(priority, main.bundle.from, main.bundle.layer(1), captor.into()),
        CutKind::Approach | CutKind::Strip if main.bundle.len == 1 => {
            moves.displace(priority, second.bundle.from, second.bundle.to.into(), captor.into());
        }
        CutKind::Approach | CutKind::Strip => moves.step(APPROACH, captor, main.bundle.layer(1)),
    }
    if !rules.has(MoveObstacles) {
        return;
    }
    let trajectory = main.bundle.inner() | trap.into();
    for square in trajectory & board.occupied() {
        moves.step(OBSTACLE, square, !trajectory);
        let by = moves.captors(square);
        moves.displace(OBSTACLE, square, !trajectory, by);
    }
}

/// The moves of all extended zones of a victim and a trap: any captor, guards that are displaced, own and enemy obstacles,
/// freed pieces and guarded traps.
pub(super) fn extended_moves<'a>(
    board: &'a Board,
    side: Side,
    left: u8,
    target: CutTarget,
    rules: HeuristicRules,
) -> ZoneMoves<'a> {
    let mut moves = ZoneMoves::new(board, side);
    let CutTarget { victim, trap, .. } = target;
    let distances = CaptureDistances { side, victim, trap };
    if distances.lower_bound(board) > left {
        return moves;
    }
    let guards = distances.guards(board);
    let (count, distance) = (guards.len() as u8, manhattan(victim, trap));
    let needed = 2 * (count + distance);
    if distance > 0 {
        let nearer: Bitboard =
            Bitboard::ALL.into_iter().filter(|&to| manhattan(to, trap) < distance).collect();
        // Displacing a guard may bring the captor one square nearer.
        let budget = left + 2 - needed + count;
        moves.displacement_zone(victim, nearer, budget, [displacing(rules, VICTIM), APPROACH]);
        if rules.has(MoveObstacles) {
            let way = nearer & Bitboard::from(victim).neighbours() & board.occupied();
            for square in way | (Bitboard::from(trap) & board.occupied()) {
                moves.clear(square, (left + 1).saturating_sub(needed));
            }
        }
    }
    if rules.has(MoveObstacles) || distance == 0 {
        for guard in guards {
            let away = !Bitboard::from(trap).neighbours() & !Bitboard::from(trap);
            moves.displacement_zone(guard, away, left + 2 - needed + count, [OBSTACLE, APPROACH]);
        }
    }
    moves
}

/// The targets of the zones of a position, cheapest first, with the steps that they need at least.
pub(super) fn targets(
    board: &Board,
    side: Side,
    steps: u8,
    (fidelity, rules): (Fidelity, HeuristicRules),
) -> Vec<CutTarget> {
    let mut found: Vec<(u8, CutTarget)> = Vec::new();
    for trap in Bitboard::TRAPS {
        if fidelity == Fidelity::Extended {
            extended_targets(board, side, steps, trap, &mut found);
            continue;
        }
        for (kind, _) in cut_main_lines(board, side, trap, steps, fidelity) {
            if let ZoneKind::Cut { captor, victim, cost, .. } = kind {
                found.push((cost, CutTarget { victim, trap, captor: Some(captor) }));
            }
        }
    }
    found.sort_by_key(|(cost, _)| *cost);
    if let (false, Some(first)) =
        (rules.has(HeuristicRule::EveryTrap), found.first().map(|(_, target)| target.trap))
    {
        found.retain(|(_, target)| target.trap == first);
    }
    found.into_iter().map(|(_, target)| target).collect()
}

fn extended_targets(board: &Board, side: Side, steps: u8, trap: Square, found: &mut Vec<(u8, CutTarget)>) {
    let enemies = board.by_side(side.other());
    for victim in enemies.into_iter().filter(|&victim| manhattan(victim, trap) <= 2) {
        let cost = CaptureDistances { side, victim, trap }.lower_bound(board);
        if cost <= steps {
            found.push((cost, CutTarget { victim, trap, captor: None }));
        }
    }
}
