//! Capture in one turn.

use surus_rules::{Action, Board, Piece, Side, Square, Squares, Turn};

use super::tree::{Tactic, search};
use super::{Effort, Loss, replay};
use crate::Fidelity;
use crate::abg::{lethal, steps_between};
use crate::zone::{CutWay, Subject, Zone, cut_zones};

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
    pub also: Vec<Loss>,
    /// Own pieces that it costs.
    pub lost: Vec<Loss>,
}

/// The first capture that the zones lead to.
#[must_use]
pub fn capture_in_one_turn(
    board: &Board,
    side: Side,
    steps: u8,
    fidelity: Fidelity,
    effort: &mut Effort,
) -> Option<Capture> {
    aims(board, side, steps, fidelity).iter().find_map(|aim| aim.try_it(board, side, steps, false, effort))
}

/// Every piece that the zones lead to a capture of, each with its first line.
#[must_use]
pub fn all_captures(
    board: &Board,
    side: Side,
    steps: u8,
    fidelity: Fidelity,
    effort: &mut Effort,
) -> Vec<Capture> {
    let mut found: Vec<Capture> = Vec::new();
    for aim in aims(board, side, steps, fidelity) {
        if found.iter().all(|capture| capture.square != aim.victim) {
            found.extend(aim.try_it(board, side, steps, true, effort));
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
    effort: &mut Effort,
) -> Option<Capture> {
    let aims = aims(board, side, steps, fidelity);
    aims.iter()
        .filter(|aim| aim.victim == victim)
        .find_map(|aim| aim.try_it(board, side, steps, true, effort))
}

/// What one search is after: a piece and a trap, and for the document's searches the one captor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Aim {
    victim: Square,
    trap: Square,
    way: CutWay,
    captor: Option<(Square, Squares)>,
    cost: u8,
}

/// The aims that the zones of a position have, the cheapest first. The extended search takes all zones of a piece and a
/// trap together: their captors may change.
fn aims(board: &Board, side: Side, steps: u8, fidelity: Fidelity) -> Vec<Aim> {
    let mut aims: Vec<Aim> = Vec::new();
    if fidelity == Fidelity::Extended {
        let enemies = board.side(side.other());
        for trap in Squares::TRAPS {
            for victim in enemies.into_iter().filter(|&victim| steps_between(victim, trap) <= 2) {
                let way = match steps_between(victim, trap) {
                    0 => CutWay::Strip,
                    1 => CutWay::Approach,
                    _ => CutWay::Lead,
                };
                let mut aim = Aim { victim, trap, way, captor: None, cost: 0 };
                aim.cost = Hunt { aim, side, any: false }.bound(board, State::new(victim));
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

fn aim_of(zone: &Zone) -> Option<Aim> {
    let Subject::Cut { trap, captor, victim, way, cost, .. } = zone.subject else { return None };
    let line = zone.symbols.iter().filter(|symbol| symbol.negation == 0);
    let way_of_main = line.fold(Squares::NONE, |all, symbol| all | symbol.bundle.ahead());
    Some(Aim { victim, trap, way, captor: Some((captor, way_of_main)), cost })
}

impl Aim {
    /// Searches; with `only` nothing but its own victim counts.
    fn try_it(
        &self,
        board: &Board,
        side: Side,
        steps: u8,
        only: bool,
        effort: &mut Effort,
    ) -> Option<Capture> {
        let captor = self.captor.map_or(self.victim, |(captor, _)| captor);
        let state = State { victim: self.victim, captor };
        let turn = search(&Hunt { aim: *self, side, any: !only }, board, side, steps, state, effort)?;
        let outcome = replay(board, side, &turn)?;
        let own = outcome.captured.iter().position(|loss| loss.from == self.victim);
        let mut also = outcome.captured;
        let taken = if also.is_empty() { return None } else { also.remove(own.unwrap_or(0)) };
        let Loss { piece, from: square, trap } = taken;
        Some(Capture { piece, square, trap, turn, also, lost: outcome.lost })
    }
}

#[derive(Clone, Copy)]
struct State {
    victim: Square,
    captor: Square,
}

impl State {
    const fn new(victim: Square) -> Self {
        Self { victim, captor: victim }
    }
}

struct Hunt {
    aim: Aim,
    side: Side,
    /// Whether any other capture will do as well.
    any: bool,
}

impl Hunt {
    /// The pieces of the other side beside the trap, but for the victim.
    fn guards(&self, board: &Board, victim: Square) -> Squares {
        board.side(self.side.other()) & Squares::from(self.aim.trap).neighbours() & !Squares::from(victim)
    }

    /// Own pieces that can dislodge what stands on a square.
    fn captors(&self, board: &Board, square: Square) -> Squares {
        board
            .piece_at(square)
            .map_or(Squares::NONE, |piece| board.side(self.side) & board.stronger_than(piece.kind()))
    }

    /// The fewest steps until somebody who can dislodge it stands beside this square.
    fn approach(&self, board: &Board, square: Square) -> u8 {
        let steps = |captor: Square| steps_between(captor, square).saturating_sub(1);
        self.captors(board, square).into_iter().map(steps).min().unwrap_or(NEVER)
    }

    /// What the victim must be led to, or who must be led away from it.
    fn moved(&self, board: &Board, state: State) -> Squares {
        if state.victim == self.aim.trap { self.guards(board, state.victim) } else { state.victim.into() }
    }

    fn paper_class(&self, board: &Board, state: State, action: &Action, way: Squares) -> Option<u8> {
        let (first, trap) = (action.first, self.aim.trap);
        let nearer =
            |step: surus_rules::Step, to| steps_between(step.to(), to) < steps_between(step.from(), to);
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
                && !lethal(board, state.captor).contains(first.to()))
            .then_some(1),
            None => {
                let clears = way.contains(first.from()) && !way.contains(first.to());
                let frozen = board.frozen(self.side).contains(state.captor);
                let frees = frozen && steps_between(first.to(), state.captor) == 1;
                (clears || frees).then_some(2)
            }
        }
    }
}

/// More steps than a turn has.
const NEVER: u8 = 16;

/// The step of the other side's piece in a push or pull.
fn displaced(action: &Action, side: Side) -> Option<surus_rules::Step> {
    action.second.map(|second| if second.piece().side() == side { action.first } else { second })
}

impl Tactic for Hunt {
    type State = State;

    /// Each guard, and each square that the victim is away from the trap, takes a push or pull. Somebody must come to the
    /// victim first; a push or pull of a guard may bring that piece one square nearer.
    fn bound(&self, board: &Board, state: State) -> u8 {
        let guards = self.guards(board, state.victim);
        let count = guards.len() as u8;
        if state.victim == self.aim.trap {
            let first = guards.into_iter().map(|guard| self.approach(board, guard)).min();
            return 2 * count + first.unwrap_or(NEVER);
        }
        let approach = match self.aim.captor {
            Some(_) => steps_between(state.captor, state.victim).saturating_sub(1),
            None => self.approach(board, state.victim),
        };
        2 * (steps_between(state.victim, self.aim.trap) + count) + approach.saturating_sub(count)
    }

    fn class(&self, board: &Board, state: State, action: &Action, left: u8, slack: u8) -> Option<u8> {
        if let Some((_, way)) = self.aim.captor {
            return self.paper_class(board, state, action, way);
        }
        let (victim, trap, first) = (state.victim, self.aim.trap, action.first);
        let moved = self.moved(board, state);
        let around = |step: surus_rules::Step, to: Square, most: u8| {
            steps_between(step.from(), to) <= most || steps_between(step.to(), to) <= most
        };
        let Some(step) = displaced(action, self.side) else {
            let comes_nearer = moved.into_iter().any(|square| {
                let captor = self.captors(board, square).contains(first.from());
                captor && steps_between(first.to(), square) < steps_between(first.from(), square)
            });
            // A step ends no capture: what is left must still be enough for a push or pull.
            return match () {
                () if left < 3 => None,
                () if comes_nearer => Some(1),
                () if slack == 0 => None,
                () if around(first, victim, 2) || around(first, trap, 1) => Some(3),
                () if steps_between(first.to(), victim) <= 4 => Some(5),
                () => None,
            };
        };
        let nearer = steps_between(step.to(), trap) < steps_between(step.from(), trap);
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

    fn follow(&self, state: State, action: &Action) -> State {
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

    fn done(&self, before: &Board, after: &Board, state: State) -> bool {
        let enemy = self.side.other();
        let fell = after.side(enemy).len() < before.side(enemy).len();
        fell && (self.any || !after.side(enemy).contains(state.victim))
    }

    fn number(state: State) -> u64 {
        let pair = (state.victim.index() << 6 | state.captor.index()) as u64 + 1;
        pair.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}
