//! Goal in one turn.

use surus_rules::{Action, Bitboard, Board, Direction, Side, Square, Step, Turn};

use super::tree::{Tactic, search};
use super::{CapturedPiece, SearchStats, replay};
use crate::Fidelity;
use crate::abg::{lethal_traps, manhattan};

/// A goal that can be scored in one turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    /// Where the rabbit stands.
    pub rabbit: Square,
    /// Where it goes.
    pub goal: Square,
    /// A line that the rules have replayed.
    pub turn: Turn,
    /// Own pieces that it costs.
    pub lost: Vec<CapturedPiece>,
}

/// The first goal that the runs of the rabbits lead to, the nearest rabbit first.
#[must_use]
pub fn goal_in_one_turn(
    board: &Board,
    side: Side,
    steps: u8,
    fidelity: Fidelity,
    effort: &mut SearchStats,
) -> Option<Goal> {
    let mut rabbits: Vec<Square> =
        board.rabbits(side).into_iter().filter(|&rabbit| ranks(side, rabbit) <= steps).collect();
    rabbits.sort_by_key(|&rabbit| ranks(side, rabbit));
    let run = GoalTactic { side, fidelity };
    rabbits.into_iter().filter(|&rabbit| 0 < ranks(side, rabbit)).find_map(|rabbit| {
        let turn = search(&run, board, side, steps, rabbit, effort)?;
        let outcome = replay(board, side, &turn).filter(|outcome| outcome.goal)?;
        let goal = (outcome.board.rabbits(side) & side.goal()).first()?;
        Some(Goal { rabbit, goal, turn, lost: outcome.lost })
    })
}

/// How many ranks a rabbit is from its goal.
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

    /// The squares that the rabbit passes if it goes straight on.
    fn way(&self, rabbit: Square) -> Bitboard {
        let mut way = Bitboard::EMPTY;
        let mut next = Bitboard::from(rabbit).shifted(self.ahead());
        while !next.is_empty() {
            way |= next;
            next = next.shifted(self.ahead());
        }
        way
    }

    /// The document's search: the rabbit goes on, friends clear its way, free it and cover the squares ahead.
    fn paper_class(&self, board: &Board, rabbit: Square, action: &Action, slack: u8) -> Option<u8> {
        let step = action.first;
        if action.second.is_some() {
            return None;
        }
        if step.from() == rabbit {
            if lethal_traps(board, rabbit).contains(step.to()) && ranks(self.side, step.to()) != 0 {
                return None;
            }
            return if step.direction() == self.ahead() { Some(0) } else { (1 <= slack).then_some(1) };
        }
        let way = self.way(rabbit) | rabbit.into();
        let covers = way.neighbours().contains(step.to()) && !way.contains(step.to());
        (1 <= slack && (covers || way.contains(step.from()))).then_some(2)
    }
}

impl Tactic for GoalTactic {
    type State = Square;

    /// Its ranks; a frozen rabbit, or one with something in front of it, can't begin with a step ahead.
    fn lower_bound(&self, board: &Board, rabbit: Square) -> u8 {
        let alive = board.rabbits(self.side).contains(rabbit);
        if !alive {
            return u8::MAX;
        }
        let frozen = board.frozen(self.side).contains(rabbit);
        let shut = rabbit.neighbour(self.ahead()).is_some_and(|front| board.piece_at(front).is_some());
        ranks(self.side, rabbit) + u8::from(frozen || shut)
    }

    fn priority(&self, board: &Board, rabbit: Square, action: &Action, left: u8, slack: u8) -> Option<u8> {
        // With no more steps than ranks nothing but the rabbit may step.
        let spare = left - ranks(self.side, rabbit);
        if self.fidelity != Fidelity::Extended {
            return self.paper_class(board, rabbit, action, spare);
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
                false => (1 <= spare).then_some(3),
            };
        }
        if spare < 1 {
            return None;
        }
        let frozen = board.frozen(self.side).contains(rabbit);
        let covers = |step: Step| (self.way(rabbit) | rabbit.into()).neighbours().contains(step.to());
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
