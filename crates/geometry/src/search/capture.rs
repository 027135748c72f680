//! Capture in one turn.

use surus_rules::{Action, Bitboard, Board, Piece, Side, Square, Turn};

use super::tree::{Tactic, search};
use super::{CapturedPiece, SearchStats, replay};
use crate::Fidelity;
use crate::abg::{lethal_traps, manhattan};
use crate::zone::{CutKind, Zone, ZoneKind, cut_zones};

/// A piece that can be captured in one turn, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Capture {
    /// The piece.
    pub piece: Piece,
    /// Where it stands.
    pub square: Square,
    /// Where it dies.
    pub trap: Square,
    /// A line that the rules have replayed.
    pub turn: Turn,
    /// What else is captured by it.
    pub other_captures: Vec<CapturedPiece>,
    /// Own pieces that it costs.
    pub own_losses: Vec<CapturedPiece>,
}

/// The first capture that the zones lead to.
#[must_use]
pub fn capture_in_one_turn(
    board: &Board,
    side: Side,
    steps: u8,
    fidelity: Fidelity,
    effort: &mut SearchStats,
) -> Option<Capture> {
    aims(board, side, steps, fidelity).iter().find_map(|aim| aim.search(board, side, steps, false, effort))
}

/// Every piece that the zones lead to a capture of, each with its first line.
#[must_use]
pub fn all_captures(
    board: &Board,
    side: Side,
    steps: u8,
    fidelity: Fidelity,
    effort: &mut SearchStats,
) -> Vec<Capture> {
    let mut found: Vec<Capture> = Vec::new();
    for aim in aims(board, side, steps, fidelity) {
        if found.iter().all(|capture| capture.square != aim.victim) {
            found.extend(aim.search(board, side, steps, true, effort));
        }
    }
    found
}

/// The capture of one piece, on any trap.
#[must_use]
pub fn capture_of(
    board: &Board,
    side: Side,
    steps: u8,
    victim: Square,
    fidelity: Fidelity,
    effort: &mut SearchStats,
) -> Option<Capture> {
    let aims = aims(board, side, steps, fidelity);
    aims.iter()
        .filter(|aim| aim.victim == victim)
        .find_map(|aim| aim.search(board, side, steps, true, effort))
}

/// What one search is after: a piece and a trap, and for the document's searches the one captor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct CaptureTarget {
    victim: Square,
    trap: Square,
    way: CutKind,
    captor: Option<(Square, Bitboard)>,
    cost: u8,
}

/// The aims that the zones of a position have, the cheapest first. The extended search takes all zones of a piece and a
/// trap together: their captors may change.
fn aims(board: &Board, side: Side, steps: u8, fidelity: Fidelity) -> Vec<CaptureTarget> {
    let mut aims: Vec<CaptureTarget> = Vec::new();
    if fidelity == Fidelity::Extended {
        let enemies = board.by_side(side.other());
        for trap in Bitboard::TRAPS {
            for victim in enemies.into_iter().filter(|&victim| manhattan(victim, trap) <= 2) {
                let way = match manhattan(victim, trap) {
                    0 => CutKind::Strip,
                    1 => CutKind::Approach,
                    _ => CutKind::Lead,
                };
                let mut aim = CaptureTarget { victim, trap, way, captor: None, cost: 0 };
                aim.cost =
                    CaptureTactic { aim, side, any: false }.lower_bound(board, CaptureState::new(victim));
                if aim.cost <= steps {
                    aims.push(aim);
                }
            }
        }
    } else {
        aims.extend(cut_zones(board, side, steps, fidelity).iter().filter_map(aim_of));
    }
    aims.sort_by_key(|aim| aim.cost);
    aims
}

fn aim_of(zone: &Zone) -> Option<CaptureTarget> {
    let ZoneKind::Cut { trap, captor, victim, way, cost, .. } = zone.subject else { return None };
    let line = zone.symbols.iter().filter(|symbol| symbol.negation == 0);
    let way_of_main = line.fold(Bitboard::EMPTY, |all, symbol| all | symbol.bundle.after_start());
    Some(CaptureTarget { victim, trap, way, captor: Some((captor, way_of_main)), cost })
}

impl CaptureTarget {
    /// Searches; with `only` nothing but its own victim counts.
    fn search(
        &self,
        board: &Board,
        side: Side,
        steps: u8,
        only: bool,
        effort: &mut SearchStats,
    ) -> Option<Capture> {
        let captor = self.captor.map_or(self.victim, |(captor, _)| captor);
        let state = CaptureState { victim: self.victim, captor };
        let turn =
            search(&CaptureTactic { aim: *self, side, any: !only }, board, side, steps, state, effort)?;
        let outcome = replay(board, side, &turn)?;
        let own = outcome.captured.iter().position(|loss| loss.from == self.victim);
        let mut also = outcome.captured;
        let taken = if also.is_empty() { return None } else { also.remove(own.unwrap_or(0)) };
        let CapturedPiece { piece, from: square, trap } = taken;
        Some(Capture { piece, square, trap, turn, other_captures: also, own_losses: outcome.lost })
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
    aim: CaptureTarget,
    side: Side,
    /// Whether any other capture will do as well.
    any: bool,
}

impl CaptureTactic {
    /// The pieces of the other side beside the trap, but for the victim.
    fn guards(&self, board: &Board, victim: Square) -> Bitboard {
        board.by_side(self.side.other())
            & Bitboard::from(self.aim.trap).neighbours()
            & !Bitboard::from(victim)
    }

    /// Own pieces that can dislodge what stands on a square.
    fn captors(&self, board: &Board, square: Square) -> Bitboard {
        board
            .piece_at(square)
            .map_or(Bitboard::EMPTY, |piece| board.by_side(self.side) & board.stronger_than(piece.kind()))
    }

    /// The fewest steps until somebody who can dislodge it stands beside this square.
    fn approach(&self, board: &Board, square: Square) -> u8 {
        let steps = |captor: Square| manhattan(captor, square).saturating_sub(1);
        self.captors(board, square).into_iter().map(steps).min().unwrap_or(UNREACHABLE)
    }

    /// What the victim must be led to, or who must be led away from it.
    fn moved(&self, board: &Board, state: CaptureState) -> Bitboard {
        if state.victim == self.aim.trap { self.guards(board, state.victim) } else { state.victim.into() }
    }

    fn paper_class(&self, board: &Board, state: CaptureState, action: &Action, way: Bitboard) -> Option<u8> {
        let (first, trap) = (action.first, self.aim.trap);
        let nearer = |step: surus_rules::Step, to| manhattan(step.to(), to) < manhattan(step.from(), to);
        match displaced(action, self.side) {
            Some(step) if step.from() == state.victim => {
                let by_captor = action.steps().any(|own| own.from() == state.captor);
                (by_captor && nearer(step, trap)).then_some(0)
            }
            Some(step) => {
                let in_the_way =
                    way.contains(step.from()) || self.guards(board, state.victim).contains(step.from());
                in_the_way.then_some(2)
            }
            None if first.from() == state.captor => (nearer(first, state.victim)
                && !lethal_traps(board, state.captor).contains(first.to()))
            .then_some(1),
            None => {
                let clears = way.contains(first.from()) && !way.contains(first.to());
                let frozen = board.frozen(self.side).contains(state.captor);
                let frees = frozen && manhattan(first.to(), state.captor) == 1;
                (clears || frees).then_some(2)
            }
        }
    }
}

/// More steps than a turn has.
const UNREACHABLE: u8 = 16;

/// The step of the other side's piece in a push or pull.
fn displaced(action: &Action, side: Side) -> Option<surus_rules::Step> {
    action.second.map(|second| if second.piece().side() == side { action.first } else { second })
}

impl Tactic for CaptureTactic {
    type State = CaptureState;

    /// Each guard, and each square that the victim is away from the trap, takes a push or pull. Somebody must come to the
    /// victim first; a push or pull of a guard may bring that piece one square nearer.
    fn lower_bound(&self, board: &Board, state: CaptureState) -> u8 {
        let guards = self.guards(board, state.victim);
        let count = guards.len() as u8;
        if state.victim == self.aim.trap {
            let first = guards.into_iter().map(|guard| self.approach(board, guard)).min();
            return 2 * count + first.unwrap_or(UNREACHABLE);
        }
        let approach = match self.aim.captor {
            Some(_) => manhattan(state.captor, state.victim).saturating_sub(1),
            None => self.approach(board, state.victim),
        };
        2 * (manhattan(state.victim, self.aim.trap) + count) + approach.saturating_sub(count)
    }

    fn priority(
        &self,
        board: &Board,
        state: CaptureState,
        action: &Action,
        left: u8,
        slack: u8,
    ) -> Option<u8> {
        if let Some((_, way)) = self.aim.captor {
            return self.paper_class(board, state, action, way);
        }
        let (victim, trap, first) = (state.victim, self.aim.trap, action.first);
        let moved = self.moved(board, state);
        let around = |step: surus_rules::Step, to: Square, most: u8| {
            manhattan(step.from(), to) <= most || manhattan(step.to(), to) <= most
        };
        let Some(step) = displaced(action, self.side) else {
            let comes_nearer = moved.into_iter().any(|square| {
                let captor = self.captors(board, square).contains(first.from());
                captor && manhattan(first.to(), square) < manhattan(first.from(), square)
            });
            // A step ends no capture: what is left must still be enough for a push or pull.
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
            () if moved.contains(step.from()) && (nearer || victim == trap) => Some(0),
            () if step.from() == victim => (2 <= slack).then_some(6),
            () if self.guards(board, victim).contains(step.from()) => Some(2),
            // A push or pull of anybody else uses up two steps and brings at most one step nearer.
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
