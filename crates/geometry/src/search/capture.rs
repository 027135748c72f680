//! Capture in one turn.

use surus_rules::{Action, Bitboard, Board, Piece, Side, Square, Turn};

use super::tree::{Tactic, search};
use super::{CapturedPiece, SearchStats, replay};
use crate::Fidelity;
use crate::abg::{lethal_traps, manhattan};
use crate::zone::{CutKind, Zone, ZoneKind, cut_zones};

/// A capture that is possible in one turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Capture {
    /// The captured piece.
    pub piece: Piece,
    /// Its square before the turn.
    pub square: Square,
    /// The trap.
    pub trap: Square,
    /// A turn that captures it.
    pub turn: Turn,
    /// Other enemy pieces captured by the turn.
    pub other_captures: Vec<CapturedPiece>,
    /// Own pieces lost by the turn.
    pub own_losses: Vec<CapturedPiece>,
}

/// Finds one capture.
#[must_use]
pub fn capture_in_one_turn(
    board: &Board,
    side: Side,
    steps: u8,
    fidelity: Fidelity,
    stats: &mut SearchStats,
) -> Option<Capture> {
    targets(board, side, steps, fidelity)
        .iter()
        .find_map(|target| target.search(board, side, steps, false, stats))
}

/// Finds one capture of each piece that can be captured.
#[must_use]
pub fn all_captures(
    board: &Board,
    side: Side,
    steps: u8,
    fidelity: Fidelity,
    stats: &mut SearchStats,
) -> Vec<Capture> {
    let mut found: Vec<Capture> = Vec::new();
    for target in targets(board, side, steps, fidelity) {
        if found.iter().all(|capture| capture.square != target.victim) {
            found.extend(target.search(board, side, steps, true, stats));
        }
    }
    found
}

/// Finds a capture of the given piece, in any trap.
#[must_use]
pub fn capture_of(
    board: &Board,
    side: Side,
    steps: u8,
    victim: Square,
    fidelity: Fidelity,
    stats: &mut SearchStats,
) -> Option<Capture> {
    let targets = targets(board, side, steps, fidelity);
    targets
        .iter()
        .filter(|target| target.victim == victim)
        .find_map(|target| target.search(board, side, steps, true, stats))
}

/// The target of one search: a piece and a trap, and except for [`Fidelity::Extended`] a single captor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct CaptureTarget {
    victim: Square,
    trap: Square,
    kind: CutKind,
    captor: Option<(Square, Bitboard)>,
    cost: u8,
}

/// The targets of the zones of a position, cheapest first. The extended search has one target for all zones of a piece
/// and a trap, because the captor may change.
fn targets(board: &Board, side: Side, steps: u8, fidelity: Fidelity) -> Vec<CaptureTarget> {
    let mut targets: Vec<CaptureTarget> = Vec::new();
    if fidelity == Fidelity::Extended {
        let enemies = board.by_side(side.other());
        for trap in Bitboard::TRAPS {
            for victim in enemies.into_iter().filter(|&victim| manhattan(victim, trap) <= 2) {
                let kind = match manhattan(victim, trap) {
                    0 => CutKind::Strip,
                    1 => CutKind::Approach,
                    _ => CutKind::Lead,
                };
                let mut target = CaptureTarget { victim, trap, kind, captor: None, cost: 0 };
                target.cost =
                    CaptureTactic { target, side, any: false }.lower_bound(board, CaptureState::new(victim));
                if target.cost <= steps {
                    targets.push(target);
                }
            }
        }
    } else {
        targets.extend(cut_zones(board, side, steps, fidelity).iter().filter_map(target_of_zone));
    }
    targets.sort_by_key(|target| target.cost);
    targets
}

fn target_of_zone(zone: &Zone) -> Option<CaptureTarget> {
    let ZoneKind::Cut { trap, captor, victim, kind, cost, .. } = zone.subject else { return None };
    let line = zone.symbols.iter().filter(|symbol| symbol.negation == 0);
    let main_squares = line.fold(Bitboard::EMPTY, |all, symbol| all | symbol.bundle.after_start());
    Some(CaptureTarget { victim, trap, kind, captor: Some((captor, main_squares)), cost })
}

impl CaptureTarget {
    /// Searches; with `only` the victim itself must be captured.
    fn search(
        &self,
        board: &Board,
        side: Side,
        steps: u8,
        only: bool,
        stats: &mut SearchStats,
    ) -> Option<Capture> {
        let captor = self.captor.map_or(self.victim, |(captor, _)| captor);
        let state = CaptureState { victim: self.victim, captor };
        let turn =
            search(&CaptureTactic { target: *self, side, any: !only }, board, side, steps, state, stats)?;
        let outcome = replay(board, side, &turn)?;
        let own = outcome.captured.iter().position(|loss| loss.from == self.victim);
        let mut other_captures = outcome.captured;
        let main =
            if other_captures.is_empty() { return None } else { other_captures.remove(own.unwrap_or(0)) };
        let CapturedPiece { piece, from: square, trap } = main;
        Some(Capture { piece, square, trap, turn, other_captures, own_losses: outcome.lost })
    }
}

#[derive(Clone, Copy)]
struct CaptureState {
    victim: Square,
    captor: Square,
}

impl CaptureState {
    const fn new(victim: Square) -> Self {
        Self { victim, captor: victim }
    }
}

struct CaptureTactic {
    target: CaptureTarget,
    side: Side,
    /// Whether the capture of another piece other_captures counts.
    any: bool,
}

impl CaptureTactic {
    /// The enemy pieces next to the trap, except for the victim.
    fn guards(&self, board: &Board, victim: Square) -> Bitboard {
        board.by_side(self.side.other())
            & Bitboard::from(self.target.trap).neighbours()
            & !Bitboard::from(victim)
    }

    /// Own pieces strong enough to displace the piece on a square.
    fn captors(&self, board: &Board, square: Square) -> Bitboard {
        board
            .piece_at(square)
            .map_or(Bitboard::EMPTY, |piece| board.by_side(self.side) & board.stronger_than(piece.kind()))
    }

    /// A lower bound of the steps until an own piece can displace the piece on a square.
    fn approach(&self, board: &Board, square: Square) -> u8 {
        let steps = |captor: Square| manhattan(captor, square).saturating_sub(1);
        self.captors(board, square).into_iter().map(steps).min().unwrap_or(UNREACHABLE)
    }

    /// The pieces to displace: the victim, or its guards if it is on the trap.
    fn to_displace(&self, board: &Board, state: CaptureState) -> Bitboard {
        if state.victim == self.target.trap { self.guards(board, state.victim) } else { state.victim.into() }
    }

    fn paper_priority(
        &self,
        board: &Board,
        state: CaptureState,
        action: &Action,
        trajectory: Bitboard,
    ) -> Option<u8> {
        let (first, trap) = (action.first, self.target.trap);
        let nearer = |step: surus_rules::Step, to| manhattan(step.to(), to) < manhattan(step.from(), to);
        match displaced(action, self.side) {
            Some(step) if step.from() == state.victim => {
                let by_captor = action.steps().any(|own| own.from() == state.captor);
                (by_captor && nearer(step, trap)).then_some(0)
            }
            Some(step) => {
                let in_the_way = trajectory.contains(step.from())
                    || self.guards(board, state.victim).contains(step.from());
                in_the_way.then_some(2)
            }
            None if first.from() == state.captor => (nearer(first, state.victim)
                && !lethal_traps(board, state.captor).contains(first.to()))
            .then_some(1),
            None => {
                let clears = trajectory.contains(first.from()) && !trajectory.contains(first.to());
                let frozen = board.frozen(self.side).contains(state.captor);
                let frees = frozen && manhattan(first.to(), state.captor) == 1;
                (clears || frees).then_some(2)
            }
        }
    }
}

/// More steps than a turn has.
const UNREACHABLE: u8 = 16;

/// The step of the enemy piece in a push or pull.
fn displaced(action: &Action, side: Side) -> Option<surus_rules::Step> {
    action.second.map(|second| if second.piece().side() == side { action.first } else { second })
}

impl Tactic for CaptureTactic {
    type State = CaptureState;

    /// Each guard, and each square between the victim and the trap, takes a push or pull. A captor must approach the victim
    /// first; displacing a guard may bring it one square nearer.
    fn lower_bound(&self, board: &Board, state: CaptureState) -> u8 {
        let guards = self.guards(board, state.victim);
        let count = guards.len() as u8;
        if state.victim == self.target.trap {
            let first = guards.into_iter().map(|guard| self.approach(board, guard)).min();
            return 2 * count + first.unwrap_or(UNREACHABLE);
        }
        let approach = match self.target.captor {
            Some(_) => manhattan(state.captor, state.victim).saturating_sub(1),
            None => self.approach(board, state.victim),
        };
        2 * (manhattan(state.victim, self.target.trap) + count) + approach.saturating_sub(count)
    }

    fn priority(
        &self,
        board: &Board,
        state: CaptureState,
        action: &Action,
        left: u8,
        slack: u8,
    ) -> Option<u8> {
        if let Some((_, trajectory)) = self.target.captor {
            return self.paper_priority(board, state, action, trajectory);
        }
        let (victim, trap, first) = (state.victim, self.target.trap, action.first);
        let to_displace = self.to_displace(board, state);
        let around = |step: surus_rules::Step, to: Square, radius: u8| {
            manhattan(step.from(), to) <= radius || manhattan(step.to(), to) <= radius
        };
        let Some(step) = displaced(action, self.side) else {
            let comes_nearer = to_displace.into_iter().any(|square| {
                let captor = self.captors(board, square).contains(first.from());
                captor && manhattan(first.to(), square) < manhattan(first.from(), square)
            });
            // A single step cannot complete a capture: two steps must remain for a push or pull.
            return match () {
                () if left < 3 => None,
                () if comes_nearer => Some(1),
                () if slack == 0 => None,
                () if around(first, victim, 2) || around(first, trap, 1) => Some(3),
                () if manhattan(first.to(), victim) <= 4 => Some(5),
                () => None,
            };
        };
        let nearer = manhattan(step.to(), trap) < manhattan(step.from(), trap);
        match () {
            () if to_displace.contains(step.from()) && (nearer || victim == trap) => Some(0),
            () if step.from() == victim => (slack >= 2).then_some(6),
            () if self.guards(board, victim).contains(step.from()) => Some(2),
            // Displacing another piece takes two steps and gains at most one.
            () if slack == 0 => None,
            () if around(step, victim, 2) || around(step, trap, 1) => Some(4),
            () => Some(5),
        }
    }

    fn next_state(&self, state: CaptureState, action: &Action) -> CaptureState {
        let mut next = state;
        for step in action.steps() {
            for square in [&mut next.victim, &mut next.captor] {
                if *square == step.from() {
                    *square = step.to();
                }
            }
        }
        next
    }

    fn is_achieved(&self, before: &Board, after: &Board, state: CaptureState) -> bool {
        let enemy = self.side.other();
        let fell = after.by_side(enemy).len() < before.by_side(enemy).len();
        fell && (self.any || !after.by_side(enemy).contains(state.victim))
    }

    fn state_key(state: CaptureState) -> u64 {
        let pair = (state.victim.index() << 6 | state.captor.index()) as u64 + 1;
        pair.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}
