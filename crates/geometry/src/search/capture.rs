//! Capture in one turn.

use surus_rules::{Action, Board, Piece, Side, Square, Turn};

use super::capture_distances::CaptureDistances;
use super::capture_zones::{CutTarget, extended_moves, paper_moves, targets as zone_targets};
use super::tree::{Tactic, search};
use super::{CapturedPiece, Guidance, HeuristicRule, HeuristicRules, SearchStats, replay};
use crate::Fidelity;

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
    guidance: Guidance,
    stats: &mut SearchStats,
) -> Option<Capture> {
    let targets = targets(board, side, steps, guidance);
    let mut found = targets.iter().filter_map(|target| target.search(board, side, steps, false, stats));
    let first = found.next();
    if !guidance.halts(HeuristicRule::CaptureHalts) {
        found.for_each(drop);
    }
    first
}

/// Finds one capture of each piece that can be captured.
#[must_use]
pub fn all_captures(
    board: &Board,
    side: Side,
    steps: u8,
    guidance: Guidance,
    stats: &mut SearchStats,
) -> Vec<Capture> {
    let mut found: Vec<Capture> = Vec::new();
    for target in targets(board, side, steps, guidance) {
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
    guidance: Guidance,
    stats: &mut SearchStats,
) -> Option<Capture> {
    let targets = targets(board, side, steps, guidance);
    targets
        .iter()
        .filter(|target| target.victim == victim)
        .find_map(|target| target.search(board, side, steps, true, stats))
}

/// The target of one search: a piece and a trap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct CaptureTarget {
    victim: Square,
    trap: Square,
    /// The only captor of a zone.
    captor: Option<Square>,
    guidance: Guidance,
}

/// The targets on a board, cheapest first.
fn targets(board: &Board, side: Side, steps: u8, guidance: Guidance) -> Vec<CaptureTarget> {
    let target = |target: CutTarget| {
        let CutTarget { victim, trap, captor } = target;
        CaptureTarget { victim, trap, captor, guidance }
    };
    let zones = match guidance {
        Guidance::Zones(fidelity, rules) => (fidelity, rules),
        Guidance::Distances | Guidance::Both => (Fidelity::Extended, HeuristicRules::ALL),
    };
    zone_targets(board, side, steps, zones).into_iter().map(target).collect()
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
        let state = CaptureState { victim: self.victim, captor: self.captor };
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
    captor: Option<Square>,
}

struct CaptureTactic {
    target: CaptureTarget,
    side: Side,
    /// Whether the capture of another piece counts.
    any: bool,
}

/// What zones propose comes before everything else.
const OTHER_THAN_ZONES: u8 = 8;

impl Tactic for CaptureTactic {
    type State = CaptureState;

    fn for_each_action(&self, board: &Board, state: CaptureState, left: u8, mut add: impl FnMut(u8, Action)) {
        let (side, CaptureTarget { trap, guidance, .. }) = (self.side, self.target);
        let target = CutTarget { victim: state.victim, trap, captor: state.captor };
        let distances = CaptureDistances { side, victim: state.victim, trap };
        match guidance {
            Guidance::Zones(Fidelity::Extended, rules) => {
                extended_moves(board, side, left, target, rules).for_each_action(left, add);
            }
            Guidance::Zones(fidelity, rules) => {
                paper_moves(board, side, left, target, (fidelity, rules)).for_each_action(left, add);
            }
            Guidance::Distances => distances.for_each_action(board, left, add),
            Guidance::Both => {
                let zones = extended_moves(board, side, left, target, HeuristicRules::ALL);
                let slack = left.checked_sub(distances.lower_bound(board));
                board.for_each_action(side, left, |action| {
                    let other = || Some(OTHER_THAN_ZONES + distances.priority(board, &action, left, slack?)?);
                    if let Some(priority) = zones.priority(&action).or_else(other) {
                        add(priority, action);
                    }
                });
            }
        }
    }

    fn next_state(&self, state: CaptureState, action: &Action) -> CaptureState {
        let follow = |square: Square| {
            action.steps().fold(square, |at, step| if step.from() == at { step.to() } else { at })
        };
        CaptureState { victim: follow(state.victim), captor: state.captor.map(follow) }
    }

    fn is_achieved(&self, before: &Board, after: &Board, state: CaptureState) -> bool {
        let enemy = self.side.other();
        let fell = after.by_side(enemy).len() < before.by_side(enemy).len();
        fell && (self.any || !after.by_side(enemy).contains(state.victim))
    }

    fn halts(&self) -> bool {
        self.target.guidance.halts(HeuristicRule::CaptureHalts)
    }

    fn state_key(state: CaptureState) -> u64 {
        let captor = state.captor.unwrap_or(state.victim);
        let pair = (state.victim.index() << 6 | captor.index()) as u64 + 1;
        pair.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}
