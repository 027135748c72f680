//! Goal in one turn.

use surus_rules::{Action, Bitboard, Board, Direction, Side, Square, Step, Turn};

use super::tree::{Tactic, search};
use super::{CapturedPiece, SearchStats, replay};
use crate::Fidelity;
use crate::abg::{lethal_traps, manhattan};

/// A goal that can be scored in one turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The square of the rabbit.
    pub rabbit: Square,
    /// The goal square.
    pub goal: Square,
    /// A turn that reaches it.
    pub turn: Turn,
    /// Own pieces lost by the turn.
    pub lost: Vec<CapturedPiece>,
}

/// Finds one goal, trying the nearest rabbit first.
#[must_use]
pub fn goal_in_one_turn(
    board: &Board,
    side: Side,
    steps: u8,
    fidelity: Fidelity,
    stats: &mut SearchStats,
) -> Option<Goal> {
    let mut rabbits: Vec<Square> =
        board.rabbits(side).into_iter().filter(|&rabbit| ranks(side, rabbit) <= steps).collect();
    rabbits.sort_by_key(|&rabbit| ranks(side, rabbit));
    let tactic = GoalTactic { side, fidelity };
    rabbits.into_iter().filter(|&rabbit| ranks(side, rabbit) > 0).find_map(|rabbit| {
        let turn = search(&tactic, board, side, steps, rabbit, stats)?;
        let outcome = replay(board, side, &turn).filter(|outcome| outcome.goal)?;
        let goal = (outcome.board.rabbits(side) & side.goal()).first()?;
        Some(Goal { rabbit, goal, turn, lost: outcome.lost })
    })
}

/// The distance of a rabbit to its goal rank.
fn ranks(side: Side, rabbit: Square) -> u8 {
    side.goal_rank().abs_diff(rabbit.rank())
}

struct GoalTactic {
    side: Side,
    fidelity: Fidelity,
}

impl GoalTactic {
    fn ahead(&self) -> Direction {
        self.side.backward().opposite()
    }

    /// The squares straight ahead of the rabbit.
    fn path(&self, rabbit: Square) -> Bitboard {
        let mut path = Bitboard::EMPTY;
        let mut next = Bitboard::from(rabbit).shifted(self.ahead());
        while !next.is_empty() {
            path |= next;
            next = next.shifted(self.ahead());
        }
        path
    }

    /// The search of \[LG\]: the rabbit advances, friendly pieces clear its path, unfreeze it and protect the squares ahead.
    fn paper_priority(&self, board: &Board, rabbit: Square, action: &Action, slack: u8) -> Option<u8> {
        let step = action.first;
        if action.second.is_some() {
            return None;
        }
        if step.from() == rabbit {
            if lethal_traps(board, rabbit).contains(step.to()) && ranks(self.side, step.to()) != 0 {
                return None;
            }
            return if step.direction() == self.ahead() { Some(0) } else { (slack >= 1).then_some(1) };
        }
        let path = self.path(rabbit) | rabbit.into();
        let covers = path.neighbours().contains(step.to()) && !path.contains(step.to());
        (slack >= 1 && (covers || path.contains(step.from()))).then_some(2)
    }
}

impl Tactic for GoalTactic {
    type State = Square;

    /// The distance in ranks; one more if the rabbit is frozen or blocked, so that it cannot start with a step ahead.
    fn lower_bound(&self, board: &Board, rabbit: Square) -> u8 {
        if !board.rabbits(self.side).contains(rabbit) {
            return u8::MAX;
        }
        let frozen = board.frozen(self.side).contains(rabbit);
        let blocked = rabbit.neighbour(self.ahead()).is_some_and(|front| board.piece_at(front).is_some());
        ranks(self.side, rabbit) + u8::from(frozen || blocked)
    }

    fn priority(&self, board: &Board, rabbit: Square, action: &Action, left: u8, slack: u8) -> Option<u8> {
        // Without spare steps only the rabbit may step.
        let spare = left - ranks(self.side, rabbit);
        if self.fidelity != Fidelity::Extended {
            return self.paper_priority(board, rabbit, action, spare);
        }
        let step = action.first;
        let displaced = action
            .second
            .map(|second| if second.piece().side() == self.side { action.first } else { second });
        let front = Bitboard::from(rabbit).shifted(self.ahead());
        if let Some(moved) = displaced {
            if spare < 2 || action.steps().any(|own| own.from() == rabbit) {
                return None;
            }
            let near = front.contains(moved.from()) || manhattan(moved.from(), rabbit) == 1;
            return Some(if near { 2 } else { 4 });
        }
        if step.from() == rabbit {
            return match step.direction() == self.ahead() {
                true => Some(0),
                false => (spare >= 1).then_some(3),
            };
        }
        if spare < 1 {
            return None;
        }
        let frozen = board.frozen(self.side).contains(rabbit);
        let covers = |step: Step| (self.path(rabbit) | rabbit.into()).neighbours().contains(step.to());
        match () {
            () if front.contains(step.from()) => Some(1),
            () if frozen && manhattan(step.to(), rabbit) == 1 => Some(1),
            () if covers(step) => Some(2),
            () if manhattan(step.to(), rabbit) <= slack + 3 => Some(4),
            () => None,
        }
    }

    fn next_state(&self, rabbit: Square, action: &Action) -> Square {
        action.steps().fold(rabbit, |at, step| if step.from() == at { step.to() } else { at })
    }

    fn is_achieved(&self, _: &Board, after: &Board, _: Square) -> bool {
        !(after.rabbits(self.side) & self.side.goal()).is_empty()
    }

    fn state_key(rabbit: Square) -> u64 {
        (rabbit.index() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}
